// The sentences of a review, as in connectk.review.
import { listWords, t } from "../texts/texts.js";

/** @import { LedgerView, MoveReviewView, ReasonView, WorthView } from "../types.js" */

/** A worth in words, such as "wins in 5". @param {WorthView} worth */
export function worthText({ kind, count, score }) {
  if (kind === "about") return t("worth.about", { score: `${score < 0 ? "-" : "+"}${Math.abs(score).toFixed(2)}` });
  return kind === "draw" ? t("worth.draw") : t(`worth.${kind}_in`, { count });
}

/** Why a move was worse than another. @param {ReasonView} reason */
export function reasonText(reason) {
  const sentence = t(`reason.${reason.kind}`, readableFacts(reason));
  return reason.last_column ? `${sentence} ${t("reason.last_column")}` : sentence;
}

/** What a worse move did, as a coach says it: what it let go, and what the other side can do now.
 * @param {MoveReviewView} move @param {string} name of the side that moved @param {string} rival */
export function coachText(move, name, rival) {
  const { label, reasons, worth_before: before, worth_after: after } = move;
  const isMissed = label === "missed_win" || label === "missed_block";
  const columns = reasons.find(({ kind }) => kind === label)?.columns ?? move.best_columns;
  const facts = { count: columns.length, worth: before.count, after: after.count };
  const what = isMissed ? label : whatWasLost(before.kind, after.kind);
  const head = isMissed ? "" : `${t(`label.${label}`)}. `;
  const sentence = sentenceOf(what, name, { ...facts, columns: listWords(columns.map((column) => column + 1)) });
  const then = whatFollows(before, after);
  return `${head}${sentence}${then ? ` ${sentenceOf(`then.${then}`, after.kind === "loses" ? rival : name, facts)}` : ""}`;
}

/** A sentence about a person at this page, or about somebody else. @param {string} key @param {string} name @param {Record<string, unknown>} facts */
function sentenceOf(key, name, facts) {
  const isYou = name === t("name.you") && KINDS_WITH_NAME.has(key);
  return t(`review.told.${key}${isYou ? "_you" : ""}`, { ...facts, name });
}

const KINDS_WITH_NAME = new Set([
  "missed_win",
  "missed_block",
  "gave_win",
  "gave_draw",
  "then.win_at_once",
  "then.win",
]);

/** @param {WorthView["kind"]} before @param {WorthView["kind"]} after */
function whatWasLost(before, after) {
  if (before === "about" || after === "about") return "looks_better";
  if (before === after) return before === "wins" ? "slower_win" : "sooner_loss";
  return before === "wins" ? "gave_win" : "gave_draw";
}

/** @param {WorthView} before @param {WorthView} after */
function whatFollows(before, after) {
  if (after.kind === "loses") return after.count === 1 ? "win_at_once" : before.kind === "loses" ? "" : "win";
  return after.kind === "draw" && before.kind !== "draw" ? "draw" : "";
}

/** The facts in the form in which a text shows them: counted from 1, with names in the right grammatical case.
 * @param {ReasonView} reason */
function readableFacts({ side, cells, line, run, columns, disc }) {
  const [[column, row]] = cells;
  const count = columns.length;
  const listed = listWords(columns.map((each) => each + 1));
  return {
    winner: t(`reason.side.${side}`),
    loser: t(`reason.side.${side === "first" ? "second" : "first"}`),
    run,
    disc: disc ?? "",
    drop: line[0] + 1,
    column: column + 1,
    row: row + 1,
    count,
    columns: listed,
    where: t("reason.where", { count, columns: listed }),
    drops: line.map((drop, ply) => (ply % 2 ? `(${drop + 1})` : drop + 1)).join(" "),
  };
}

/** Cells as column and row, such as 3/5, 4/1; a dash if there are no cells. @param {[number, number][]} cells */
const cellList = (cells) => cells.map(([column, row]) => `${column + 1}/${row + 1}`).join(", ") || "–";

/** The threats after a move, in a sentence for each side that has threats, and the side that runs out of harmless cells first.
 * @param {LedgerView} ledger @param {(side: "first" | "second") => string} nameOf */
export function ledgerText({ threats, count }, nameOf) {
  const lines = /** @type {const} */ (["first", "second"])
    .filter((side) => threats[side].odd.length + threats[side].even.length)
    .map((side) => {
      const { odd, even } = threats[side];
      return t("ledger.side", { name: nameOf(side), odd: cellList(odd), even: cellList(even) });
    });
  if (!count) return lines.length ? [...lines, t("ledger.now")] : [];
  lines.push(t("ledger.count", { count: count.cells, loser: nameOf(count.runs_out) }));
  if (count.winner) lines.push(t("ledger.wins", { winner: nameOf(count.winner) }));
  return lines;
}

/** @param {MoveReviewView} move @returns {MoveReviewView} */
export function withText(move) {
  return {
    ...move,
    before_words: worthText(move.worth_before),
    after_words: worthText(move.worth_after),
    reason: move.reasons.map(reasonText).join(" ") || null,
  };
}
