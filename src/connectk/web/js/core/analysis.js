// The page's second module, core/analysis.wasm: the core with reviews and explanations, loaded when one is asked for, as
// native/analysis/ask.cpp has it. A proposed explanation is shown only after checker.js has played it through.
import { Core, newMemory, start } from "./numbers.js";

/** @import { VariantView } from "../types.js"
 *  @typedef {[number, number]} Cell
 *  @typedef {{ drop?: number, force?: number[], answers?: [Cell, Cell[]][], replies?: Record<string, number> }} WhyPage as in a file
 *  @typedef {{ variant: VariantView, keeper: number[], rival: number[], keeperMoves: boolean, win: boolean, boards: number, ms: number }} Sought cells are bits */

export class Analysis extends Core {
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

/** @param {WebAssembly.Module} module @param {() => boolean} isStopped @param {WebAssembly.Memory} memory */
export async function startAnalysis(module, isStopped = () => false, memory = newMemory()) {
  return new Analysis(await start(module, isStopped, memory));
}
