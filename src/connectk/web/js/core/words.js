// A review in words, as connectk.review says them.
import { t } from "../texts/texts.js";

/** @import { MoveReviewView, WorthView } from "../types.js" */

const THREATS = new Set(["lasting_threat", "coming_threat", "open_play"]); // each one missed, or allowed

/** Wins in 5. @param {WorthView} worth */
export function sayWorth({ kind, count, score }) {
  if (kind === "about") return t("worth.about", { score: `${score < 0 ? "-" : "+"}${Math.abs(score).toFixed(2)}` });
  return kind === "draw" ? t("worth.draw") : t(`worth.${kind}_in`, { count });
}

/** Why a blunder was one. @param {string} kind @param {Record<string, any>} facts */
export function sayReason(kind, facts) {
  const words = wordsOf(facts);
  const [whose] = kind.split("_", 1);
  const threat = kind.slice(whose.length + 1);
  if (!THREATS.has(threat)) return t(`reason.${kind}`, words);
  const told = t(`reason.${whose}_threat`, { ...words, threat: t(`reason.${threat}`, words) });
  return facts.why ? `${told} ${t(`reason.${facts.why}`, words)}` : told;
}

/** The facts as a person reads them: counted from 1, in the case that the language asks for. @param {Record<string, any>} facts */
function wordsOf(facts) {
  const words = { ...facts };
  for (const name of ["column", "threat_column", "row"]) if (name in facts) words[name] = facts[name] + 1;
  if (facts.columns) {
    const [count, columns] = [facts.columns.length, listed(facts.columns)];
    Object.assign(words, { count, columns, where: t("reason.where", { count, columns }) });
  }
  if ("row" in facts) words.parity = t(facts.row % 2 ? "reason.even" : "reason.odd");
  if (facts.winner)
    Object.assign(words, { winner: t(`reason.side.${facts.winner}`), winner_s: t(`reason.side_s.${facts.winner}`) });
  if (facts.loser) words.loser = t(`reason.side.${facts.loser}`);
  return words;
}

/** 3; 3 and 5; 2, 3 and 5. @param {number[]} columns */
function listed(columns) {
  const words = columns.map((column) => String(column + 1));
  const last = words.pop() ?? "";
  return words.length ? t("reason.and", { most: words.join(", "), last }) : last;
}

/** @param {MoveReviewView} move @returns {MoveReviewView} */
export function said(move) {
  return {
    ...move,
    before_words: sayWorth(move.worth_before),
    after_words: sayWorth(move.worth_after),
    reason: move.reason_kind ? sayReason(move.reason_kind, move.reason_facts) : null,
  };
}
