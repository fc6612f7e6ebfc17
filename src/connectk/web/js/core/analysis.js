// The page's second module, core/analysis.wasm: the core with reviews and explanations, loaded when one is asked for, as
// native/analysis/ask.cpp has it. A proposed explanation is shown only after checker.js has played it through.
import { Core, newMemory, start } from "./numbers.js";

/** @import { ReviewAnswer, VariantView } from "../types.js"
 *  @import { Asked } from "./numbers.js"
 *  @typedef {[number, number]} Cell
 *  @typedef {{ drop?: number, force?: number[], answers?: [Cell, Cell[]][], replies?: Record<string, number> }} WhyPage as in a file
 *  @typedef {{ variant: VariantView, keeper: number[], rival: number[], keeperMoves: boolean, win: boolean, boards: number, ms: number }} Sought cells are bits */

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

  /** The pages that it proposes; null where it finds none. @param {Sought} sought @returns {WhyPage[] | null} */
  propose({ keeperMoves, ms, ...sought }) {
    /** @type {{ drop: number | null, force: number[], answers: [Cell, Cell[]][], replies: [number, number][] }[] | null} */
    const pages = this.ask("explain", { ...sought, keeper_moves: keeperMoves, ms: Math.max(1, Math.ceil(ms)) });
    return (
      pages?.map(({ drop, force, answers, replies }) => ({
        ...(drop !== null && { drop }),
        ...(force.length && { force }),
        ...(answers.length && { answers }),
        ...(replies.length && { replies: Object.fromEntries(replies) }),
      })) ?? null
    );
  }
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
