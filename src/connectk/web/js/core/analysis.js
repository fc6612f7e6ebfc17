// The JavaScript side of core/analysis.wasm (native/analysis/requests.cpp): the core with reviews and explanations, loaded on
// demand. A proposed explanation is shown only after explanation-checker.js has accepted it.
import { MAX_COACH_SENTENCES } from "../common/constants.js";
import { Core, newMemory, start } from "./numbers.js";

/** @import { ClaimView, KnownView, ReviewAnswer, VariantView, WhyStepView } from "../types.js"
 *  @import { Asked } from "./numbers.js"
 *  @typedef {"first" | "second"} Side
 *  @typedef {[number, number]} Cell
 *  @typedef {{ drop?: number, force?: number[], answers?: [Cell, Cell[]][], replies?: Record<string, number> }} WhyPage as in a file
 *  @typedef {Omit<WhyStepView, "words">} Step
 *  @typedef {import("../types.js").CoachView} CoachSentence
 *  @typedef {{ claim: ClaimView, pages: WhyPage[] }} Proposal
 *  @typedef {{ drop: number | null, force: number[], answers: [Cell, Cell[]][], replies: [number, number][] }} CorePage */

const WORDS_OF_A_BOARD = 2; // words of 64 bits

export class AnalysisCore extends Core {
  /** Reviews every move of a game, without texts; null if the review was stopped.
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

  /** Starts the search for an explanation and returns what the solver knows of the position; then call `nextProposal`. @param {Asked} asked @param {Side | null} side @param {number} boards @param {number} ms
   * @returns {KnownView["kind"]} */
  beginWhy(asked, side, boards, ms) {
    return this.ask("begin_why", { ...asked, side, boards, ms });
  }

  /** The next proposed explanation, the strongest claim first; null if there are no more. @returns {Proposal | null} */
  nextProposal() {
    /** @type {{ claim: ClaimView, pages: CorePage[] } | null} */
    const found = this.ask("next_proposal", {});
    return found && { claim: found.claim, pages: found.pages.map(toFilePage) };
  }

  /** The steps of a checked explanation. `rivals` has, for each page, the rival's discs in every position that can arise.
   * @param {Asked} asked @param {Proposal} explanation @param {Map<number, Set<bigint>>} rivals
   * @returns {{ kind: "force" | "strategy" | "tree", boards: number, steps: Step[], coach: CoachSentence[] }} */
  steps(asked, { claim, pages }, rivals) {
    const reached = pages.map((_, number) => packBoards(rivals.get(number) ?? new Set()));
    const answer = this.ask("steps", { ...asked, claim, pages: pages.map(toCorePage), reached });
    return { ...answer, coach: answer.coach.slice(-MAX_COACH_SENTENCES) };
  }

  /** Every line of cells on a board that wins. @param {VariantView} variant @returns {[number, number][][]} */
  lines(variant) {
    return this.ask("lines", variant);
  }

  /** What a coach says about the result of each column, and about a column that has to be played now.
   * @param {Asked} asked @param {number} ms @returns {CoachSentence[]} */
  coachColumns(asked, ms) {
    return this.ask("coach_columns", { ...asked, ms });
  }

  /** A line of best play, as one step of an explanation. @param {Asked} asked @param {number} ms @returns {Step} */
  lineStep(asked, ms) {
    return this.ask("line_step", { ...asked, ms });
  }
}

/** A page as it is written to a file, without empty fields. @param {CorePage} page @returns {WhyPage} */
const toFilePage = ({ drop, force, answers, replies }) => ({
  ...(drop === null ? {} : { drop }),
  ...(force.length && { force }),
  ...(answers.length && { answers }),
  ...(replies.length && { replies: Object.fromEntries(replies) }),
});

/** @param {WhyPage} page @returns {CorePage} */
const toCorePage = ({ drop, force = [], answers = [], replies = {} }) => ({
  drop: drop ?? null,
  force,
  answers,
  replies: Object.entries(replies).map(([column, number]) => [Number(column), number]),
});

/** @param {Set<bigint>} boards */
function packBoards(boards) {
  const words = new BigUint64Array(WORDS_OF_A_BOARD * boards.size);
  let at = 0;
  for (const board of boards) {
    words[at++] = BigInt.asUintN(64, board);
    words[at++] = board >> 64n;
  }
  return new Uint8Array(words.buffer);
}

/** A list with the score of each column, or null for a column without one.
 * @param {[number, number][]} scores @param {number} width */
function scoresInColumns(scores, width) {
  const known = new Map(scores);
  const length = Math.max(width, ...scores.map(([column]) => column + 1));
  return Array.from({ length }, (_, column) => known.get(column) ?? null);
}

/** @param {WebAssembly.Module} module @param {() => boolean} isStopped @param {WebAssembly.Memory} memory */
export async function startAnalysis(module, isStopped = () => false, memory = newMemory()) {
  return new AnalysisCore(await start(module, isStopped, memory));
}
