// Questions to the server: each kind has one answer under way, and a newer question cancels the older.
import { wordsOf } from "./api.js";

export class Questions {
  /** @type {Map<string, AbortController>} */
  #asked = new Map();

  /** @param {(words: string) => void} tell what went wrong */
  constructor(tell) {
    this.tell = tell;
  }

  /** The answer; null where there is none any more.
   * @template T @param {string} kind @param {(signal: AbortSignal) => Promise<T>} question @returns {Promise<T | null>} */
  async ask(kind, question) {
    this.abort(kind);
    const stop = new AbortController();
    this.#asked.set(kind, stop);
    try {
      return await question(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) this.tell(wordsOf(error));
      return null;
    }
  }

  /** @param {string} kind */
  abort(kind) {
    this.#asked.get(kind)?.abort();
  }

  close() {
    for (const stop of this.#asked.values()) stop.abort();
  }
}
