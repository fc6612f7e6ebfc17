// Loads the puzzles that come with connectk: one per line of a text file (src/connectk/puzzles/files.py).
import {
  BASE_PUZZLE_RATING,
  RATING_PER_DEPTH,
  RATING_PER_LEVEL,
  DIFFICULTY_RATINGS,
  PUZZLE_STRIDE,
} from "../common/constants.js";

/** @typedef {{ key: string, variant: string, start: string, answer: number, aim: string, theme: string, rating: number, difficulty: number, others?: number[], label?: string }} Puzzle `label` and `others`, answers that are as good, are for mistakes in one's own games */

/** @param {string} variant @returns {Promise<Puzzle[]>} */
export async function loadPuzzles(variant) {
  const answer = await fetch(new URL(`../../puzzles/${variant}.txt`, import.meta.url));
  if (!answer.ok) throw new TypeError(`no puzzles for ${variant}`);
  return parsePuzzles(await answer.text(), variant);
}

/** @param {string} text of a file @param {string} variant */
export function parsePuzzles(text, variant) {
  const [, ...lines] = text.trim().split("\n");
  return lines.map((line) => parsePuzzle(line, variant));
}

/** @param {string} line @param {string} variant @returns {Puzzle} */
function parsePuzzle(line, variant) {
  const [start, column, aim, theme, levels, depth] = line.split(" ");
  const rating = BASE_PUZZLE_RATING + RATING_PER_LEVEL * Number(levels) + RATING_PER_DEPTH * Number(depth);
  const difficulty = 1 + DIFFICULTY_RATINGS.filter((step) => rating >= step).length;
  return { key: `${variant}:${start}`, variant, start, answer: Number(column) - 1, aim, theme, rating, difficulty };
}

/** The puzzle of a day, the same for everyone. @param {Puzzle[]} puzzles @param {string} day as 2026-11-16 */
export function puzzleOfDay(puzzles, day) {
  return puzzles[((Date.parse(day) / 86_400_000) * PUZZLE_STRIDE) % puzzles.length];
}

/** The local day, such as 2026-11-16. @param {Date} when */
export const dayOf = (when) =>
  `${when.getFullYear()}-${String(when.getMonth() + 1).padStart(2, "0")}-${String(when.getDate()).padStart(2, "0")}`;
