// Loads the opening book when its board is first analysed, reports the progress, and caches it.
import { scoreWorker, reviewWorker, rulesWorker } from "./core-workers.js";

const CACHE_NAME = "connectk-book";
const BOOK_URL = new URL("../../book/7x6x4.book", import.meta.url);
const BOOK_VARIANT = "7x6x4";

/** @type {Promise<boolean> | null} */
let loading = null;

/** Loads the book and returns whether that worked. Workers read the book before their next long search; without it they are only slower.
 * @param {string} variant @param {(share: number) => void} progress */
export function loadBook(variant, progress = () => {}) {
  if (variant !== BOOK_VARIANT) return Promise.resolve(false);
  loading ??= sendToWorkers(progress).catch(() => {
    loading = null;
    return false;
  });
  return loading;
}

/** @param {(share: number) => void} progress */
async function sendToWorkers(progress) {
  const kept = await openCache();
  const found = await kept?.match(BOOK_URL);
  const bytes = new Uint8Array(found ? await found.arrayBuffer() : await fetchWithProgress(progress));
  for (const one of [scoreWorker, rulesWorker, reviewWorker]) one.sendToAll("book", [bytes]);
  if (!found) kept?.put(BOOK_URL, new Response(bytes)).catch(() => {});
  return true;
}

/** Opens the cache; private windows and plain HTTP may have no cache. */
const openCache = () => globalThis.caches?.open(CACHE_NAME).catch(() => null);

/** @param {(share: number) => void} progress @returns {Promise<ArrayBuffer>} */
async function fetchWithProgress(progress) {
  const answer = await fetch(BOOK_URL);
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
