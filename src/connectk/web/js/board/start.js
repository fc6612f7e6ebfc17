// A board set up before the first move, as connectk.notation.start has it: 4xo.5x, columns from 1, each from the bottom up.
// While it is edited, - is an empty cell below a disc.
import { quoted, wrong } from "../texts/refused.js";

/** @import { Disc, Side } from "../shapes.js" */

const LETTERS = "xo";
/** @type {Side[]} */
const SIDES = ["first", "second"];

/** Column, row and side of each disc, as the core is asked. @param {string} text @returns {number[][]} */
export function parseStart(text) {
  /** @type {Set<number>} */
  const seen = new Set();
  return (text ? text.split(".") : []).flatMap((part) => {
    const found = /^(\d+)([xo-]+)$/.exec(part);
    if (!found) throw wrong("notation.start_column", { word: quoted(part) });
    const at = Number(found[1]) - 1;
    if (seen.has(at)) throw wrong("notation.twice", { column: at + 1 });
    seen.add(at);
    return [...found[2]].flatMap((letter, row) => (letter === "-" ? [] : [[at, row, LETTERS.indexOf(letter)]]));
  });
}

/** The same discs as a board shows them. @param {string} text @returns {Disc[]} */
export const startDiscs = (text) => parseStart(text).map(([column, row, side]) => ({ column, row, side: SIDES[side] }));

/** @param {string[]} board each column from the bottom up */
export const writeStart = (board) => board.flatMap((discs, at) => (discs ? [`${at + 1}${discs}`] : [])).join(".");

/** Discs that may float. @param {Disc[]} discs */
export function writeDiscs(discs) {
  /** @type {string[][]} */
  const columns = [];
  for (const { column, row, side } of discs) (columns[column] ??= [])[row] = LETTERS[SIDES.indexOf(side)];
  return writeStart(Array.from(columns, (cells = []) => Array.from(cells, (letter = "-") => letter).join("")));
}
