// Who runs the core: the rules answer at once on the thread that asks, searches have threads of their own.
import { CoreWorker } from "page/core/core-workers.js";
import { unpack } from "./core-files.js";
import { startHere } from "./threads.js";

export const rules = new CoreWorker("analysis", startHere);
export const scores = new CoreWorker("analysis");
export const reviews = new CoreWorker("analysis");

const BOOK_VARIANT = "7x6x4";
const BOOK_START = "connectk book 1\n"; // the first bytes of a book of this version

/** @type {Promise<void> | null} */
let openings = null;

/** Gives the threads the openings that are in the package. @param {string} variant */
export function loadOpenings(variant) {
  if (variant !== BOOK_VARIANT) return Promise.resolve();
  openings ??= import("made/book.js").then(async ({ default: text }) => send(await unpack(text)));
  return openings;
}

/** Gives the threads a larger book. @param {Uint8Array} bytes */
export function useBook(bytes) {
  if (new TextDecoder().decode(bytes.subarray(0, BOOK_START.length)) !== BOOK_START)
    throw new TypeError("not an opening book of this version of connectk");
  openings = Promise.resolve();
  send(bytes);
}

/** @param {Uint8Array} bytes */
function send(bytes) {
  for (const one of [scores, reviews]) one.sendToAll("book", [bytes]);
}
