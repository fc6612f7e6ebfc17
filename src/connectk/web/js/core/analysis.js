// The page's second module, core/analysis.wasm: the core with reviews and explanations, loaded when one is asked for, as
// native/analysis/ask.cpp has it. A proposed explanation is shown only after checker.js has played it through.
import { Core, newMemory, start } from "./numbers.js";

/** @import { ClaimView, KnownView, ReviewAnswer, VariantView, WhyStepView } from "../types.js"
 *  @import { Asked } from "./numbers.js"
 *  @typedef {"first" | "second"} Side
 *  @typedef {[number, number]} Cell
 *  @typedef {{ drop?: number, force?: number[], answers?: [Cell, Cell[]][], replies?: Record<string, number> }} WhyPage as in a file
 *  @typedef {Omit<WhyStepView, "words">} Step
 *  @typedef {{ claim: ClaimView, pages: WhyPage[] }} Proposal
 *  @typedef {{ drop: number | null, force: number[], answers: [Cell, Cell[]][], replies: [number, number][] }} CorePage */

const WORDS_OF_A_BOARD = 2; // 64 bits each

export class Analysis extends Core {
  /** A game judged move by move, without words; null once it is stopped.
   * @param {Asked} asked @param {number} given @param {number} ms for each position @returns {Omit<ReviewAnswer, "variant" | "players"> | null} */
  review(asked, given, ms) {
    const review = this.ask("review", { ...asked, given, ms });
    /** @param {{ exact: boolean, scores: [number, number][] }} move */
    const inColumns = (move) => ({
      ...move,
      scores: scoresInColumns(move.scores, move.exact ? asked.variant.width : 0),
    });
    return review && { ...review, moves: review.moves.map(inColumns) };
  }

  /** What the solver finds out about a position; proposals follow. @param {Asked} asked @param {Side | null} side @param {number} boards @param {number} ms
   * @returns {KnownView["kind"]} */
  beginWhy(asked, side, boards, ms) {
    return this.ask("begin_why", { ...asked, side, boards, ms });
  }

  /** What may be explained next, the strongest claim first; null when there is no more. @returns {Proposal | null} */
  nextProposal() {
    /** @type {{ claim: ClaimView, pages: CorePage[] } | null} */
    const found = this.ask("next_proposal", {});
    return found && { claim: found.claim, pages: found.pages.map(writtenPage) };
  }

  /** Of an explanation that was checked; `rivals` are, by page, the rival's discs in every position.
   * @param {Asked} asked @param {Proposal} explanation @param {Map<number, Set<bigint>>} rivals
   * @returns {{ kind: "force" | "strategy" | "tree", boards: number, steps: Step[] }} */
  steps(asked, { claim: { side }, pages }, rivals) {
    const reached = pages.map((_, number) => packed(rivals.get(number) ?? new Set()));
    return this.ask("steps", { ...asked, side, pages: pages.map(corePage), reached });
  }

  /** Every line of a board. @param {VariantView} variant @returns {[number, number][][]} */
  lines(variant) {
    return this.ask("lines", variant);
  }

  /** Best play as one step. @param {Asked} asked @param {number} ms @returns {Step} */
  lineStep(asked, ms) {
    return this.ask("line_step", { ...asked, ms });
  }
}

/** What is empty is left out. @param {CorePage} page @returns {WhyPage} */
const writtenPage = ({ drop, force, answers, replies }) => ({
  ...(drop === null ? {} : { drop }),
  ...(force.length && { force }),
  ...(answers.length && { answers }),
  ...(replies.length && { replies: Object.fromEntries(replies) }),
});

/** @param {WhyPage} page @returns {CorePage} */
const corePage = ({ drop, force = [], answers = [], replies = {} }) => ({
  drop: drop ?? null,
  force,
  answers,
  replies: Object.entries(replies).map(([column, number]) => [Number(column), number]),
});

/** @param {Set<bigint>} boards */
function packed(boards) {
  const words = new BigUint64Array(WORDS_OF_A_BOARD * boards.size);
  let at = 0;
  for (const board of boards) {
    words[at++] = BigInt.asUintN(64, board);
    words[at++] = board >> 64n;
  }
  return new Uint8Array(words.buffer);
}

/** One for each column, at least up to the last that has one. @param {[number, number][]} scores @param {number} width */
function scoresInColumns(scores, width) {
  const known = new Map(scores);
  const length = Math.max(width, ...scores.map(([column]) => column + 1));
  return Array.from({ length }, (_, column) => known.get(column) ?? null);
}

/** @param {WebAssembly.Module} module @param {() => boolean} isStopped @param {WebAssembly.Memory} memory */
export async function startAnalysis(module, isStopped = () => false, memory = newMemory()) {
  return new Analysis(await start(module, isStopped, memory));
}
