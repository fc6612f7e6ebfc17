// Scores in words: from the side to move, 0 is a draw, a sooner win scores more.
import { t } from "./texts.js";

// How many discs the winner still drops; the same sum as in `connectk.solver.words`.
export function discsToWin(score, { width, height }, ply) {
  const cells = width * height;
  let last = cells + 2 - 2 * Math.abs(score);
  if ((last - ply) % 2 !== (score > 0 ? 1 : 0)) last -= 1;
  return Math.floor((last - ply + 1) / 2);
}

export function worth(score, variant, ply) {
  if (score === 0) return t("worth.draw");
  return t(score > 0 ? "worth.wins_in" : "worth.loses_in", { count: discsToWin(score, variant, ply) });
}

// For the board: a word, a number under it, and a kind that only underlines them.
export function columnScores(analysis, variant, ply) {
  const best = analysis.exact ? Math.max(...analysis.scores.filter((score) => score !== null)) : null;
  return analysis.bounds.map((bounds, column) => {
    if (!bounds) return null;
    return analysis.exact ? exactScore(analysis.scores[column], best, variant, ply) : boundedScore(bounds);
  });
}

function exactScore(score, best, variant, ply) {
  const isBest = score === best;
  if (score === 0) return { word: t("worth.draw"), number: "", kind: "draw", best: isBest };
  const number = t("worth.in", { count: discsToWin(score, variant, ply) });
  return score > 0
    ? { word: t("worth.wins"), number, kind: "win", best: isBest }
    : { word: t("worth.loses"), number, kind: "loss", best: isBest };
}

function boundedScore([low, high]) {
  const unknown = { word: "?", number: "", kind: "draw", best: false };
  if (low > 0) return { ...unknown, word: t("worth.wins"), kind: "win" };
  return high < 0 ? { ...unknown, word: t("worth.loses"), kind: "loss" } : unknown;
}

// The columns to recommend, counted from 0; none when nothing is known.
export function bestColumns(analysis) {
  if (!analysis.exact) return [];
  const best = Math.max(...analysis.scores.filter((score) => score !== null));
  return analysis.scores.flatMap((score, column) => (score === best ? [column] : []));
}
