// Sends requests of several kinds. A new request aborts the last one of the same kind.
import { errorMessage } from "./api.js";

export class CancellableRequests {
  /** @type {Map<string, AbortController>} */
  #pending = new Map();

  /** @param {(message: string) => void} onError */
  constructor(onError) {
    this.onError = onError;
  }

  /** Runs a request and returns its answer; null if the request was aborted or failed.
   * @template T @param {string} kind @param {(signal: AbortSignal) => Promise<T>} question @returns {Promise<T | null>} */
  async run(kind, question) {
    this.abort(kind);
    const stop = new AbortController();
    this.#pending.set(kind, stop);
    try {
      return await question(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) this.onError(errorMessage(error));
      return null;
    }
  }

  /** @param {string} kind */
  abort(kind) {
    this.#pending.get(kind)?.abort();
  }

  abortAll() {
    for (const stop of this.#pending.values()) stop.abort();
  }
}
