// The sentences of an explanation, as in connectk.why.json_views, and the reader of explanation files. Explanations are
// computed and checked in a worker.
import {
  MAX_EXPLANATION_FILE_BYTES,
  EXPLANATION_FORMAT,
  EXPLANATION_VERSION,
  MAX_NAMED_GROUPS,
} from "../common/constants.js";
import { RefusedError, invalidInput } from "../texts/refusals.js";
import { parseStart } from "../board/start-position.js";
import { listWords, t } from "../texts/texts.js";
import { cellText, coachText, countedFromOne, refutedText } from "./coach-text.js";
import { parseVariant } from "./notation.js";

/** @import { KnownView, VariantView, WhyAnswer } from "../types.js"
 *  @import { Cell, WhyPage } from "./analysis.js"
 *  @import { Fault, WhyFacts } from "./explainer.js" */

/** @param {WhyFacts} facts @returns {WhyAnswer} */
export function explanationText(facts) {
  const steps = facts.steps.map((step) => ({ ...step, words: stepText(step.kind, step.facts) }));
  const coach = facts.coach.map((one) => ({ ...one, words: coachText(one) }));
  return { ...facts, steps, coach, headline: headline(facts) };
}

/** @param {Fault} fault */
export function faultError({ fault, line }) {
  const where = line.length
    ? t("why.after_moves", { moves: line.map((column) => column + 1).join(",") })
    : t("why.at_once");
  return new RefusedError({ reason: "wrong", message: t(`why.refused.${fault}`, { where }) });
}

/** @param {WhyFacts} facts */
function headline({ claim, known, boards, checked }) {
  if (claim)
    return [
      t(`why.claim.${claim.side}.${claim.result}`),
      t("why.boards", { count: boards }),
      t("why.checked", { count: checked }),
    ].join(" ");
  return known ? knownText(known) : "";
}

/** @param {KnownView} known */
function knownText({ kind, side }) {
  const facts = { side: t(`board.${side}`) };
  if (kind === "win" || kind === "loss")
    return t("solve.to_move", { ...facts, worth: t(kind === "win" ? "worth.wins" : "worth.loses") });
  return t({ won: "solve.won", drawn: "solve.drawn", unknown: "why.unknown", draw: "solve.to_move_draw" }[kind], facts);
}

/** The sentence of a step, with numbers counted from 1. @param {string} kind @param {Record<string, any>} facts */
function stepText(kind, facts) {
  if (kind === "rule") {
    const { columns } = facts;
    if (!columns) return ruleText(facts);
    return t("why.unless", {
      count: columns.length,
      columns: listWords(countedFromOne(columns)),
      sentence: ruleText(facts),
    });
  }
  if (kind === "answers") return `${t("why.step.answers")} ${facts.answers.map(answerText).join("; ")}.`;
  if (kind === "line" && !facts.line.length) return t("why.none");
  const values = { ...facts };
  if ("column" in facts) values.column = facts.column + 1;
  if (facts.columns)
    Object.assign(values, { columns: listWords(countedFromOne(facts.columns)), count: facts.columns.length });
  if (facts.answers) values.refuted = facts.answers.map(refutedText).join("; ");
  if (facts.line) values.line = countedFromOne(facts.line).join(" ");
  return t(kind === "drop" || kind === "rest" ? `why.${kind}` : `why.step.${kind}`, values);
}

/** The sentence about a rule: its name, the cells that it keeps from the rival, and how many lines that stops.
 * @param {Record<string, any>} facts */
function ruleText({ rule, cells: groups, count }) {
  const groupTexts = groups
    .slice(0, MAX_NAMED_GROUPS)
    .map((/** @type {Cell[]} */ some) => some.map(cellText).join(t("why.with")));
  const cells = [...groupTexts, ...(groups.length > MAX_NAMED_GROUPS ? ["…"] : [])].join("; ");
  const lines = t("why.lines", { count });
  if (rule === "zugzwang") return `${t("why.rule.zugzwang")} (${cells}): ${lines}.`;
  const alone = groups.every((/** @type {Cell[]} */ some) => some.length === 1);
  return `${t(`why.rule.${rule}`)}: ${t(alone ? "why.never_one" : "why.never_all", { cells })}: ${lines}.`;
}

/** @param {[Cell, Cell[]]} answer */
const answerText = ([cell, some]) =>
  t("why.answer", { cell: cellText(cell), cells: some.map(cellText).join(t("why.otherwise")) });

/** Reads an explanation from a file; it is not checked yet. @param {string} text */
export function parseExplanation(text) {
  if (text.length > MAX_EXPLANATION_FILE_BYTES)
    throw invalidInput("why.file.large", { most: MAX_EXPLANATION_FILE_BYTES.toLocaleString("en") });
  const document = jsonOf(text);
  if (document?.format !== EXPLANATION_FORMAT) throw invalidInput("why.file.format", { format: EXPLANATION_FORMAT });
  if (document.version !== EXPLANATION_VERSION)
    throw invalidInput("why.file.version", { version: String(document.version), last: EXPLANATION_VERSION });
  const { variant, start, claim, pages } = document;
  const isWhole =
    typeof variant === "string" &&
    typeof start === "string" &&
    ["first", "second"].includes(claim?.side) &&
    ["wins", "holds"].includes(claim?.result) &&
    Array.isArray(pages);
  if (!isWhole) throw invalidInput("why.file.damaged", { reason: "variant, start, claim, pages" });
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
    throw invalidInput("why.file.not_json", { reason: error instanceof Error ? error.message : "" });
  }
}

/** @param {any} page @param {VariantView} variant @returns {WhyPage} */
function pageOf(page, variant) {
  const { drop, force, answers, replies } = { drop: null, force: [], answers: [], replies: {}, ...page };
  const isSound =
    (drop === null || isNumber(drop)) &&
    areNumbers(force) &&
    Array.isArray(answers) &&
    answers.every((answer) => isAnswer(answer, variant)) &&
    replies !== null &&
    areNumbers(Object.values(replies)) &&
    areNumbers(Object.keys(replies).map(Number));
  if (!isSound) throw invalidInput("why.file.damaged", { reason: "pages" });
  return { ...(drop !== null && { drop }), force, answers, replies };
}

/** @param {unknown} answer @param {VariantView} variant */
const isAnswer = (answer, variant) =>
  Array.isArray(answer) &&
  answer.length === 2 &&
  isCell(answer[0], variant) &&
  Array.isArray(answer[1]) &&
  answer[1].every((cell) => isCell(cell, variant));

/** @param {unknown} cell @param {VariantView} variant */
const isCell = (cell, { width, height }) =>
  areNumbers(cell) && cell.length === 2 && cell[0] >= 0 && cell[0] < width && cell[1] >= 0 && cell[1] < height;

/** Whether a value is a 32-bit integer, which the core can take. @param {unknown} one @returns {one is number} */
const isNumber = (one) => Number.isInteger(one) && one === (Number(one) | 0);

/** @param {unknown} list @returns {list is number[]} */
const areNumbers = (list) => Array.isArray(list) && list.every(isNumber);
