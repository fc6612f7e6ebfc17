// The notation of a board that is set up before the first move, as in connectk.notation.start: 4xo.5x. Columns are counted
// from 1, and the discs of a column from the bottom up. In the editor, - is an empty cell below a disc.
import { shortened, invalidInput } from "../texts/refusals.js";

/** @import { Disc, Side } from "../page-types.js" */

export const DISC_LETTERS = "xo";
/** @type {Side[]} */
export const SIDES = ["first", "second"];

/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "first" ? "second" : "first");

/** Reads column, row and side of each disc, in the form that the core takes. @param {string} text @returns {number[][]} */
export function parseStart(text) {
  /** @type {Set<number>} */
  const seen = new Set();
  return (text ? text.split(".") : []).flatMap((part) => {
    const found = /^(\d+)([xo-]+)$/.exec(part);
    if (!found) throw invalidInput("notation.start_column", { word: shortened(part) });
    const at = Number(found[1]) - 1;
    if (seen.has(at)) throw invalidInput("notation.twice", { column: at + 1 });
    seen.add(at);
    return [...found[2]].flatMap((letter, row) => (letter === "-" ? [] : [[at, row, DISC_LETTERS.indexOf(letter)]]));
  });
}

/** Reads the discs in the form that the board component takes. @param {string} text @returns {Disc[]} */
export const startDiscs = (text) => parseStart(text).map(([column, row, side]) => ({ column, row, side: SIDES[side] }));

/** @param {string[]} board each column from the bottom up */
export const writeStart = (board) => board.flatMap((discs, at) => (discs ? [`${at + 1}${discs}`] : [])).join(".");

/** Writes a board with discs that may float, in the notation of `writeStart`. @param {Disc[]} discs */
export function writeDiscs(discs) {
  /** @type {string[][]} */
  const columns = [];
  for (const { column, row, side } of discs) (columns[column] ??= [])[row] = DISC_LETTERS[SIDES.indexOf(side)];
  return writeStart(Array.from(columns, (cells = []) => Array.from(cells, (letter = "-") => letter).join("")));
}
