// The opening book: fetched when analysis is first wanted on its board, with its progress told, and then kept for good.
import { analyst, reviewer, rules } from "./crew.js";

const KEPT = "connectk-book";
const ADDRESS = new URL("../../book/7x6x4.book", import.meta.url);
const BOARD = "7x6x4";
const EMPTY = { variant: { width: 7, height: 6, run: 4 }, discs: [], moves: [] };
const WARM_MS = 100;

/** @type {Promise<boolean> | null} */
let coming = null;

/** Whether the core has the book by now; without one it works as well, only slower.
 * @param {string} variant @param {(share: number) => void} progress */
export function wantBook(variant, progress = () => {}) {
  if (variant !== BOARD) return Promise.resolve(false);
  coming ??= bring(progress).catch(() => {
    coming = null;
    return false;
  });
  return coming;
}

/** @param {(share: number) => void} progress */
async function bring(progress) {
  const kept = await open();
  const found = await kept?.match(ADDRESS);
  const bytes = new Uint8Array(found ? await found.arrayBuffer() : await fetched(progress));
  if (!found) await kept?.put(ADDRESS, new Response(bytes));
  await Promise.all([analyst, rules, reviewer].map((one) => one.tell("book", [bytes])));
  await analyst.ask("scores", [EMPTY, WARM_MS]); // makes its table, which the first hint would wait for
  return true;
}

/** Private windows and plain addresses may have nowhere to keep it. */
const open = () => globalThis.caches?.open(KEPT).catch(() => null);

/** @param {(share: number) => void} progress @returns {Promise<ArrayBuffer>} */
async function fetched(progress) {
  const answer = await fetch(ADDRESS);
  if (!answer.ok || !answer.body) throw new TypeError("no book");
  const all = Number(answer.headers.get("content-length") ?? 0);
  let size = 0;
  const counting = new TransformStream({
    transform(part, on) {
      size += part.length;
      if (all) progress(Math.min(1, size / all));
      on.enqueue(part);
    },
  });
  const bytes = await new Response(answer.body.pipeThrough(counting)).arrayBuffer();
  progress(1);
  return bytes;
}
