// The board of a puzzle or a lesson: shows a position, accepts drops, and asks the solver about them.
import { api } from "../common/api.js";
import { eventDetail } from "../board/board.js";
import { boardAtPly, toCell, variantFromText, writeMoves } from "../board/convert.js";
import { gamePath } from "../common/paths.js";
import { language } from "../texts/texts.js";

/** @import { Page } from "../page-types.js"
 *  @import { WholeGameAnswer } from "../types.js"
 *  @typedef {"best" | "slower" | "shorter" | "misses_win" | "loses_win" | "loses_draw"} VerdictKind
 *  @typedef {{ kind: VerdictKind, best: number[] }} Verdict */

export class TaskBoard {
  /** @param {Page} page @param {(column: number) => unknown} answered */
  constructor(page, answered) {
    this.page = page;
    this.variant = "7x6x4";
    this.start = "";
    /** @type {number[]} */
    this.moves = [];
    this.acceptsDrops = false;
    /** @type {WholeGameAnswer | null} */
    this.game = null;
    this.latestRequest = {};
    this.listenerAbort = new AbortController();
    page.board.addEventListener("choose", (event) => answered(eventDetail(event).column), this.listenerAbort);
  }

  close() {
    this.listenerAbort.abort();
  }

  /** @param {string} variant @param {string} start @param {boolean} acceptsDrops */
  async setPosition(variant, start, acceptsDrops) {
    Object.assign(this, { variant, start, moves: [], acceptsDrops, game: null }); // drops on the previous position are no longer accepted
    await this.refresh(false);
  }

  async refresh(animate = true) {
    const moves = writeMoves(this.moves, variantFromText(this.variant).width);
    const latestRequest = (this.latestRequest = {});
    const game = await api.game({ variant: this.variant, start: this.start, moves });
    if (this.listenerAbort.signal.aborted || latestRequest !== this.latestRequest) return; // a newer request has started
    this.game = game;
    this.page.board.showHint([]);
    this.page.board.showScores(null);
    this.page.board.show(
      boardAtPly(game, this.moves.length, this.acceptsDrops && !this.isOver ? this.sideToMove : null),
      { animate },
    );
  }

  get moment() {
    return this.game?.positions[this.moves.length];
  }

  get sideToMove() {
    return this.moment?.side_to_move ?? null;
  }

  get isOver() {
    return this.moment?.side_to_move === null;
  }

  /** @param {number} column */
  isLegal(column) {
    return this.moment?.legal_columns.includes(column) ?? false;
  }

  /** @param {number} column @param {boolean} acceptsDrops whether more drops are accepted after this one */
  async drop(column, acceptsDrops) {
    this.moves.push(column);
    this.acceptsDrops = acceptsDrops;
    await this.refresh();
  }

  /** The score of each column; null if the scores could not be proved in time. @returns {Promise<(number | null)[] | null>} */
  async scores() {
    const analysis = await api.scores({ variant: variantFromText(this.variant), start: this.start, moves: this.moves });
    return analysis.exact ? analysis.scores : null;
  }

  /** A wrong drop with the answer to it, and why the drop is wrong, without showing the right drop. @param {number} column */
  async refutation(column) {
    const variant = variantFromText(this.variant);
    const moves = [...this.moves, column];
    const body = { variant, start: this.start, moves, language, given: this.moves.length };
    const { moves: judged } = await api.review(body);
    const { row, reason, reasons, refutation_cells: cells } = judged[judged.length - 1];
    return {
      cells: [{ column, row }, ...cells.map(toCell)],
      reason: reasons[0]?.kind.startsWith("allowed") ? reason : null,
    };
  }

  /** The engine's choice of column, not proved to be the best. */
  async hint() {
    return (await api.hint({ variant: variantFromText(this.variant), start: this.start, moves: this.moves })).column;
  }

  /** Opens a dialog that explains the first position. */
  async openExplanation() {
    const { openExplanation } = await import("../review/explanation-dialog.js");
    const side = this.game?.positions[0].side_to_move ?? undefined;
    return openExplanation({ variant: variantFromText(this.variant), start: this.start, moves: [], side });
  }

  /** The address at which the position can be analysed. */
  get path() {
    return gamePath({ variant: this.variant, moves: "", start: this.start });
  }
}

/** Compares a drop with the best columns. @param {(number | null)[]} scores @param {number} column @returns {Verdict} */
export function judgeDrop(scores, column) {
  const known = scores.filter((score) => score !== null);
  const top = Math.max(...known);
  return {
    kind: verdictKind(scores[column] ?? 0, top),
    best: scores.flatMap((score, other) => (score === top ? [other] : [])),
  };
}

/** @param {number} score @param {number} top @returns {VerdictKind} */
function verdictKind(score, top) {
  if (score === top) return "best";
  if (score > 0) return "slower";
  if (top < 0) return "shorter";
  if (top === 0) return "loses_draw";
  return score === 0 ? "misses_win" : "loses_win";
}
