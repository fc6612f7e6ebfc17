// Why a side wins or holds a position, worked out here: what connectk/why/explainer.py does with the same searches. What
// the checker has not accepted is not shown.
import { writeVariant } from "../board/boards.js";
import { WHY_BOARDS, WHY_MS, WHY_POSITIONS } from "../common/constants.js";
import { ExplanationRefused, playThrough } from "./checker.js";
import { lineStep, stepsOf } from "./steps.js";

/** @import { ClaimView, ExplanationView, KnownView } from "../types.js"
 *  @import { Analysis, WhyPage } from "./analysis.js"
 *  @import { Asked } from "./numbers.js"
 *  @import { Step } from "./steps.js"
 *  @typedef {"first" | "second"} Side
 *  @typedef {Omit<import("../types.js").WhyAnswer, "headline" | "steps"> & { steps: Step[] }} WhyFacts
 *  @typedef {{ fault: string, line: number[] }} Fault */

/** @param {Side} side @returns {Side} */
const otherThan = (side) => (side === "first" ? "second" : "first");

/** @param {Analysis} core @param {Asked} asked @param {Side | null} side @param {() => boolean} isStopped @param {number} ms about so long
 * @returns {WhyFacts} */
export function explainPosition(core, asked, side, isStopped, ms = WHY_MS) {
  const { result, side_to_move: mover } = core.moment(asked);
  if (result || !mover)
    return nothing(asked, { kind: result?.winner ? "won" : "drawn", side: result?.winner ?? "first" }, []);
  const end = performance.now() + ms;
  const bounds = core.result(asked, ms / 2);
  const claims = claimsOf(bounds, mover, side);
  for (const [tried, claim] of claims.entries()) {
    const pages = core.propose({
      ...soughtOf(core, asked, claim),
      boards: WHY_BOARDS,
      ms: (end - performance.now()) / (claims.length - tried),
    });
    const found = pages && accepted(core, asked, { claim, pages }, isStopped);
    if (found) return found;
  }
  return nothing(asked, { kind: wordFor(bounds), side: mover }, lineStep(core, asked, core.line(asked, ms)));
}

/** An explanation from a file, or what is wrong with it. @param {Analysis} core @param {Asked} asked @param {Pick<ExplanationView, "claim" | "pages">} explanation
 * @param {() => boolean} isStopped @returns {WhyFacts | { refused: Fault }} */
export function checkDocument(core, asked, explanation, isStopped) {
  try {
    return factsOf(core, asked, explanation, isStopped);
  } catch (error) {
    if (!(error instanceof ExplanationRefused)) throw error;
    return { refused: { fault: error.fault, line: error.line } };
  }
}

/** @param {Analysis} core @param {Asked} asked @param {{ claim: ClaimView, pages: WhyPage[] }} explanation @param {() => boolean} isStopped */
function accepted(core, asked, explanation, isStopped) {
  const found = checkDocument(core, asked, explanation, isStopped);
  return "refused" in found ? null : found;
}

/** What may be true as far as the solver knows, the strongest first. @param {{ lower: number, upper: number }} bounds @param {Side} mover @param {Side | null} side */
function claimsOf({ lower, upper }, mover, side) {
  const other = otherThan(mover);
  const isDrawn = lower <= 0 && upper >= 0;
  /** @type {[Side, ClaimView["result"], boolean][]} */
  const found = [
    [mover, "wins", upper > 0],
    [other, "wins", lower < 0],
    [other, "holds", isDrawn || (side !== null && upper <= 0)],
    [mover, "holds", isDrawn || (side !== null && lower >= 0)],
  ];
  return found
    .filter(([keeper, , isPossible]) => isPossible && (side === null || side === keeper))
    .map(([keeper, result]) => ({ side: keeper, result }));
}

/** @param {{ lower: number, upper: number }} bounds @returns {KnownView["kind"]} */
function wordFor({ lower, upper }) {
  if (lower > 0) return "win";
  if (upper < 0) return "loss";
  return lower === upper ? "draw" : "unknown";
}

/** The discs of both sides as the explainer wants them. @param {Analysis} core @param {Asked} asked @param {ClaimView} claim */
function soughtOf(core, asked, { side, result }) {
  const { board, side_to_move: mover } = core.moment(asked);
  const own = side === "first" ? "x" : "o";
  /** @type {{ keeper: number[], rival: number[] }} */
  const discs = { keeper: [], rival: [] };
  board.forEach((letters, column) =>
    [...letters].forEach((letter, row) =>
      discs[letter === own ? "keeper" : "rival"].push(column * (asked.variant.height + 1) + row),
    ),
  );
  return { variant: asked.variant, ...discs, keeperMoves: mover === side, win: result === "wins" };
}

/** Played through first; throws where it does not hold. @param {Analysis} core @param {Asked} asked @param {{ claim: ClaimView, pages: WhyPage[] }} explanation
 * @param {() => boolean} isStopped @returns {WhyFacts} */
function factsOf(core, asked, { claim, pages }, isStopped) {
  const { variant } = asked;
  const { board, result, ply } = core.moment(asked);
  const lines = core.lines(variant);
  const claimed = {
    variant,
    lines,
    board,
    over: result !== null,
    toMove: /** @type {Side} */ (ply % 2 ? "second" : "first"),
    keeper: claim.side,
    win: claim.result === "wins",
    pages,
  };
  const { count, rivals } = playThrough(claimed, WHY_POSITIONS, isStopped);
  const steps = stepsOf(core, asked, pages, claim.side, rivals, lines);
  const start = board.flatMap((letters, column) => (letters ? [`${column + 1}${letters}`] : [])).join(".");
  return {
    variant,
    claim,
    kind: kindOf(pages[0]),
    known: null,
    boards: Math.max(1, new Set(steps.map((step) => step.page)).size), // one where every reply loses at once
    checked: Math.max(1, count),
    steps,
    explanation: { format: "connectk-explanation", version: 1, variant: writeVariant(variant), start, claim, pages },
  };
}

/** @param {WhyPage} page */
function kindOf({ force, replies }) {
  if (force?.length) return "force";
  return replies && Object.keys(replies).length ? "tree" : "strategy";
}

/** @param {Asked} asked @param {KnownView} known @param {Step[]} steps @returns {WhyFacts} */
function nothing({ variant }, known, steps) {
  return { variant, claim: null, kind: null, known, boards: 0, checked: 0, steps, explanation: null };
}
