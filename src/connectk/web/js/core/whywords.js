// An explanation in words, as connectk.why.steps says them, and one that was written to a file. What it tells of is worked
// out and checked in the worker.
import { Refused } from "../common/api.js";
import { LARGEST_WHY, WHY_FORMAT, WHY_VERSION } from "../common/constants.js";
import { wrong } from "../texts/refused.js";
import { parseStart } from "../board/start.js";
import { t } from "../texts/texts.js";
import { parseVariant } from "./notation.js";

/** @import { KnownView, VariantView, WhyAnswer } from "../types.js"
 *  @import { Cell, WhyPage } from "./analysis.js"
 *  @import { Fault, WhyFacts } from "./why.js" */

/** @param {WhyFacts} facts @returns {WhyAnswer} */
export function sayWhy(facts) {
  const steps = facts.steps.map((step) => ({ ...step, words: say(step.kind, step.facts) }));
  return { ...facts, steps, headline: headline(facts) };
}

/** @param {Fault} fault */
export function sayFault({ fault, line }) {
  const where = line.length
    ? t("why.after_moves", { moves: line.map((column) => column + 1).join(",") })
    : t("why.at_once");
  return new Refused({ reason: "wrong", message: t(`why.refused.${fault}`, { where }) });
}

/** @param {WhyFacts} facts */
function headline({ claim, known, boards, checked }) {
  if (claim)
    return [
      t(`why.claim.${claim.side}.${claim.result}`),
      t("why.boards", { count: boards }),
      t("why.checked", { count: checked }),
    ].join(" ");
  return known ? sayKnown(known) : "";
}

/** @param {KnownView} known */
function sayKnown({ kind, side }) {
  const facts = { side: t(`board.${side}`) };
  if (kind === "win" || kind === "loss")
    return t("solve.to_move", { ...facts, worth: t(kind === "win" ? "worth.wins" : "worth.loses") });
  return t({ won: "solve.won", drawn: "solve.drawn", unknown: "why.unknown", draw: "solve.to_move_draw" }[kind], facts);
}

/** What a step says, counted from 1. @param {string} kind @param {Record<string, any>} facts */
function say(kind, facts) {
  if (kind === "rule")
    return `${t(`why.rule.${facts.rule}`)} (${facts.cells.map((/** @type {Cell[]} */ some) => some.map(sayCell).join(" ")).join("; ")}): ${t("why.lines", { count: facts.count })}.`;
  if (kind === "answers") return `${t("why.step.answers")} ${facts.answers.map(sayAnswer).join("; ")}.`;
  if (kind === "line" && !facts.line.length) return t("why.none");
  const told = { ...facts };
  if ("column" in facts) told.column = facts.column + 1;
  if (facts.columns) Object.assign(told, { columns: counted(facts.columns).join(", "), count: facts.columns.length });
  if (facts.line) told.line = counted(facts.line).join(" ");
  return t(kind === "drop" || kind === "rest" ? `why.${kind}` : `why.step.${kind}`, told);
}

/** @param {number[]} columns */
const counted = (columns) => columns.map((column) => column + 1);

/** @param {Cell} cell */
const sayCell = ([column, row]) => t("why.cell", { column: column + 1, row: row + 1 });

/** @param {[Cell, Cell[]]} answer */
const sayAnswer = ([cell, some]) =>
  t("why.answer", { cell: sayCell(cell), cells: some.map(sayCell).join(t("why.otherwise")) });

/** The explanation that a file holds; whether it is true, the checker tells. @param {string} text */
export function parseExplanation(text) {
  if (text.length > LARGEST_WHY) throw wrong("why.file.large", { most: LARGEST_WHY.toLocaleString("en") });
  const document = jsonOf(text);
  if (document?.format !== WHY_FORMAT) throw wrong("why.file.format", { format: WHY_FORMAT });
  if (document.version !== WHY_VERSION)
    throw wrong("why.file.version", { version: String(document.version), last: WHY_VERSION });
  const { variant, start, claim, pages } = document;
  const isWhole =
    typeof variant === "string" &&
    typeof start === "string" &&
    ["first", "second"].includes(claim?.side) &&
    ["wins", "holds"].includes(claim?.result) &&
    Array.isArray(pages);
  if (!isWhole) throw wrong("why.file.damaged", { reason: "variant, start, claim, pages" });
  const position = { variant: parseVariant(variant), discs: parseStart(start), moves: [] };
  return {
    position,
    explanation: {
      claim: { side: claim.side, result: claim.result },
      pages: pages.map((page) => pageOf(page, position.variant)),
    },
  };
}

/** @param {string} text @returns {any} */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong("why.file.not_json", { reason: error instanceof Error ? error.message : "" });
  }
}

/** @param {any} page @param {VariantView} variant @returns {WhyPage} */
function pageOf(page, { width, height }) {
  const { drop = null, force = [], answers = [], replies = {} } = page ?? {};
  const isCell = (/** @type {unknown} */ cell) =>
    areNumbers(cell) && cell.length === 2 && cell[0] >= 0 && cell[0] < width && cell[1] >= 0 && cell[1] < height;
  const isAnswer = (/** @type {unknown} */ one) =>
    Array.isArray(one) && one.length === 2 && isCell(one[0]) && Array.isArray(one[1]) && one[1].every(isCell);
  const isSound =
    (drop === null || isNumber(drop)) &&
    areNumbers(force) &&
    Array.isArray(answers) &&
    answers.every(isAnswer) &&
    replies !== null &&
    areNumbers(Object.values(replies)) &&
    areNumbers(Object.keys(replies).map(Number));
  if (!isSound) throw wrong("why.file.damaged", { reason: "pages" });
  return { ...(drop !== null && { drop }), force, answers, replies };
}

/** Whole, and of a size that the core takes. @param {unknown} one @returns {one is number} */
const isNumber = (one) => Number.isInteger(one) && one === (Number(one) | 0);

/** @param {unknown} list @returns {list is number[]} */
const areNumbers = (list) => Array.isArray(list) && list.every(isNumber);
