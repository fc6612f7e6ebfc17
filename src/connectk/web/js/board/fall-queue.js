// Animates falling discs one after the other.
import { fadeIn, animateFall, prefersReducedMotion } from "./drawing.js";

/** @typedef {{ key: string, start: () => Element, x: number, from: number, to: number }} FallingDisc */

export class FallQueue {
  /** @type {FallingDisc[]} */
  #queue = [];
  /** @type {{ key: string, animation: Animation } | null} */
  #current = null;

  /** @param {{ landed: (key: string) => void, settled: () => void }} listener */
  constructor(listener) {
    this.listener = listener;
    // A hidden tab draws no frames, so no animation would ever finish there.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.finishAll();
    });
  }

  get busy() {
    return this.#current !== null || this.#queue.length > 0;
  }

  /** @param {FallingDisc} disc */
  add(disc) {
    this.#queue.push(disc);
    if (!this.#current) this.#startNext();
  }

  /** Removes a disc that was taken back before it landed.
   * @param {string} key */
  remove(key) {
    this.#queue = this.#queue.filter((disc) => disc.key !== key);
    if (this.#current?.key === key) this.#landCurrent();
  }

  /** Skips all animations. */
  finishAll() {
    const waiting = this.#queue.splice(0);
    for (const disc of waiting) disc.start();
    if (this.#current) this.#landCurrent();
    else if (waiting.length) this.listener.settled();
  }

  /** @returns {void} */
  #startNext() {
    const disc = this.#queue.shift();
    if (!disc) return this.listener.settled();
    const element = disc.start();
    if (document.hidden) return this.#startNext();
    const animation = prefersReducedMotion() ? fadeIn(element) : animateFall(element, disc.x, disc.from, disc.to);
    this.#current = { key: disc.key, animation };
    animation.addEventListener("finish", () => {
      if (this.#current?.animation === animation) this.#landCurrent();
    });
    return undefined;
  }

  #landCurrent() {
    if (!this.#current) return;
    const { key, animation } = this.#current;
    this.#current = null;
    animation.cancel();
    this.listener.landed(key);
    this.#startNext();
  }
}
