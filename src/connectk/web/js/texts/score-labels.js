// The labels of scores under the columns. A score is for the side to move: 0 is a draw, and a sooner win scores more.
import { language, t } from "./texts.js";

// For each column: a word, a number, a short form for narrow columns, and a kind for the style.
/** @import { ScoresAnswer } from "../types.js"
 *  @import { ColumnLabel } from "../page-types.js" */

/** @param {ScoresAnswer} analysis @returns {(ColumnLabel | null)[]} */
export function columnLabels(analysis) {
  const best = bestColumns(analysis);
  return analysis.bounds.map((bounds, column) => {
    if (!bounds) return null;
    if (analysis.exact)
      return exactLabel(analysis.scores?.[column] ?? 0, analysis.discs?.[column] ?? null, best.includes(column));
    return boundedLabel(bounds, analysis.estimates?.[column] ?? null, best.includes(column));
  });
}

/** @param {number} score @param {number | null} count @param {boolean} best @returns {ColumnLabel} */
function exactLabel(score, count, best) {
  if (score === 0) return { word: t("worth.draw"), number: "", short: "=", kind: "draw", best };
  const number = t("worth.in", { count });
  return score > 0
    ? { word: t("worth.wins"), number, short: `▲${count}`, kind: "win", best }
    : { word: t("worth.loses"), number, short: `▼${count}`, kind: "loss", best };
}

// The label of a column without an exact score: what the bounds say, or else the engine's estimate from -100 to 100 in italics.
/** @param {[number, number]} bounds @param {number | null} estimate @param {boolean} best @returns {ColumnLabel} */
function boundedLabel([low, high], estimate, best) {
  if (low > 0) return { word: t("worth.wins"), number: "", short: "▲", kind: "win", best };
  if (high < 0) return { word: t("worth.loses"), number: "", short: "▼", kind: "loss", best };
  if (estimate === null) return { word: "?", number: "", short: "?", kind: "unknown", best };
  const words = new Intl.NumberFormat(language, { signDisplay: "exceptZero" }).format(Math.round(100 * estimate));
  return { word: t("worth.about_short"), number: words, short: words, kind: "guess", best };
}

/** The columns to recommend: all columns that are proved best, or else the column with the best estimate.
 * @param {ScoresAnswer} analysis @returns {number[]} */
export function bestColumns(analysis) {
  const values = (analysis.exact ? analysis.scores : analysis.estimates) ?? [];
  const known = values.filter((value) => value !== null);
  const best = Math.max(...known);
  const all = values.flatMap((value, column) => (value === best ? [column] : []));
  return analysis.exact ? all : all.slice(0, 1);
}
