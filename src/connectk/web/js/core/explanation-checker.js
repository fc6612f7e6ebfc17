// Checks an explanation by playing every drop of the rival against it, as connectk/why/checker.py does. The checker is
// independent of how explanations are found; only the lines and the boards come from the core. The keeper is the side
// that the explanation is for, the rival the other side; a page is one board of the explanation.
//
// After each drop of the rival the keeper completes a line if possible. Otherwise, if this is the rival's first drop on the
// page and has a page of its own, play continues there. Otherwise the keeper blocks a line that the rival could complete,
// or else answers as the page says.

/** @import { VariantView } from "../types.js"
 *  @import { Cell, Side, WhyPage } from "./analysis.js"
 *  @typedef {{ variant: VariantView, lines: Cell[][], board: string[], over: boolean, toMove: Side, keeper: Side, win: boolean, pages: WhyPage[] }} CheckedClaim
 *  @typedef {{ keeper: bigint, rival: bigint, heights: number[], line: number[] }} Moment the discs of both sides as bit sets, and the moves that led here */

const POSITIONS_PER_STOP_CHECK = 1024;

/** Thrown if the explanation is wrong, with a key for the fault and the moves that lead to it. */
export class ExplanationRefused extends Error {
  /** @param {string} fault @param {number[]} line */
  constructor(fault, line = []) {
    super(fault);
    this.fault = fault;
    this.line = line;
  }
}

/** Returns the number of positions and, for each page, the rival's discs in each position; throws ExplanationRefused.
 * @param {CheckedClaim} claimed @param {number} most positions @param {() => boolean} isStopped */
export function checkExplanation(claimed, most, isStopped = () => false) {
  const check = new ExplanationCheck(claimed, most, isStopped);
  check.run();
  return { count: check.seenPositions.size, rivals: check.rivalDiscs };
}

class ExplanationCheck {
  /** @param {CheckedClaim} claimed @param {number} maxPositions @param {() => boolean} isStopped */
  constructor(claimed, maxPositions, isStopped) {
    this.claimed = claimed;
    this.most = maxPositions;
    this.isStopped = isStopped;
    const { width, height } = claimed.variant;
    this.width = width;
    this.height = height;
    this.stride = height + 1;
    this.bits = Array.from({ length: width * this.stride }, (_, at) => 1n << BigInt(at));
    /** @type {bigint[][]} for each cell, the other cells of each line through it */
    this.others = this.bits.map(() => []);
    for (const line of claimed.lines) {
      const cells = line.map((cell) => this.at(cell));
      for (const cell of cells)
        this.others[cell].push(cells.reduce((sum, one) => (one === cell ? sum : sum | this.bits[one]), 0n));
    }
    /** @type {Set<string>} */
    this.seenPositions = new Set();
    /** @type {Map<number, Set<bigint>>} */
    this.rivalDiscs = new Map();
  }

  run() {
    const { over, toMove, keeper } = this.claimed;
    if (over) throw new ExplanationRefused("over");
    /** @type {[number, Moment, boolean][]} */
    const entries = [[0, this.start(), toMove === keeper]];
    for (let entry = entries.pop(); entry; entry = entries.pop()) {
      for (const [page, after] of this.play(...entry)) entries.push([page, after, true]);
    }
  }

  /** @returns {Moment} */
  start() {
    const { board, keeper } = this.claimed;
    const own = keeper === "first" ? "x" : "o";
    const discs = [0n, 0n];
    board.forEach((letters, column) =>
      [...letters].forEach((letter, row) => {
        discs[letter === own ? 0 : 1] |= this.bits[this.at([column, row])];
      }),
    );
    return { keeper: discs[0], rival: discs[1], heights: board.map((letters) => letters.length), line: [] };
  }

  /** Checks one page. Returns the pages that continue it, with the positions from which they do.
   * @param {number} number @param {Moment} start @param {boolean} keeperMoves @returns {[number, Moment][]} */
  play(number, start, keeperMoves) {
    const page = this.claimed.pages[number];
    if (!page) throw new ExplanationRefused("no_page", start.line);
    if (page.force?.length) return this.playForce(page.force, start, keeperMoves);
    if (keeperMoves !== (page.drop !== undefined)) throw new ExplanationRefused("turn", start.line);
    if (page.drop === undefined) return this.playAnswers(number, page, start);
    const cell = this.landingCell(page.drop, start);
    return this.completesLine(start.keeper, cell) ? [] : this.playAnswers(number, page, this.afterKeeper(start, cell));
  }

  /** Each drop of a forced sequence must leave the rival at most one reply that does not lose at once.
   * @param {number[]} drops @param {Moment} start @param {boolean} keeperMoves @returns {[number, Moment][]} */
  playForce(drops, start, keeperMoves) {
    if (!keeperMoves) throw new ExplanationRefused("turn", start.line);
    let moment = start;
    for (const drop of drops) {
      const cell = this.landingCell(drop, moment);
      if (this.completesLine(moment.keeper, cell)) return [];
      const after = this.afterKeeper(moment, cell);
      const replies = this.afterRival(after).filter((one) => this.winningCell(one.keeper, one) === null);
      if (!replies.length && this.free(after).length) return [];
      if (!replies.length) throw new ExplanationRefused("only_draw", after.line);
      if (replies.length > 1) throw new ExplanationRefused("not_forced", after.line);
      [moment] = replies;
      this.seenPositions.add(`-1 ${moment.keeper} ${moment.rival}`);
    }
    throw new ExplanationRefused("no_end", moment.line);
  }

  /** @param {number} number @param {WhyPage} page @param {Moment} start @returns {[number, Moment][]} */
  playAnswers(number, page, start) {
    const answers = new Map(
      (page.answers ?? []).map(([cell, some]) => [this.at(cell), some.map((one) => this.at(one))]),
    );
    /** @type {[number, Moment][]} */
    const elsewhere = [];
    const left = [start];
    for (let moment = left.pop(); moment; moment = left.pop()) {
      if (!this.markSeen(number, moment)) continue;
      for (const after of this.afterRival(moment)) {
        const column = after.line[after.line.length - 1];
        if (this.winningCell(after.keeper, after) !== null) continue;
        if (moment === start && page.replies && column in page.replies) elsewhere.push([page.replies[column], after]);
        else if (this.free(after).length) left.push(this.afterKeeper(after, this.answer(answers, column, after)));
        else this.markSeen(number, after);
      }
    }
    return elsewhere;
  }

  /** Remembers a position, and returns whether it was new. Throws if the board is full although a win is claimed.
   * @param {number} number @param {Moment} moment */
  markSeen(number, moment) {
    if (this.claimed.win && !this.free(moment).length) throw new ExplanationRefused("only_draw", moment.line);
    const key = `${number} ${moment.keeper} ${moment.rival}`;
    if (this.seenPositions.has(key)) return false;
    this.seenPositions.add(key);
    if (
      this.seenPositions.size > this.most ||
      (this.seenPositions.size % POSITIONS_PER_STOP_CHECK === 0 && this.isStopped())
    )
      throw new ExplanationRefused("too_large", moment.line);
    if (!this.rivalDiscs.has(number)) this.rivalDiscs.set(number, new Set());
    this.rivalDiscs.get(number)?.add(moment.rival);
    return true;
  }

  /** The cell of the keeper's next disc. @param {Map<number, number[]>} answers @param {number} column of the rival's last disc @param {Moment} now */
  answer(answers, column, now) {
    const landingCells = this.free(now);
    const block = this.winningCell(now.rival, now);
    const cell =
      block ?? answers.get(this.at([column, now.heights[column] - 1]))?.find((one) => landingCells.includes(one));
    if (cell === undefined) throw new ExplanationRefused("no_answer", now.line);
    return cell;
  }

  /** The positions after each drop of the rival, none of which may complete a line. @param {Moment} moment @returns {Moment[]} */
  afterRival(moment) {
    return this.free(moment).map((cell) => {
      const after = { ...this.#withDrop(moment, cell), rival: moment.rival | this.bits[cell] };
      if (this.completesLine(moment.rival, cell)) throw new ExplanationRefused("rival_wins", after.line);
      return after;
    });
  }

  /** @param {Moment} moment @param {number} cell @returns {Moment} */
  afterKeeper(moment, cell) {
    return { ...this.#withDrop(moment, cell), keeper: moment.keeper | this.bits[cell] };
  }

  /** @param {Moment} moment @param {number} cell @returns {Moment} */
  #withDrop({ keeper, rival, heights, line }, cell) {
    const column = Math.floor(cell / this.stride);
    return { keeper, rival, heights: heights.with(column, heights[column] + 1), line: [...line, column] };
  }

  /** The cell that a disc dropped into this column takes. @param {number} column @param {Moment} moment */
  landingCell(column, moment) {
    const cell = this.free(moment).find((one) => Math.floor(one / this.stride) === column);
    if (cell === undefined) throw new ExplanationRefused("bad_drop", [...moment.line, column]);
    return cell;
  }

  /** The lowest empty cell of each column. @param {Moment} moment */
  free({ heights }) {
    return heights.flatMap((row, column) => (row < this.height ? [column * this.stride + row] : []));
  }

  /** A playable cell that completes a line of these discs. @param {bigint} discs @param {Moment} moment */
  winningCell(discs, moment) {
    return this.free(moment).find((cell) => this.completesLine(discs, cell)) ?? null;
  }

  /** @param {bigint} discs @param {number} cell */
  completesLine(discs, cell) {
    return this.others[cell].some((others) => (discs & others) === others);
  }

  /** The index of a cell; -1 outside of the board. @param {Cell} cell */
  at([column, row]) {
    return column >= 0 && column < this.width && row >= 0 && row < this.height ? column * this.stride + row : -1;
  }
}
