// All instances at a glance, live.
import { attribute, fill, h, text } from "../dom.js";
import { ask } from "../farm.js";
import { age, ago, pageOf, period, short, split, unit, whole } from "../figures.js";

/** An improvement is marked for so many seconds. */
const FRESH = 60;
const HOUR = 3600;
const STEPS = 5;

export class OverviewView {
  title = "Overview";
  element = h("div", { class: "view" });
  #farm;
  #tiles = new Map();
  #improved = new Map();
  #update = (event) => this.#draw(event.detail.improved);
  #clock = null;

  constructor(farm) {
    this.#farm = farm;
    this.figures = h("dl", { class: "figures" });
    this.note = h("p", { class: "warn", hidden: true, role: "status" });
    this.tetris = h("ul", { class: "tiles" });
    this.legend = h("ul", { class: "legend" });
    this.tritown = h("ul", { class: "tiles wide" });
    this.moved = h("ul", { class: "list" });
    this.workers = h("ul", { class: "list" });
    this.tetrisNote = h("span", { class: "note" });
    this.tritownNote = h("span", { class: "note" });
    fill(this.element,
      h("h1", { class: "sr" }, "Overview"),
      h("section", { class: "card", "aria-label": "The farm in figures" }, this.figures, this.note),
      h("section", { class: "card", "aria-labelledby": "tetris" }, h("h2", { id: "tetris" }, "Tetris, again", this.tetrisNote), this.tetris, this.legend),
      h("section", { class: "card", "aria-labelledby": "tritown" }, h("h2", { id: "tritown" }, "Triple Town", this.tritownNote), this.tritown),
      h("div", { class: "columns" },
        h("section", { class: "card", "aria-labelledby": "moved" }, h("h2", { id: "moved" }, "Moved in the last hour"), this.moved),
        h("section", { class: "card", "aria-labelledby": "workers" }, h("h2", { id: "workers" }, "Workers"), this.workers)));
  }

  async enter() {
    this.#farm.addEventListener("change", this.#update);
    this.#draw([]);
    const askWorkers = async () => this.#drawWorkers(await ask("workers"));
    this.#clock = setInterval(() => askWorkers().catch(() => {}), 5000);
    await askWorkers();
  }

  leave() {
    this.#farm.removeEventListener("change", this.#update);
    clearInterval(this.#clock);
  }

  #draw(improved) {
    const { figures, instances } = this.#farm;
    if (!figures) {
      fill(this.figures, h("div", {}, h("dt", {}, "Farm"), h("dd", {}, "…")));
      return;
    }
    for (const name of improved) this.#improved.set(name, Date.now());
    const all = [...instances.values()];
    const tetris = all.filter((info) => info.instance.startsWith("tetris/"));
    const tritown = all.filter((info) => !info.instance.startsWith("tetris/"));
    this.#drawFigures(figures, all, tetris, tritown);
    this.#drawTetris(tetris);
    this.#drawTritown(tritown);
    this.#drawMoved(all);
  }

  #drawFigures(farm, all, tetris, tritown) {
    const mean = average(tetris.filter((info) => info.best_score !== null).map((info) => info.best_score));
    const share = average(tritown.filter(hasShare).map((info) => info.best_score / info.bound));
    const withBest = all.filter((info) => info.best_score !== null).length;
    const proved = all.filter((info) => info.optimal).length;
    const figures = [
      ["With a best", whole(withBest), `of ${whole(all.length)}`],
      ["Tetris, mean", mean === null ? "–" : mean.toFixed(2), "removals"],
      ["Triple Town, mean", share === null ? "–" : `${(share * 100).toFixed(1)}%`, "of the bound"],
      ["Proved optimal", whole(proved), ""],
      ["Speed", `${short(farm.expansions_per_second)}/s`, "expansions"],
      ["Effort", short(farm.total_expansions), "expansions"],
      ["Workers", whole(farm.workers_connected), `${whole(farm.leases_out)} leases out`],
      ["Last improvement", farm.last_improvement ? period(age(farm.last_improvement)) : "–", farm.last_improvement ? "ago" : ""],
    ];
    if (this.figures.childElementCount !== figures.length) {
      fill(this.figures, figures.map(([name]) => h("div", {}, h("dt", {}, name), h("dd", {}, h("span"), " ", h("small")))));
    }
    figures.forEach(([, value, words], index) => {
      const [shown, small] = this.figures.children[index].querySelectorAll("span, small");
      text(shown, value);
      text(small, words);
    });
    const standIns = all.filter((info) => info.origin === "stand-in").length;
    const notes = [];
    if (farm.paused) notes.push("The whole farm is paused: cascade resume takes that back.");
    if (!farm.store.endsWith("accepts writes")) notes.push(`The store: ${farm.store}.`);
    if (standIns > 0) notes.push(`${standIns} Triple Town cases are stand-ins, not the official ones.`);
    text(this.note, notes.join(" "));
    this.note.hidden = notes.length === 0;
  }

  #drawTetris(tetris) {
    const scores = tetris.map((info) => info.best_score).filter((score) => score !== null);
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    const step = (score) => (high > low ? Math.min(STEPS - 1, Math.floor(((score - low) * STEPS) / (high - low + 1))) : 0);
    for (const info of tetris) {
      const tile = this.#tile(info, this.tetris, () => [h("span", { class: "name" }), h("span", { class: "score" }), h("span", { class: "mark" })]);
      const [, name] = split(info.instance);
      const classes = ["tile", info.best_score === null ? "none" : `step-${step(info.best_score)}`];
      this.#finish(tile, info, classes);
      text(tile.querySelector(".name"), name);
      text(tile.querySelector(".score"), info.best_score === null ? "–" : String(info.best_score));
      text(tile.querySelector(".mark"), info.optimal ? "✓" : "");
    }
    text(this.tetrisNote, tetris.length ? `${tetris.length} grids, removals; fewer are better` : "no grids");
    const levels = new Map();
    for (const score of [...new Set(scores)].sort((a, b) => a - b)) {
      const of = levels.get(step(score)) ?? [];
      levels.set(step(score), [...of, score]);
    }
    const items = [...levels].map(([index, of]) => {
      const range = of.length > 1 ? `${of[0]}–${of.at(-1)}` : `${of[0]}`;
      const count = scores.filter((score) => step(score) === index).length;
      return h("li", {}, h("i", { class: `step-${index}` }), `${range} removals: ${count}`);
    });
    fill(this.legend, items, h("li", {}, "● being searched"), h("li", {}, "✓ proved optimal"));
  }

  #drawTritown(tritown) {
    for (const info of tritown) {
      const tile = this.#tile(info, this.tritown, () => [
        h("span", { class: "row" }, h("span", { class: "name" }), h("span", { class: "quiet share" })),
        h("span", { class: "score" }), h("span", { class: "bar" }, h("span")),
      ]);
      const [, name] = split(info.instance);
      const share = hasShare(info) ? Math.max(0, info.best_score / info.bound) : 0;
      this.#finish(tile, info, ["tile"]);
      text(tile.querySelector(".name"), `case ${name}`);
      text(tile.querySelector(".score"), info.best_score === null ? "–" : whole(info.best_score));
      const marks = info.marks === null ? "" : `, ${info.marks}/10`;
      text(tile.querySelector(".share"), info.optimal ? `optimal${marks}` : `${(share * 100).toFixed(1)}%${marks}`);
      tile.querySelector(".bar").classList.toggle("full", info.optimal);
      tile.querySelector(".bar span").style.width = `${share * 100}%`;
    }
    text(this.tritownNote, "points; share of the proven bound");
  }

  #tile(info, list, make) {
    let tile = this.#tiles.get(info.instance);
    if (!tile) {
      tile = h("a", { href: pageOf(info.instance) }, make());
      this.#tiles.set(info.instance, tile);
      list.append(h("li", {}, tile));
    }
    return tile;
  }

  #finish(tile, info, classes) {
    const at = this.#improved.get(info.instance);
    if (at && Date.now() - at < FRESH * 1000) classes.push("fresh");
    if (info.leases_out > 0) classes.push("out");
    attribute(tile, "class", classes.join(" "));
    attribute(tile, "data-instance", info.instance);
    attribute(tile, "data-score", info.best_score ?? "");
    const score = info.best_score === null ? "no best yet" : `${whole(info.best_score)} ${unit(info.instance)}`;
    const parts = [info.instance, score, `bound ${whole(info.bound)}`];
    if (info.optimal) parts.push("proved optimal");
    if (info.leases_out > 0) parts.push("being searched");
    attribute(tile, "aria-label", parts.join(", "));
    attribute(tile, "title", [...parts, info.best_found_at ? `found ${ago(info.best_found_at)}` : ""].filter(Boolean).join("\n"));
  }

  #drawMoved(all) {
    const moved = all.filter((info) => info.best_found_at && age(info.best_found_at) < HOUR);
    moved.sort((a, b) => Date.parse(b.best_found_at) - Date.parse(a.best_found_at));
    const items = moved.slice(0, 12).map((info) => h("li", {},
      h("a", { href: pageOf(info.instance) }, info.instance), `${whole(info.best_score)} ${unit(info.instance)}`,
      h("time", { datetime: info.best_found_at }, ago(info.best_found_at))));
    const more = moved.length - items.length;
    fill(this.moved, items.length ? items : h("li", { class: "quiet" }, "Nothing."), more > 0 ? h("li", { class: "quiet" }, `and ${more} more`) : null);
  }

  #drawWorkers(workers) {
    const here = workers.filter((worker) => worker.state === "connected");
    const items = here.slice(0, 12).map((worker) => h("li", {},
      h("strong", {}, worker.name), `${worker.threads} threads`, worker.leases.join(", ") || "waiting",
      h("time", {}, worker.last_seen_seconds === null ? "" : `seen ${period(worker.last_seen_seconds)} ago`)));
    const more = here.length - items.length;
    fill(this.workers, items.length ? items : h("li", { class: "quiet" }, "No worker is connected."),
      more > 0 ? h("li", {}, h("a", { href: "/workers" }, `and ${more} more`)) : null);
  }
}

const hasShare = (info) => info.best_score !== null && info.bound > 0;

function average(values) {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
}
