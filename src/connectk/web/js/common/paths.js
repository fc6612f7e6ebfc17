// Addresses inside the page. A whole game fits into one: /game/7x6x4/4453, then the discs it started from, then a try beside
// it: /game/7x6x4/4453/-/2.35 tries columns 3 and 5 after two moves.
/** @import { Written } from "../shapes.js" */

/** @param {Written} game */
export function gamePath({ variant, moves, start = "", tries = null }) {
  const tail = [...(start || tries ? [start || "-"] : []), ...(tries ? [`${tries.from}.${tries.moves}`] : [])];
  return ["/game", variant, moves || "-", ...tail.map(encodeURIComponent)].join("/");
}

/** @param {string[]} path @returns {Written} */
export function parseGamePath([variant = "7x6x4", moves = "-", start = "-", tries = ""]) {
  const found = /^(\d+)\.([\d,]+)$/.exec(tries);
  /** @param {string} text */
  const none = (text) => (text === "-" ? "" : text);
  return {
    variant,
    moves: none(moves),
    start: none(start),
    tries: found ? { from: Number(found[1]), moves: found[2] } : null,
  };
}

/** @param {string} path */
export function link(path) {
  return `${location.origin}${location.pathname}#${path}`;
}
