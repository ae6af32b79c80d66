// Which view is shown: addresses are real ones, so that a link leads back to the same place.
import { fill, h, text } from "./dom.js";
import { Farm, SignInNeeded, ask } from "./farm.js";
import { EventsView } from "./views/events.js";
import { InstanceView } from "./views/instance.js";
import { OverviewView } from "./views/overview.js";
import { signInView } from "./views/sign-in.js";
import { WorkersView } from "./views/workers.js";

const main = document.getElementById("main");
const connection = document.getElementById("connection");
const farm = new Farm();
let view = null;

const routes = [
  [/^\/$/, () => new OverviewView(farm)],
  [/^\/workers$/, () => new WorkersView()],
  [/^\/events$/, () => new EventsView(new URLSearchParams(location.search).get("instance") ?? "")],
  [/^\/instances\/([^/]+)\/([^/]+)$/, (game, name) => new InstanceView(farm, decodeURIComponent(game), decodeURIComponent(name))],
];

async function show() {
  view?.leave();
  view = null;
  for (const link of document.querySelectorAll(".top nav a")) {
    if (link.getAttribute("href") === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const [make, ...parts] = match(location.pathname);
  const shown = make(...parts);
  view = shown;
  document.title = `${shown.title} – Cascade`;
  fill(main, shown.element);
  try {
    await shown.enter();
  } catch (error) {
    if (view !== shown) return;
    if (error instanceof SignInNeeded) askForToken();
    else fill(main, h("section", { class: "card" }, h("h1", {}, shown.title), h("p", { class: "bad", role: "alert" }, error.message)));
  }
}

function match(path) {
  for (const [pattern, make] of routes) {
    const found = pattern.exec(path);
    if (found) return [make, ...found.slice(1)];
  }
  return routes[0].slice(1);
}

function askForToken() {
  view?.leave();
  view = null;
  fill(main, signInView(() => { farm.follow(); show(); }));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.origin !== location.origin || link.hasAttribute("download")) return;
  const path = link.pathname;
  if (path.startsWith("/api/") || path.startsWith("/metrics") || link.hash) return;
  event.preventDefault();
  if (link.href !== location.href) history.pushState(null, "", link.href);
  show();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});
addEventListener("popstate", show);

farm.addEventListener("connection", () => {
  connection.className = `connection ${farm.connection}`;
  text(connection, { live: "live", lost: "no connection, trying again", connecting: "connecting" }[farm.connection]);
});
farm.addEventListener("change", () => text(document.getElementById("software"), farm.figures.software));

// Whether a token is wanted is found out before the stream is opened: a stream cannot tell why it was refused.
ask("status").then(() => { farm.follow(); show(); }, (error) => {
  if (error instanceof SignInNeeded) askForToken();
  else { farm.follow(); show(); }
});
