// One instance: its best as figures and as a replay, how it came to be, and how it is searched.
import { fill, h, table, text } from "../dom.js";
import { ask, askText } from "../farm.js";
import { ago, pageOf, short, unit, whole } from "../figures.js";
import { Player } from "../player.js";

export class InstanceView {
  element = h("div", { class: "view" });
  #farm;
  #path;
  #over = "time";
  #shown = null;
  #player = null;
  #clock = null;
  #update = () => this.#live();

  constructor(farm, game, name) {
    this.#farm = farm;
    this.title = `${game}/${name}`;
    this.#path = pageOf(this.title).slice(1);
    this.head = h("div", { class: "head" });
    this.figures = h("dl", { class: "figures" });
    this.summary = h("p", { class: "quiet" });
    this.replay = h("section", { class: "card", "aria-labelledby": "replay" }, h("h2", { id: "replay" }, "The best play"));
    this.player = h("div", { id: "player" });
    this.plot = h("div", { class: "plot" });
    this.axes = h("div", { class: "actions", role: "group", "aria-label": "What the plot runs over" });
    this.history = h("div");
    this.sequence = h("section", { class: "card", "aria-labelledby": "sequence" });
    this.frontier = h("section", { class: "card", "aria-labelledby": "frontier" });
    fill(this.element,
      h("section", { class: "card" }, this.head, this.figures, this.summary),
      h("div", { class: "columns" }, this.replay,
        h("div", { class: "view" },
          h("section", { class: "card", "aria-labelledby": "history" }, h("h2", { id: "history" }, "How it came to be"), this.axes, this.plot, this.history),
          this.sequence)),
      this.frontier);
    this.replay.append(this.player);
  }

  async enter() {
    this.#farm.addEventListener("change", this.#update);
    this.#clock = setInterval(() => this.#draw().catch(() => {}), 5000);
    await this.#draw();
  }

  leave() {
    this.#player?.destroy();
    this.#farm.removeEventListener("change", this.#update);
    clearInterval(this.#clock);
  }

  /** A new best shows at once. */
  #live() {
    const info = this.#farm.instances.get(this.title);
    if (info && this.#shown && info.best_found_at !== this.#shown) this.#draw().catch(() => {});
  }

  async #draw() {
    const info = await ask(this.#path);
    this.#drawFigures(info);
    this.#drawFrontier(info);
    if (info.best_found_at && info.best_found_at !== this.#shown) {
      this.#shown = info.best_found_at;
      await Promise.all([this.#drawBest(info), this.#drawPlot(info)]);
    } else if (!info.best_found_at) {
      fill(this.player, h("p", { class: "quiet" }, "There is no best yet."));
    }
  }

  #drawFigures(info) {
    const badge = info.optimal ? h("span", { class: "badge good" }, "proved optimal") : null;
    const paused = info.paused ? h("span", { class: "badge warn" }, "paused") : null;
    fill(this.head, h("h1", {}, this.title), badge, paused, info.origin === "stand-in" ? h("span", { class: "badge warn" }, "stand-in, not the official case") : null);
    const last = info.history.at(-1);
    const share = info.best_score !== null && info.bound > 0 && !this.title.startsWith("tetris/") ? `${((info.best_score / info.bound) * 100).toFixed(1)}% of it` : info.bound_name;
    const figures = [
      ["Best", info.best_score === null ? "–" : whole(info.best_score), unit(this.title)],
      ["Proven bound", whole(info.bound), share],
      info.marks === null ? null : ["Mark", String(info.marks), "of 10"],
      ["Found", info.best_found_at ? ago(info.best_found_at) : "–", last ? `by ${last.worker}` : ""],
      ["Effort", short(info.expansions), "expansions"],
      ["Leases out", whole(info.leases_out), ""],
      ["Priority", whole(info.priority), ""],
    ].filter(Boolean);
    fill(this.figures, figures.map(([name, value, words]) => h("div", {}, h("dt", {}, name), h("dd", {}, value, " ", h("small", {}, words)))));
    text(this.summary, info.summary);
  }

  async #drawBest(info) {
    const [best, replay] = await Promise.all([ask(`${this.#path}/best`), ask(`${this.#path}/replay`)]);
    this.#player?.destroy();
    this.#player = new Player(this.player, replay);
    const command = best.strategy === "import"
      ? `cascade best ${this.title} > best.${this.title.startsWith("tetris/") ? "txt" : "out"} && cascade check ${this.title} best.${this.title.startsWith("tetris/") ? "txt" : "out"}`
      : `cascade reproduce ${this.title}`;
    const plan = best.strategy === "import" ? "Imported." : `Found by ${best.strategy}, width ${whole(best.width)}, seed ${best.seed}.`;
    fill(this.sequence, h("h2", { id: "sequence" }, "The sequence"), h("p", {}, plan),
      h("p", { class: "actions" },
        h("a", { class: "button", id: "download", href: `/api/v1/${this.#path}/sequence`, download: "" }, "Download"),
        h("a", { href: `/api/v1/${this.#path}/best` }, "as JSON"), h("a", { href: `/api/v1/${this.#path}/content` }, "the instance")),
      h("details", {}, h("summary", {}, `${whole(best.sequence.length)} lines`), h("pre", { tabindex: "0" }, best.sequence.join("\n"))),
      h("p", {}, "Check it yourself: ", h("code", {}, command)));
    text(this.summary, info.summary);
  }

  async #drawPlot(info) {
    const choose = (over) => h("button", {
      type: "button", "aria-pressed": String(this.#over === over),
      onclick: () => { this.#over = over; this.#drawPlot(info).catch(() => {}); },
    }, over === "time" ? "over time" : "over effort");
    fill(this.axes, choose("time"), choose("effort"));
    const svg = await askText(`${this.#path}/history.svg?over=${this.#over}`);
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", `Best over ${this.#over}: ${info.history.map((entry) => entry.score).join(", ")}; the proven bound is ${info.bound}`);
    if (!drawn.hasAttribute("viewBox")) drawn.setAttribute("viewBox", `0 0 ${drawn.getAttribute("width")} ${drawn.getAttribute("height")}`);
    fill(this.plot, drawn);
    const rows = info.history.toReversed().map((entry) => [
      new Date(entry.found_at).toLocaleString(), whole(entry.score), entry.worker,
      entry.strategy === "unknown" ? "imported" : `${entry.strategy} ${entry.width}`, short(entry.total_expansions)]);
    fill(this.history, h("details", {}, h("summary", {}, `${whole(rows.length)} improvements`),
      table("Improvements, newest first", [["Time"], ["Score", true], ["Worker"], ["Search"], ["Effort", true]], rows)));
  }

  #drawFrontier(info) {
    const score = (value) => (value === null ? "–" : whole(value));
    const arms = info.arms.map((arm) => [arm.name, whole(arm.finished), whole(arm.out), short(arm.expansions), score(arm.best), arm.value.toFixed(4)]);
    const states = info.states.map((state) => [state.kind, whole(state.depth), whole(state.out), short(state.expansions), score(state.best), state.value.toFixed(4)]);
    fill(this.frontier, h("h2", { id: "frontier" }, "How it is searched"),
      arms.length ? table("Ways to search it", [["Search"], ["Leases finished", true], ["Out", true], ["Expansions", true], ["Best", true], ["Value", true]], arms) : h("p", { class: "quiet" }, "Not searched yet."),
      states.length ? h("details", {}, h("summary", {}, `${whole(states.length)} of ${whole(info.states_total)} partial states`),
        table("Partial states", [["Kind"], ["Moves made", true], ["Out", true], ["Expansions", true], ["Best", true], ["Value", true]], states)) : null,
      info.endings.length ? h("details", {}, h("summary", {}, "How the last leases ended"), h("ul", {}, info.endings.map((ending) => h("li", {}, ending)))) : null,
      h("p", {}, h("a", { href: `/events?instance=${encodeURIComponent(this.title)}` }, "Events of this instance")));
  }
}
