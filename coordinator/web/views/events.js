// What happened.
import { fill, h, table } from "../dom.js";
import { ask } from "../farm.js";
import { pageOf } from "../figures.js";
import { PolledView } from "./polled.js";

export class EventsView extends PolledView {
  title = "Events";
  element = h("section", { class: "card" });
  #instance;

  constructor(instance) {
    super();
    this.#instance = instance;
  }

  async draw() {
    const only = this.#instance ? `&instance=${encodeURIComponent(this.#instance)}` : "";
    const events = await ask(`events?limit=200${only}`);
    const tone = { info: null, warning: "warn", error: "bad" };
    const rows = events.reverse().map((event) => [
      h("time", { datetime: event.at }, new Date(event.at).toLocaleString()),
      h("span", { class: tone[event.severity] }, event.severity), event.kind,
      event.instance ? h("a", { href: pageOf(event.instance) }, event.instance) : "", event.worker ?? "", event.detail,
    ]);
    const title = this.#instance ? `Events of ${this.#instance}` : "Events";
    fill(this.element, h("h1", {}, title), h("p", { class: "quiet" }, "Newest first."),
      rows.length ? table(title, [["Time"], ["Severity"], ["Kind"], ["Instance"], ["Worker"], ["Detail"]], rows) : h("p", {}, "Nothing yet."));
  }
}
