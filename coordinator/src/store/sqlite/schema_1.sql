-- Numbers that stand alone: the epoch, and whether the farm is paused.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every instance that was ever served. Rows elsewhere belong to a content, not to a name.
CREATE TABLE instances (
    digest   BLOB PRIMARY KEY CHECK (length(digest) = 32),
    name     TEXT NOT NULL,
    content  TEXT NOT NULL,
    origin   TEXT NOT NULL, -- built-in, stand-in, added, or file:PATH
    priority INTEGER NOT NULL DEFAULT 100,
    paused   INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Every best there ever was, with the search that found it. Sequences are LEB128 numbers one after the other.
CREATE TABLE history (
    id               INTEGER PRIMARY KEY,
    instance         BLOB NOT NULL REFERENCES instances (digest),
    score            INTEGER NOT NULL,
    moves            BLOB NOT NULL,
    worker           TEXT NOT NULL,
    found_at         INTEGER NOT NULL, -- milliseconds since 1970
    total_expansions INTEGER NOT NULL,
    strategy         TEXT,             -- absent for an import, and so are the columns below
    prefix           BLOB,
    width            INTEGER,
    seed             INTEGER,          -- the 64 bits as a signed number
    expansions       INTEGER,
    window_length    INTEGER,
    window_suffix    BLOB,
    beat             INTEGER,
    set_aside        TEXT              -- why it does not stand up to the judge, if so
) STRICT;
CREATE INDEX history_by_instance ON history (instance, id);

-- Which entry of the history is the instance's best now.
CREATE TABLE bests (
    instance BLOB PRIMARY KEY REFERENCES instances (digest),
    merit    INTEGER NOT NULL, -- the score, turned so that more is better
    entry    INTEGER NOT NULL REFERENCES history (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE states (
    instance      BLOB NOT NULL REFERENCES instances (digest),
    id            INTEGER NOT NULL,
    parent        INTEGER,
    since         BLOB NOT NULL, -- moves from the parent
    kind          TEXT NOT NULL,
    window_length INTEGER,
    window_suffix BLOB,
    key           INTEGER NOT NULL, -- hash of the position's key
    score         INTEGER NOT NULL, -- so far
    bound         INTEGER NOT NULL, -- no play from here ends better
    source_score  INTEGER,
    spent         INTEGER NOT NULL,
    finished      INTEGER NOT NULL,
    best          INTEGER,
    next_seed     INTEGER NOT NULL,
    exhausted     INTEGER NOT NULL,
    faults        INTEGER NOT NULL,
    PRIMARY KEY (instance, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE arms (
    instance  BLOB NOT NULL REFERENCES instances (digest),
    arm       TEXT NOT NULL, -- root/STRATEGY/WIDTH, quarter/N or window
    next_seed INTEGER NOT NULL,
    finished  INTEGER NOT NULL,
    spent     INTEGER NOT NULL,
    best      INTEGER,
    gains     REAL NOT NULL,
    faults    INTEGER NOT NULL,
    PRIMARY KEY (instance, arm)
) STRICT, WITHOUT ROWID;

-- Leases that are out and worth going on with after a restart.
CREATE TABLE leases (
    id            INTEGER PRIMARY KEY,
    attempt       INTEGER NOT NULL,
    instance      BLOB NOT NULL REFERENCES instances (digest),
    state         INTEGER NOT NULL,
    arm           TEXT NOT NULL,
    worker        TEXT NOT NULL,
    spent         INTEGER NOT NULL,
    expected      INTEGER NOT NULL, -- milliseconds
    failures      INTEGER NOT NULL,
    disconnects   INTEGER NOT NULL,
    strategy      TEXT NOT NULL,
    prefix        BLOB NOT NULL,
    width         INTEGER NOT NULL,
    seed          INTEGER NOT NULL,
    expansions    INTEGER NOT NULL,
    window_length INTEGER,
    window_suffix BLOB,
    beat          INTEGER
) STRICT;

-- Attempts that are over; the oldest make room.
CREATE TABLE ended (
    id         INTEGER NOT NULL,
    attempt    INTEGER NOT NULL,
    instance   BLOB NOT NULL REFERENCES instances (digest),
    state      INTEGER NOT NULL,
    strategy   TEXT NOT NULL,
    width      INTEGER NOT NULL,
    seed       INTEGER NOT NULL,
    worker     TEXT NOT NULL,
    reason     TEXT NOT NULL,
    expansions INTEGER NOT NULL,
    elapsed    INTEGER NOT NULL, -- milliseconds
    best_found INTEGER,
    trace      BLOB NOT NULL,
    ended_at   INTEGER NOT NULL,
    PRIMARY KEY (id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE workers (
    name             TEXT PRIMARY KEY,
    software         TEXT NOT NULL,
    threads          INTEGER NOT NULL,
    finished         INTEGER NOT NULL,
    failed           INTEGER NOT NULL,
    refused          INTEGER NOT NULL,
    expansions       INTEGER NOT NULL,
    draining         INTEGER NOT NULL,
    set_aside_reason TEXT,
    set_aside_at     INTEGER
) STRICT, WITHOUT ROWID;

-- Measured expansions a second.
CREATE TABLE speeds (
    worker TEXT NOT NULL REFERENCES workers (name),
    game   TEXT NOT NULL,
    speed  REAL NOT NULL,
    PRIMARY KEY (worker, game)
) STRICT, WITHOUT ROWID;

-- What happened; the oldest make room.
CREATE TABLE events (
    number   INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    severity TEXT NOT NULL,
    kind     TEXT NOT NULL,
    instance TEXT,
    worker   TEXT,
    detail   TEXT NOT NULL
) STRICT;
