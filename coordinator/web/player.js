// Plays a replay: a board that changes move by move, with buttons, a slider and keys. No dependencies.
//
// `replay` is what cascade_proto::json::replay::Replay writes. The squares are numbered row by row from 0; a turn is one
// move with the scenes it set off, a scene is one thing that happened at once.

const SPEEDS = [0.5, 1, 2, 4, 8, 32];
const USUAL_SPEED = 1;
const EMPTY = ".";
// Between squares, in pixels; the style has the same.
const GAP = 1;

// How long each part of a move is shown at speed 1, in milliseconds.
const HIGHLIGHT = 420;
const FALL = 280;
const REST = 380;

const ICONS = {
  first: "M5 5h2v14H5zM19 5v14L9 12z",
  previous: "M15.2 4L17 5.8 10.8 12l6.2 6.2-1.8 1.8-8-8z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  next: "M8.8 4L7 5.8l6.2 6.2L7 18.2 8.8 20l8-8z",
  last: "M17 5h2v14h-2zM5 5v14l10-7z",
};

export class Player {
  // The board after each number of moves.
  #boards;
  #replay;
  #root;
  #parts;
  #turn = 0;
  // The turn whose scenes are being shown, while they are.
  #running = null;
  #timer = null;
  #playing = false;
  #speed = USUAL_SPEED;
  #stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
  #listeners = new AbortController();

  constructor(root, replay) {
    this.#root = root;
    this.#replay = replay;
    this.#boards = boards(replay);
    this.#parts = build(root, replay);
    this.#listen();
    root.dataset.turns = String(replay.turns.length);
    this.#settle(0);
  }

  // The number of moves shown.
  get turn() {
    return this.#turn;
  }

  get playing() {
    return this.#playing;
  }

  // Shows the board after `turn` moves, at once.
  show(turn) {
    const last = this.#replay.turns.length;
    this.#settle(Math.min(Math.max(Math.trunc(turn) || 0, 0), last));
    if (this.#playing) this.#later(REST, () => this.#advance());
  }

  // Shows the next move, scene by scene.
  next() {
    this.#hurry();
    this.#advance();
  }

  previous() {
    this.pause();
    this.show(this.#turn - 1);
  }

  first() {
    this.pause();
    this.show(0);
  }

  last() {
    this.pause();
    this.show(this.#replay.turns.length);
  }

  // Plays on; from the start when all is shown.
  play() {
    if (this.#playing || this.#replay.turns.length === 0) return;
    this.#setPlaying(true);
    if (this.#running !== null) return;
    if (this.#turn === this.#replay.turns.length) this.#settle(0);
    this.#advance();
  }

  pause() {
    if (!this.#playing) return;
    this.#setPlaying(false);
    if (this.#running === null) this.#cancel();
  }

  toggle() {
    if (this.#playing) this.pause();
    else this.play();
  }

  // Takes the player out of its root.
  destroy() {
    this.#cancel();
    this.#listeners.abort();
    this.#root.replaceChildren();
    this.#root.classList.remove("player");
    for (const name of ["role", "aria-label"]) this.#root.removeAttribute(name);
    for (const name of ["turn", "turns", "empty"]) delete this.#root.dataset[name];
  }

  #setPlaying(playing) {
    this.#playing = playing;
    const button = this.#parts.buttons.play;
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    button.title = playing ? "Pause" : "Play";
    button.querySelector("path").setAttribute("d", playing ? ICONS.pause : ICONS.play);
  }

  #advance() {
    const next = this.#turn + 1;
    if (next > this.#replay.turns.length) return;
    if (this.#stillness.matches) {
      this.#settle(next);
      this.#afterTurn();
      return;
    }
    this.#running = next;
    this.#caption(next);
    this.#clearMarks();
    const board = [...this.#boards[this.#turn]];
    this.#scene(next, 0, board);
  }

  // Shows one scene of a turn, and the rest of them when it has been seen.
  #scene(turn, number, board) {
    const scene = this.#replay.turns[turn - 1].scenes[number];
    if (scene === undefined) {
      this.#settle(turn);
      this.#afterTurn();
      return;
    }
    const before = [...board];
    for (const [square, letter] of scene.changes) board[square] = letter;
    const onwards = () => this.#scene(turn, number + 1, board);
    if (scene.kind === "fall") {
      this.#draw(board);
      this.#fall(before);
      this.#later(FALL, onwards);
    } else if (scene.kind === "build") {
      this.#draw(board);
      this.#mark(scene.squares, "comes");
      this.#later(HIGHLIGHT, () => {
        this.#clearMarks();
        onwards();
      });
    } else {
      this.#mark(scene.squares, "goes");
      this.#later(HIGHLIGHT, () => {
        this.#clearMarks();
        this.#draw(board);
        onwards();
      });
    }
  }

  #afterTurn() {
    if (this.#turn === this.#replay.turns.length) this.#setPlaying(false);
    else if (this.#playing) this.#later(REST, () => this.#advance());
  }

  // Ends the turn that is being shown.
  #hurry() {
    if (this.#running !== null) this.#settle(this.#running);
  }

  // Shows the board after `turn` moves and tells the page so.
  #settle(turn) {
    this.#cancel();
    this.#running = null;
    this.#turn = turn;
    const board = this.#boards[turn];
    this.#clearMarks();
    this.#draw(board);
    if (turn > 0) this.#mark([this.#replay.turns[turn - 1].square], "played");
    this.#caption(turn);
    this.#parts.board.setAttribute("aria-label", boardWords(this.#replay, turn, board));
    this.#root.dataset.turn = String(turn);
    this.#root.dataset.empty = String(board.every((letter) => letter === EMPTY));
  }

  #caption(turn) {
    const { caption, slider, count, score, buttons } = this.#parts;
    const turns = this.#replay.turns.length;
    const shown = this.#replay.turns[turn - 1];
    const text = shown === undefined ? "The start." : `${shown.words}: ${turnWords(shown)}.`;
    if (caption.textContent !== text) caption.textContent = text;
    count.textContent = `${turn} of ${turns}`;
    score.textContent = `score ${(shown?.score ?? 0).toLocaleString("en-US")}`;
    slider.value = String(turn);
    slider.setAttribute("aria-valuetext", `move ${turn} of ${turns}`);
    // A button that loses its use keeps the focus: it is told, not disabled.
    for (const name of ["first", "previous"]) buttons[name].setAttribute("aria-disabled", String(turn === 0));
    for (const name of ["next", "last"]) buttons[name].setAttribute("aria-disabled", String(turn === turns));
  }

  #draw(board) {
    board.forEach((letter, square) => {
      const element = this.#parts.squares[square];
      if (element.dataset.letter === letter) return;
      element.dataset.letter = letter;
      element.textContent = letter === EMPTY ? "" : letter;
    });
  }

  // Lets what was drawn last come down from where it stood on the board `before`.
  #fall(before) {
    const { rows, columns } = this.#replay;
    const moved = [];
    for (let column = 0; column < columns; column += 1) {
      let landing = rows - 1;
      for (let row = rows - 1; row >= 0; row -= 1) {
        if (before[row * columns + column] === EMPTY) continue;
        if (landing !== row) {
          const element = this.#parts.squares[landing * columns + column];
          element.style.transition = "none";
          element.style.transform = `translateY(calc(${row - landing} * (100% + ${GAP}px)))`;
          moved.push(element);
        }
        landing -= 1;
      }
    }
    // The places they come from must be laid out before they may leave them.
    this.#parts.board.getBoundingClientRect();
    for (const element of moved) {
      element.style.transition = `transform ${FALL / this.#speed}ms ease-in`;
      element.style.transform = "";
    }
  }

  #mark(squares, mark) {
    for (const square of squares) this.#parts.squares[square].classList.add(mark);
  }

  #clearMarks() {
    for (const element of this.#parts.squares) {
      element.classList.remove("goes", "comes", "played");
      if (element.style.length > 0) element.removeAttribute("style");
    }
  }

  #later(milliseconds, task) {
    this.#cancel();
    this.#timer = window.setTimeout(task, milliseconds / this.#speed);
  }

  #cancel() {
    window.clearTimeout(this.#timer);
  }

  #listen() {
    const { buttons, slider, speed } = this.#parts;
    const on = (target, type, task) => target.addEventListener(type, task, { signal: this.#listeners.signal });
    on(buttons.first, "click", () => this.first());
    on(buttons.previous, "click", () => this.previous());
    on(buttons.play, "click", () => this.toggle());
    on(buttons.next, "click", () => {
      this.pause();
      this.next();
    });
    on(buttons.last, "click", () => this.last());
    on(slider, "input", () => {
      this.pause();
      this.show(Number(slider.value));
    });
    on(speed, "change", () => {
      this.#speed = Number(speed.value);
    });
    on(this.#root, "keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === this.#parts.speed) return;
    const onButton = event.target instanceof HTMLButtonElement;
    const actions = {
      ArrowRight: () => {
        this.pause();
        this.next();
      },
      ArrowLeft: () => this.previous(),
      Home: () => this.first(),
      End: () => this.last(),
      // A button that has the focus is pressed by it.
      " ": onButton ? undefined : () => this.toggle(),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }
}

function boards(replay) {
  const board = [...replay.start];
  const all = [[...board]];
  for (const turn of replay.turns) {
    for (const scene of turn.scenes) {
      for (const [square, letter] of scene.changes) board[square] = letter;
    }
    all.push([...board]);
  }
  return all;
}

// What a move set off, in words.
function turnWords(turn) {
  const of = (kind) => turn.scenes.filter((scene) => scene.kind === kind);
  const built = (scene) => scene?.changes.find(([, letter]) => letter !== EMPTY)?.[1] ?? "";
  const [vanished, merged] = [of("vanish"), of("merge")];
  if (of("demolish").length > 0) return "the building is torn down";
  if (merged.length > 0) {
    const times = merged.length === 1 ? "merges into" : `merges ${merged.length} times, up to`;
    return `${times} a ${built(merged.at(-1))}`;
  }
  if (of("build").length > 0) return `a ${built(of("build")[0])} is built`;
  if (vanished.length === 0) return "nothing vanishes";
  const squares = vanished.reduce((sum, scene) => sum + scene.squares.length, 0);
  return `${squares} squares vanish${vanished.length > 1 ? ` in ${vanished.length} waves` : ""}`;
}

function boardWords(replay, turn, board) {
  const held = board.filter((letter) => letter !== EMPTY).length;
  const size = `board of ${replay.rows} rows and ${replay.columns} columns`;
  return `${size} after ${turn} moves, ${held} squares are not empty`;
}

// Fills `root` and returns its parts.
function build(root, replay) {
  root.classList.add("player");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", `Replay of ${replay.instance}`);

  const board = element("div", "player-board", { role: "img", tabindex: "0" });
  board.dataset.game = replay.game;
  board.style.setProperty("--rows", String(replay.rows));
  board.style.setProperty("--columns", String(replay.columns));
  const squares = [...replay.start].map((letter) => {
    const square = element("span", "square", { "aria-hidden": "true" });
    square.dataset.letter = letter;
    square.textContent = letter === EMPTY ? "" : letter;
    return square;
  });
  board.append(...squares);

  const caption = element("p", "player-caption", { "aria-live": "polite" });
  const slider = element("input", "player-slider", {
    type: "range",
    min: "0",
    max: String(replay.turns.length),
    step: "1",
    "aria-label": "Move",
  });

  const names = {
    first: "First board",
    previous: "Previous move",
    play: "Play",
    next: "Next move",
    last: "Last board",
  };
  const buttons = Object.fromEntries(Object.entries(names).map(([name, label]) => [name, button(name, label)]));
  const group = element("div", "player-buttons", {});
  group.append(...Object.values(buttons));

  const speed = element("select", "", {});
  for (const value of SPEEDS) {
    const option = element("option", "", { value: String(value) });
    option.textContent = `${value}×`;
    option.selected = value === USUAL_SPEED;
    speed.append(option);
  }
  const speedLabel = element("label", "player-speed", {});
  speedLabel.append("Speed ", speed);

  const count = element("span", "player-count", {});
  const score = element("span", "player-score", {});
  const figures = element("div", "player-figures", {});
  figures.append(count, score);
  const controls = element("div", "player-controls", {});
  controls.append(group, speedLabel);

  root.replaceChildren(board, caption, slider, figures, controls);
  return { board, squares, caption, slider, buttons, speed, count, score };
}

function button(name, label) {
  const made = element("button", "", { type: "button", "aria-label": label, title: label });
  made.dataset.action = name;
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  icon.append(path);
  made.append(icon);
  return made;
}

function element(name, className, attributes) {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
