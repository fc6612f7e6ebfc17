// Explains why a side wins or holds a position, as connectk/why/explainer.py does. The core proposes explanations, and only
// an explanation that the checker accepts is returned.
import { writeVariant } from "../board/convert.js";
import {
  MAX_EXPLANATION_BOARDS,
  COACH_TIMEOUT_MS,
  EXPLANATION_FORMAT,
  EXPLANATION_TIMEOUT_MS,
  QUICK_SEARCH_MIN_CELLS,
  QUICK_SEARCH_BELOW_DISCS,
  OPENING_EXPLANATION_TIMEOUT_MS,
  MAX_POSITIONS_TO_CHECK,
  EXPLANATION_VERSION,
} from "../common/constants.js";
import { ExplanationRefused, checkExplanation } from "./explanation-checker.js";

/** @import { KnownView } from "../types.js"
 *  @import { AnalysisCore, Proposal, Side, Step } from "./analysis.js"
 *  @import { Asked } from "./numbers.js"
 *  @typedef {Omit<import("../types.js").WhyAnswer, "headline" | "steps" | "coach"> & { steps: Step[], coach: import("../types.js").CoachView[] }} WhyFacts
 *  @typedef {{ fault: string, line: number[] }} Fault */

/** @param {AnalysisCore} core @param {Asked} asked @param {Side | null} side @param {() => boolean} isStopped @param {number} ms the approximate time limit
 * @returns {WhyFacts} */
export function explainPosition(core, asked, side, isStopped, ms = EXPLANATION_TIMEOUT_MS) {
  const { result, side_to_move: mover, ply } = core.moment(asked);
  if (result || !mover)
    return withoutClaim(asked, { kind: result?.winner ? "won" : "drawn", side: result?.winner ?? "first" }, []);
  const { width, height } = asked.variant;
  const isOpening = ply < QUICK_SEARCH_BELOW_DISCS && width * height >= QUICK_SEARCH_MIN_CELLS;
  const kind = core.beginWhy(
    asked,
    side,
    MAX_EXPLANATION_BOARDS,
    isOpening ? Math.min(ms, OPENING_EXPLANATION_TIMEOUT_MS) : ms,
  );
  for (let proposal = core.nextProposal(); proposal; proposal = core.nextProposal()) {
    const found = checkDocument(core, asked, proposal, isStopped);
    if (!("refused" in found)) return found;
  }
  return withoutClaim(
    asked,
    { kind, side: mover },
    [core.lineStep(asked, ms)],
    core.coachColumns(asked, COACH_TIMEOUT_MS),
  );
}

/** Checks any explanation and returns its facts, or its fault. @param {AnalysisCore} core @param {Asked} asked @param {Proposal} explanation
 * @param {() => boolean} isStopped @returns {WhyFacts | { refused: Fault }} */
export function checkDocument(core, asked, explanation, isStopped) {
  try {
    return factsOf(core, asked, explanation, isStopped);
  } catch (error) {
    if (!(error instanceof ExplanationRefused)) throw error;
    return { refused: { fault: error.fault, line: error.line } };
  }
}

/** Throws ExplanationRefused if the explanation is wrong. @param {AnalysisCore} core @param {Asked} asked @param {Proposal} explanation
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
  const { count, rivals } = checkExplanation(claimed, MAX_POSITIONS_TO_CHECK, isStopped);
  const start = board.flatMap((letters, column) => (letters ? [`${column + 1}${letters}`] : [])).join(".");
  return {
    variant,
    claim,
    known: null,
    opening: null,
    checked: Math.max(1, count),
    ...core.steps(asked, { claim, pages }, rivals),
    explanation: {
      format: EXPLANATION_FORMAT,
      version: EXPLANATION_VERSION,
      variant: writeVariant(variant),
      start,
      claim,
      pages,
    },
  };
}

/** @param {Asked} asked @param {KnownView} known @param {Step[]} steps @param {import("../types.js").CoachView[]} coach @returns {WhyFacts} */
function withoutClaim({ variant }, known, steps, coach = []) {
  return {
    variant,
    claim: null,
    kind: null,
    known,
    boards: 0,
    checked: 0,
    steps,
    coach,
    opening: null,
    explanation: null,
  };
}
