// Discs fall one after the other: the next one starts when the last one lies.
import { fadeIn, fall, stillness } from "./drawing.js";

/** @typedef {{ key: string, start: () => Element, x: number, from: number, to: number }} Falling */

export class Falls {
  /** @type {Falling[]} */
  #waiting = [];
  /** @type {{ key: string, animation: Animation } | null} */
  #now = null;

  /** @param {{ landed: (key: string) => void, settled: () => void }} listener */
  constructor(listener) {
    this.listener = listener;
    // A hidden tab draws no frames, so nothing would ever land there.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.finish();
    });
  }

  get busy() {
    return this.#now !== null || this.#waiting.length > 0;
  }

  /** @param {Falling} disc */
  add(disc) {
    this.#waiting.push(disc);
    if (!this.#now) this.#next();
  }

  /** Forget a disc that was taken back while it fell, or before it did.
   * @param {string} key */
  remove(key) {
    this.#waiting = this.#waiting.filter((disc) => disc.key !== key);
    if (this.#now?.key === key) this.#land();
  }

  // Everything lies where it belongs, at once.
  finish() {
    const waiting = this.#waiting.splice(0);
    for (const disc of waiting) disc.start();
    if (this.#now) this.#land();
    else if (waiting.length) this.listener.settled();
  }

  /** @returns {void} */
  #next() {
    const disc = this.#waiting.shift();
    if (!disc) return this.listener.settled();
    const element = disc.start();
    if (document.hidden) return this.#next();
    const animation = stillness() ? fadeIn(element) : fall(element, disc.x, disc.from, disc.to);
    this.#now = { key: disc.key, animation };
    animation.addEventListener("finish", () => {
      if (this.#now?.animation === animation) this.#land();
    });
    return undefined;
  }

  #land() {
    if (!this.#now) return;
    const { key, animation } = this.#now;
    this.#now = null;
    animation.cancel();
    this.listener.landed(key);
    this.#next();
  }
}
