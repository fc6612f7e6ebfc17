// Why a side wins or holds a position, worked out here as connectk/why/explainer.py does: the core proposes, and what the
// checker has not accepted is not shown.
import { writeVariant } from "../board/boards.js";
import { WHY_BOARDS, WHY_FORMAT, WHY_MS, WHY_POSITIONS, WHY_VERSION } from "../common/constants.js";
import { ExplanationRefused, playThrough } from "./checker.js";

/** @import { KnownView } from "../types.js"
 *  @import { Analysis, Proposal, Side, Step } from "./analysis.js"
 *  @import { Asked } from "./numbers.js"
 *  @typedef {Omit<import("../types.js").WhyAnswer, "headline" | "steps"> & { steps: Step[] }} WhyFacts
 *  @typedef {{ fault: string, line: number[] }} Fault */

/** @param {Analysis} core @param {Asked} asked @param {Side | null} side @param {() => boolean} isStopped @param {number} ms about so long
 * @returns {WhyFacts} */
export function explainPosition(core, asked, side, isStopped, ms = WHY_MS) {
  const { result, side_to_move: mover } = core.moment(asked);
  if (result || !mover)
    return nothing(asked, { kind: result?.winner ? "won" : "drawn", side: result?.winner ?? "first" }, []);
  const kind = core.beginWhy(asked, side, WHY_BOARDS, ms);
  for (let proposal = core.nextProposal(); proposal; proposal = core.nextProposal()) {
    const found = checkDocument(core, asked, proposal, isStopped);
    if (!("refused" in found)) return found;
  }
  return nothing(asked, { kind, side: mover }, [core.lineStep(asked, ms)]);
}

/** An explanation from anywhere, or what is wrong with it. @param {Analysis} core @param {Asked} asked @param {Proposal} explanation
 * @param {() => boolean} isStopped @returns {WhyFacts | { refused: Fault }} */
export function checkDocument(core, asked, explanation, isStopped) {
  try {
    return factsOf(core, asked, explanation, isStopped);
  } catch (error) {
    if (!(error instanceof ExplanationRefused)) throw error;
    return { refused: { fault: error.fault, line: error.line } };
  }
}

/** Played through first; throws where it does not hold. @param {Analysis} core @param {Asked} asked @param {Proposal} explanation
 * @param {() => boolean} isStopped @returns {WhyFacts} */
function factsOf(core, asked, { claim, pages }, isStopped) {
  const { variant } = asked;
  const { board, result, ply } = core.moment(asked);
  const claimed = {
    variant,
    lines: core.lines(variant),
    board,
    over: result !== null,
    toMove: /** @type {Side} */ (ply % 2 ? "second" : "first"),
    keeper: claim.side,
    win: claim.result === "wins",
    pages,
  };
  const { count, rivals } = playThrough(claimed, WHY_POSITIONS, isStopped);
  const start = board.flatMap((letters, column) => (letters ? [`${column + 1}${letters}`] : [])).join(".");
  return {
    variant,
    claim,
    known: null,
    checked: Math.max(1, count),
    ...core.steps(asked, { claim, pages }, rivals),
    explanation: { format: WHY_FORMAT, version: WHY_VERSION, variant: writeVariant(variant), start, claim, pages },
  };
}

/** @param {Asked} asked @param {KnownView} known @param {Step[]} steps @returns {WhyFacts} */
function nothing({ variant }, known, steps) {
  return { variant, claim: null, kind: null, known, boards: 0, checked: 0, steps, explanation: null };
}
