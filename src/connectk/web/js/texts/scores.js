// Scores in words: from the side to move, 0 is a draw, a sooner win scores more.
import { t } from "./texts.js";

// For the board: a word, a number under it, the same in short for narrow columns, and a kind that only underlines them.
/** @import { ScoresAnswer } from "../types.js"
 *  @import { Score } from "../shapes.js" */

/** @param {ScoresAnswer} analysis @returns {(Score | null)[]} */
export function columnScores(analysis) {
  const best = bestColumns(analysis);
  return analysis.bounds.map((bounds, column) => {
    if (!bounds) return null;
    if (analysis.exact)
      return exactScore(analysis.scores?.[column] ?? 0, analysis.discs?.[column] ?? null, best.includes(column));
    return boundedScore(bounds, analysis.estimates?.[column] ?? null, best.includes(column));
  });
}

/** @param {number} score @param {number | null} count @param {boolean} best @returns {Score} */
function exactScore(score, count, best) {
  if (score === 0) return { word: t("worth.draw"), number: "", short: "=", kind: "draw", best };
  const number = t("worth.in", { count });
  return score > 0
    ? { word: t("worth.wins"), number, short: `▲${count}`, kind: "win", best }
    : { word: t("worth.loses"), number, short: `▼${count}`, kind: "loss", best };
}

// Not proven: what is known for sure, else the engine's estimate in other type, from -100 to 100.
/** @param {[number, number]} bounds @param {number | null} estimate @param {boolean} best @returns {Score} */
function boundedScore([low, high], estimate, best) {
  if (low > 0) return { word: t("worth.wins"), number: "", short: "▲", kind: "win", best };
  if (high < 0) return { word: t("worth.loses"), number: "", short: "▼", kind: "loss", best };
  if (estimate === null) return { word: "?", number: "", short: "?", kind: "draw", best };
  const words = new Intl.NumberFormat(document.documentElement.lang, { signDisplay: "exceptZero" }).format(
    Math.round(100 * estimate),
  );
  return { word: t("worth.about_short"), number: words, short: words, kind: "guess", best };
}

/** The columns to recommend, counted from 0: proven ones, else the best estimate; none when nothing is known.
 * @param {ScoresAnswer} analysis @returns {number[]} */
export function bestColumns(analysis) {
  const values = (analysis.exact ? analysis.scores : analysis.estimates) ?? [];
  const known = values.filter((value) => value !== null);
  const best = Math.max(...known);
  const all = values.flatMap((value, column) => (value === best ? [column] : []));
  return analysis.exact ? all : all.slice(0, 1);
}
