// How good a drop was: best, slip or blunder, and the mark that accuracy is the mean of. As connectk.review has it; a test
// holds the two to the same labels.
import { BEST_MARK, CLEAR, HALF_MARK, NOTABLE, SLIP_MARK, WHOLE_MARK } from "../common/constants.js";

/** @typedef {{ scores: Map<number, number>, exact: boolean, proven: Map<number, number> }} Judged */

/** @param {Judged} judged @param {number} column */
export const valueOf = (judged, column) => judged.scores.get(column) ?? 0;
/** @param {Judged} judged */
export const bestOf = (judged) => Math.max(...judged.scores.values());
/** @param {Judged} judged */
export const bestColumns = (judged) =>
  [...judged.scores].filter(([, score]) => score === bestOf(judged)).map(([column]) => column);

/** @param {Judged} judged @param {number} column @returns {"best" | "slip" | "blunder"} */
export function labelOf(judged, column) {
  if (isBlunder(judged, column)) return "blunder";
  return isSlip(judged, column) ? "slip" : "best";
}

/** A win thrown to a draw or a loss, or a draw to a loss. @param {Judged} judged @param {number} column */
function isBlunder(judged, column) {
  const [best, score] = [bestOf(judged), valueOf(judged, column)];
  return judged.exact ? Math.sign(score) < Math.sign(best) : best - score >= CLEAR;
}

/** The same result, but a slower win or a faster loss. @param {Judged} judged @param {number} column */
function isSlip(judged, column) {
  return bestOf(judged) - valueOf(judged, column) > (judged.exact ? 0 : NOTABLE) && !isBlunder(judged, column);
}

/** What accuracy is the mean of; null where every column was as good. @param {Judged} judged @param {number} column */
export function markOf(judged, column) {
  if (new Set(judged.scores.values()).size < 2) return null;
  if (isBlunder(judged, column)) return bestOf(judged) > 0 && valueOf(judged, column) < 0 ? WHOLE_MARK : HALF_MARK;
  return isSlip(judged, column) ? SLIP_MARK : BEST_MARK;
}
