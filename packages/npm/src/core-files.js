// Where the package keeps the core, in place of the page's js/core/core-files.js: inside scripts, so that no file has to be
// found again after a bundler has moved everything.
import { Thread } from "./threads.js";

/** Browsers say whether a page may share memory; elsewhere it always may. */
export const canShareMemory = Boolean(
  globalThis.crossOriginIsolated ?? (typeof document === "undefined" && typeof SharedArrayBuffer === "function"),
);

export async function fetchModule() {
  return WebAssembly.compile(await unpack((await import("made/core.js")).default));
}

/** The bytes in a text that tools/make_npm.py has written: base64 of a gzip file. @param {string} text */
export async function unpack(text) {
  const packed = new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
  return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

/** @returns {Worker} */
export const startWorker = () => /** @type {any} */ (new Thread("worker"));

/** @returns {Worker} */
export const startHelper = () => /** @type {any} */ (new Thread("helper"));
