// Who searches.
import { fill, h, table } from "../dom.js";
import { ask } from "../farm.js";
import { pageOf, period, short, whole } from "../figures.js";
import { PolledView } from "./polled.js";

export class WorkersView extends PolledView {
  title = "Workers";
  element = h("section", { class: "card" });

  async draw() {
    const workers = await ask("workers");
    const columns = [["Worker"], ["State"], ["Threads", true], ["Speed"], ["Finished", true], ["Failed", true], ["Refused", true], ["Expansions", true], ["Seen"], ["Searches"], ["Software"]];
    const rows = workers.map((worker) => [
      worker.name,
      h("span", { class: worker.state === "connected" ? "good" : "warn" }, worker.reason ? `${worker.state}: ${worker.reason}` : worker.state),
      whole(worker.threads),
      Object.entries(worker.speed).map(([game, speed]) => `${game} ${short(speed)}/s`).join(", "),
      whole(worker.finished), whole(worker.failed), whole(worker.refused), short(worker.expansions),
      worker.last_seen_seconds === null ? "–" : `${period(worker.last_seen_seconds)} ago`,
      h("span", {}, worker.leases.flatMap((name, index) => [index ? ", " : "", h("a", { href: pageOf(name) }, name)])),
      worker.software,
    ]);
    fill(this.element, h("h1", {}, "Workers"),
      rows.length ? table("Workers", columns, rows) : h("p", { class: "quiet" }, "No worker has ever signed on. Start one: cascade-worker --coordinator HOST:PORT"));
  }
}
