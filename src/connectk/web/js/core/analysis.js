// The page's second module, core/analysis.wasm: the core with reviews and explanations, loaded when one is asked for, as
// native/analysis/ask.cpp has it. A proposed explanation is shown only after checker.js has played it through.
import { Core, newMemory, start } from "./numbers.js";

/** @import { VariantView } from "../types.js"
 *  @typedef {[number, number]} Cell
 *  @typedef {{ drop?: number, force?: number[], answers?: [Cell, Cell[]][], replies?: Record<string, number> }} WhyPage as in a file
 *  @typedef {{ variant: VariantView, keeper: number[], rival: number[], keeperMoves: boolean, win: boolean, boards: number, ms: number }} Sought cells are bits */

const KIND = { explain: 1, book: 2 };

export class Analysis extends Core {
  /** The pages that it proposes; null where it finds none. @param {Sought} sought @returns {WhyPage[] | null} */
  propose({ variant: { width, height, run }, keeper, rival, keeperMoves, win, boards, ms }) {
    const numbers = [
      width,
      height,
      run,
      keeper.length,
      ...keeper,
      rival.length,
      ...rival,
      keeperMoves ? 1 : 0,
      win ? 1 : 0,
      boards,
      Math.max(1, Math.ceil(ms)),
    ];
    const answer = this.ask(KIND.explain, numbers, this.core.connectk_analyse);
    /** @param {number} bit @returns {Cell} */
    const cell = (bit) => [Math.floor(bit / (height + 1)), bit % (height + 1)];
    const pages = Array.from({ length: answer.next() }, () => {
      const [drop, force] = [answer.next(), answer.list()];
      const answers = Array.from(
        { length: answer.next() },
        () => /** @type {[Cell, Cell[]]} */ ([cell(answer.next()), answer.list().map(cell)]),
      );
      const replies = Array.from({ length: answer.next() }, () => answer.cell());
      return {
        ...(drop >= 0 && { drop }),
        ...(force.length && { force }),
        ...(answers.length && { answers }),
        ...(replies.length && { replies: Object.fromEntries(replies) }),
      };
    });
    return pages.length ? pages : null;
  }

  /** @param {Uint8Array} bytes */
  readBook(bytes) {
    super.readBook(bytes);
    this.askOfBytes(KIND.book, bytes, this.core.connectk_analyse);
  }
}

/** @param {WebAssembly.Module} module @param {() => boolean} isStopped @param {WebAssembly.Memory} memory */
export async function startAnalysis(module, isStopped = () => false, memory = newMemory()) {
  return new Analysis(await start(module, isStopped, memory));
}
