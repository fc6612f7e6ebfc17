// A board that asks for a drop, and what the solver says to it. Puzzles and lessons both use it.
import { api } from "../common/api.js";
import { detailOf } from "../board/board.js";
import { gameBoard, variantOf, writeMoves } from "../board/boards.js";
import { gamePath } from "../common/paths.js";

/** @import { Page } from "../shapes.js"
 *  @import { WholeGameAnswer } from "../types.js"
 *  @typedef {"best" | "slower" | "shorter" | "misses_win" | "loses_win" | "loses_draw"} Kind
 *  @typedef {{ kind: Kind, best: number[] }} Verdict */

export class TaskBoard {
  /** @param {Page} page @param {(column: number) => unknown} answered */
  constructor(page, answered) {
    this.page = page;
    this.variant = "7x6x4";
    this.start = "";
    /** @type {number[]} */
    this.moves = [];
    this.asks = false;
    /** @type {WholeGameAnswer | null} */
    this.game = null;
    this.asked = {};
    this.listening = new AbortController();
    page.board.addEventListener("choose", (event) => answered(detailOf(event).column), this.listening);
  }

  close() {
    this.listening.abort();
  }

  /** @param {string} variant @param {string} start @param {boolean} asks */
  async set(variant, start, asks) {
    Object.assign(this, { variant, start, moves: [], asks, game: null }); // what is chosen on the last task's board is no answer to this one
    await this.show(false);
  }

  async show(animate = true) {
    const moves = writeMoves(this.moves, variantOf(this.variant).width);
    const asked = (this.asked = {});
    const game = await api.game({ variant: this.variant, start: this.start, moves });
    if (this.listening.signal.aborted || asked !== this.asked) return; // another task has come
    this.game = game;
    this.page.board.showHint([]);
    this.page.board.showScores(null);
    this.page.board.show(gameBoard(game, this.moves.length, this.asks && !this.isOver ? this.side : null), { animate });
  }

  get now() {
    return this.game?.positions[this.moves.length];
  }

  get side() {
    return this.now?.side_to_move ?? null;
  }

  get isOver() {
    return this.now?.side_to_move === null;
  }

  /** @param {number} column */
  can(column) {
    return this.now?.legal_columns.includes(column) ?? false;
  }

  /** @param {number} column @param {boolean} asks whether more is wanted */
  async drop(column, asks) {
    this.moves.push(column);
    this.asks = asks;
    await this.show();
  }

  /** A score for each column; null where they are not proved in time. @returns {Promise<(number | null)[] | null>} */
  async scores() {
    const analysis = await api.scores({ variant: variantOf(this.variant), start: this.start, moves: this.moves });
    return analysis.exact ? analysis.scores : null;
  }

  /** What the engine would drop: a good column, though not proved to be the best. */
  async hint() {
    return (await api.hint({ variant: variantOf(this.variant), start: this.start, moves: this.moves })).column;
  }

  /** What the first board of the task is about, in a dialog. */
  async why() {
    const { openWhy } = await import("../review/why.js");
    const side = this.game?.positions[0].side_to_move ?? undefined;
    return openWhy({ variant: variantOf(this.variant), start: this.start, moves: [], side });
  }

  /** Where the board can be tried out. */
  get path() {
    return gamePath({ variant: this.variant, moves: "", start: this.start });
  }
}

/** One drop beside the best ones. @param {(number | null)[]} scores @param {number} column @returns {Verdict} */
export function verdictOf(scores, column) {
  const known = scores.filter((score) => score !== null);
  const top = Math.max(...known);
  return {
    kind: kindOf(scores[column] ?? 0, top),
    best: scores.flatMap((score, other) => (score === top ? [other] : [])),
  };
}

/** @param {number} score @param {number} top @returns {Kind} */
function kindOf(score, top) {
  if (score === top) return "best";
  if (score > 0) return "slower";
  if (top < 0) return "shorter";
  if (top === 0) return "loses_draw";
  return score === 0 ? "misses_win" : "loses_win";
}
