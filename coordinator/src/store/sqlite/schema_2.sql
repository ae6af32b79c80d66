-- Bounds that searches of whole instances proved, at a worker's word.
CREATE TABLE proofs (
    instance      BLOB PRIMARY KEY REFERENCES instances (digest),
    bound         INTEGER NOT NULL, -- no play ends better
    worker        TEXT NOT NULL,
    strategy      TEXT NOT NULL,
    prefix        BLOB NOT NULL,
    width         INTEGER NOT NULL,
    seed          INTEGER NOT NULL,
    expansions    INTEGER NOT NULL,
    window_length INTEGER,
    window_suffix BLOB,
    beat          INTEGER,
    trace         BLOB NOT NULL,
    proved_at     INTEGER NOT NULL, -- milliseconds since 1970
    confirmed_by  TEXT              -- another worker that ran the search again to the same result
) STRICT, WITHOUT ROWID;
