// The farm as the coordinator tells it: asked once, or followed live.

/** The token is absent or wrong. */
export class SignInNeeded extends Error {}

/** The JSON at `path` under /api/v1. */
export async function ask(path) {
  const response = await answered(path);
  return response.json();
}

/** The text at `path` under /api/v1. */
export async function askText(path) {
  const response = await answered(path);
  return response.text();
}

async function answered(path) {
  const response = await fetch(`/api/v1/${path}`);
  if (response.status === 401) throw new SignInNeeded();
  if (!response.ok) {
    const failure = await response.json().catch(() => null);
    throw new Error(failure?.message ?? `the coordinator answers ${response.status}`);
  }
  return response;
}

/** Takes the token into a cookie; the coordinator's words where it is not the one. */
export async function signIn(token) {
  const headers = { "content-type": "application/json" };
  const response = await fetch("/api/v1/session", { method: "POST", headers, body: JSON.stringify({ token }) });
  if (response.ok) return null;
  const failure = await response.json().catch(() => null);
  return failure?.message ?? `the coordinator answers ${response.status}`;
}

/** The live farm: `figures`, and instances by name in the coordinator's order. Sends `change` and `connection`. */
export class Farm extends EventTarget {
  figures = null;
  instances = new Map();
  connection = "connecting";
  #source = null;

  /** Follows the farm from now on; comes back by itself after a lost connection. */
  follow() {
    this.#source?.close();
    this.#source = new EventSource("/api/v1/live");
    this.#source.addEventListener("changes", (message) => {
      const { farm, instances } = JSON.parse(message.data);
      const changed = [];
      for (const info of instances) {
        const before = this.instances.get(info.instance);
        if (before && before.best_score !== info.best_score) changed.push(info.instance);
        this.instances.set(info.instance, info);
      }
      this.figures = farm;
      this.#connected("live");
      this.dispatchEvent(new CustomEvent("change", { detail: { improved: changed } }));
    });
    this.#source.addEventListener("error", () => {
      this.#connected("lost");
      // A refusal ends the stream for good; a lost connection is taken up again by the browser.
      if (this.#source.readyState === EventSource.CLOSED) setTimeout(() => this.follow(), 3000);
    });
  }

  #connected(connection) {
    if (this.connection === connection) return;
    this.connection = connection;
    this.dispatchEvent(new Event("connection"));
  }
}
