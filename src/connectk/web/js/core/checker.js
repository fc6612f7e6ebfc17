// Whether an explanation holds: everything that the rival can do is played against it, as connectk/why/checker.py does and
// tells. Nothing here knows how explanations are found; lines and boards are the core's.
//
// After each drop of the rival the keeper wins, if a disc can complete a line now; turns to the page for this reply, if it
// is the first one and has a page; blocks, if the rival could complete a line next; or answers as the page says.

/** @import { VariantView } from "../types.js"
 *  @import { Cell, Side, WhyPage } from "./analysis.js"
 *  @typedef {{ variant: VariantView, lines: Cell[][], board: string[], over: boolean, toMove: Side, keeper: Side, win: boolean, pages: WhyPage[] }} Claimed
 *  @typedef {{ keeper: bigint, rival: bigint, heights: number[], line: number[] }} Moment the discs of both, a bit for each cell, and how play came here */

const LOOK = 1024; // positions between two looks at whether to stop

/** An explanation that does not hold: one word for the fault, and how play gets there. */
export class ExplanationRefused extends Error {
  /** @param {string} fault @param {number[]} line */
  constructor(fault, line = []) {
    super(fault);
    this.fault = fault;
    this.line = line;
  }
}

/** How many positions were played, and by page what discs the rival came to have. Throws what is wrong with an explanation.
 * @param {Claimed} claimed @param {number} most positions @param {() => boolean} isStopped */
export function playThrough(claimed, most, isStopped = () => false) {
  const check = new Check(claimed, most, isStopped);
  check.run();
  return { count: check.met.size, rivals: check.rivals };
}

class Check {
  /** @param {Claimed} claimed @param {number} most @param {() => boolean} isStopped */
  constructor(claimed, most, isStopped) {
    this.claimed = claimed;
    this.most = most;
    this.isStopped = isStopped;
    const { width, height } = claimed.variant;
    this.width = width;
    this.height = height;
    this.stride = height + 1;
    this.bits = Array.from({ length: width * this.stride }, (_, at) => 1n << BigInt(at));
    /** @type {bigint[][]} for each cell, what else its lines need */
    this.others = this.bits.map(() => []);
    for (const line of claimed.lines) {
      const cells = line.map((cell) => this.at(cell));
      for (const cell of cells)
        this.others[cell].push(cells.reduce((sum, one) => (one === cell ? sum : sum | this.bits[one]), 0n));
    }
    /** @type {Set<string>} */
    this.met = new Set();
    /** @type {Map<number, Set<bigint>>} */
    this.rivals = new Map();
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

  /** Plays one page through; the pages that it leaves the rest to, and from where.
   * @param {number} number @param {Moment} start @param {boolean} keeperMoves @returns {[number, Moment][]} */
  play(number, start, keeperMoves) {
    const page = this.claimed.pages[number];
    if (!page) throw new ExplanationRefused("no_page", start.line);
    if (page.force?.length) return this.playForce(page.force, start, keeperMoves);
    if (keeperMoves !== (page.drop !== undefined)) throw new ExplanationRefused("turn", start.line);
    if (page.drop === undefined) return this.playAnswers(number, page, start);
    const cell = this.reached(page.drop, start);
    return this.wins(start.keeper, cell) ? [] : this.playAnswers(number, page, this.afterKeeper(start, cell));
  }

  /** Each drop must leave the rival at most one reply that does not lose at once.
   * @param {number[]} drops @param {Moment} start @param {boolean} keeperMoves @returns {[number, Moment][]} */
  playForce(drops, start, keeperMoves) {
    if (!keeperMoves) throw new ExplanationRefused("turn", start.line);
    let moment = start;
    for (const drop of drops) {
      const cell = this.reached(drop, moment);
      if (this.wins(moment.keeper, cell)) return [];
      const after = this.afterKeeper(moment, cell);
      const replies = this.afterRival(after).filter((one) => this.winFor(one.keeper, one) === null);
      if (!replies.length && this.free(after).length) return [];
      if (!replies.length) throw new ExplanationRefused("only_draw", after.line);
      if (replies.length > 1) throw new ExplanationRefused("not_forced", after.line);
      [moment] = replies;
      this.met.add(`-1 ${moment.keeper} ${moment.rival}`);
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
      if (!this.isNew(number, moment)) continue;
      for (const after of this.afterRival(moment)) {
        const column = after.line[after.line.length - 1];
        if (this.winFor(after.keeper, after) !== null) continue;
        if (moment === start && page.replies && column in page.replies) elsewhere.push([page.replies[column], after]);
        else if (this.free(after).length) left.push(this.afterKeeper(after, this.answer(answers, column, after)));
        else this.isNew(number, after);
      }
    }
    return elsewhere;
  }

  /** Notes a position; a full one must be enough. @param {number} number @param {Moment} moment */
  isNew(number, moment) {
    if (this.claimed.win && !this.free(moment).length) throw new ExplanationRefused("only_draw", moment.line);
    const key = `${number} ${moment.keeper} ${moment.rival}`;
    if (this.met.has(key)) return false;
    this.met.add(key);
    if (this.met.size > this.most || (this.met.size % LOOK === 0 && this.isStopped()))
      throw new ExplanationRefused("too_large", moment.line);
    if (!this.rivals.has(number)) this.rivals.set(number, new Set());
    this.rivals.get(number)?.add(moment.rival);
    return true;
  }

  /** Where the keeper's next disc goes. @param {Map<number, number[]>} answers @param {number} column of the rival's last disc @param {Moment} now */
  answer(answers, column, now) {
    const free = this.free(now);
    const block = this.winFor(now.rival, now);
    const cell = block ?? answers.get(this.at([column, now.heights[column] - 1]))?.find((one) => free.includes(one));
    if (cell === undefined) throw new ExplanationRefused("no_answer", now.line);
    return cell;
  }

  /** After each drop that the rival can make; none of them may complete a line. @param {Moment} moment @returns {Moment[]} */
  afterRival(moment) {
    return this.free(moment).map((cell) => {
      const after = { ...this.#dropped(moment, cell), rival: moment.rival | this.bits[cell] };
      if (this.wins(moment.rival, cell)) throw new ExplanationRefused("rival_wins", after.line);
      return after;
    });
  }

  /** @param {Moment} moment @param {number} cell @returns {Moment} */
  afterKeeper(moment, cell) {
    return { ...this.#dropped(moment, cell), keeper: moment.keeper | this.bits[cell] };
  }

  /** @param {Moment} moment @param {number} cell @returns {Moment} */
  #dropped({ keeper, rival, heights, line }, cell) {
    const column = Math.floor(cell / this.stride);
    return { keeper, rival, heights: heights.with(column, heights[column] + 1), line: [...line, column] };
  }

  /** The cell that a disc dropped into this column takes. @param {number} column @param {Moment} moment */
  reached(column, moment) {
    const cell = this.free(moment).find((one) => Math.floor(one / this.stride) === column);
    if (cell === undefined) throw new ExplanationRefused("bad_drop", [...moment.line, column]);
    return cell;
  }

  /** The lowest empty cell of each column. @param {Moment} moment */
  free({ heights }) {
    return heights.flatMap((row, column) => (row < this.height ? [column * this.stride + row] : []));
  }

  /** A cell within reach that completes a line of these discs. @param {bigint} discs @param {Moment} moment */
  winFor(discs, moment) {
    return this.free(moment).find((cell) => this.wins(discs, cell)) ?? null;
  }

  /** @param {bigint} discs @param {number} cell */
  wins(discs, cell) {
    return this.others[cell].some((others) => (discs & others) === others);
  }

  /** A cell as one number; -1 outside of the board. @param {Cell} cell */
  at([column, row]) {
    return column >= 0 && column < this.width && row >= 0 && row < this.height ? column * this.stride + row : -1;
  }
}
