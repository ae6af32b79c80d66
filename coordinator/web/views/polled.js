// A view that asks again and again while it is shown.

const EVERY = 3000;

/** Draws at once and every three seconds; who extends it has a `title`, an `element` and an async `draw()`. */
export class PolledView {
  #clock = null;

  async enter() {
    // Before the first answer: a view may be left while it is waited for.
    this.#clock = setInterval(() => this.draw().catch(() => {}), EVERY);
    await this.draw();
  }

  leave() {
    clearInterval(this.#clock);
  }
}
