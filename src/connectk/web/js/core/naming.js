// Names for the answers of a page: Victor Allis's rules, and the lines of the rival that each of them stops, as
// connectk/why/naming.py has them. They only tell a person what a table does; the proof is the checker's. A cell is one
// number, counted up each column with a spare one on top, so that the next number is the cell above; sets of cells are bits.

/** @typedef {{ cells: number[], bits: bigint }} Line
 *  @typedef {{ name: string, cells: number[], groups: bigint[], lines: Line[] }} Rule `groups` are cells of which the rival never gets all
 *  @typedef {{ width: number, height: number, lines: Line[], heights: number[], keeper: bigint, rival: bigint, threats: number[] }} Shown
 *    the rival to move; `threats` are the keeper's */

/** From the plainest to the most involved: a line is told with the first rule that stops it. */
const NAMES = /** @type {const} */ ([
  "zugzwang",
  "claimeven",
  "baseinverse",
  "vertical",
  "aftereven",
  "lowinverse",
  "highinverse",
  "baseclaim",
  "before",
  "specialbefore",
]);

/** @param {number} cell */
const bit = (cell) => 1n << BigInt(cell);
/** @param {number[]} cells */
export const bitsOf = (cells) => cells.reduce((sum, cell) => sum | bit(cell), 0n);
/** @param {bigint} all @param {bigint} part */
const holds = (all, part) => (all & part) === part;
/** Every two of a list, in order. @template T @param {T[]} list @returns {[T, T][]} */
const twoOf = (list) =>
  list.flatMap((one, at) => list.slice(at + 1).map((other) => /** @type {[T, T]} */ ([one, other])));

/** The rules that a page's answers amount to, each with the lines it stops, and how many lines none of them does.
 * @param {Shown} shown @param {Map<number, number[]>} answers @param {(cells: bigint) => boolean} isTaken whether the rival ever has all of some cells */
export function rulesOf(shown, answers, isTaken) {
  const table = new Table(shown, answers);
  let left = shown.lines.filter((line) => table.isOpenFor(line, shown.rival, shown.keeper));
  /** @type {Rule[]} */
  const used = [];
  for (const rule of NAMES.flatMap((name) => [...table[name]()].map((found) => ({ name, ...found })))) {
    const groups = rule.groups
      .filter((group) => left.some((line) => holds(line.bits, group)))
      .filter((group) => !isTaken(group));
    const lines = left.filter((line) => groups.some((group) => holds(line.bits, group)));
    if (lines.length) used.push({ ...rule, groups, lines });
    left = left.filter((line) => !lines.includes(line));
  }
  return { rules: used, unnamed: left.length };
}

/** @typedef {Generator<{ cells: number[], groups: bigint[] }, void>} Found */

class Table {
  /** @param {Shown} shown @param {Map<number, number[]>} answers */
  constructor(shown, answers) {
    this.shown = shown;
    this.answers = answers;
    this.stride = shown.height + 1;
    this.reachable = shown.heights.flatMap((row, column) => (row < shown.height ? [column * this.stride + row] : []));
    this.pairs = [...answers].filter(([cell, some]) => some[0] === cell + 1).map(([cell]) => cell);
    this.claimed = new Set(this.pairs.map((cell) => cell + 1).filter((cell) => this.isEven(cell)));
  }

  /** @param {number} cell */
  row(cell) {
    return cell % this.stride;
  }

  /** @param {number} cell */
  column(cell) {
    return Math.floor(cell / this.stride);
  }

  /** Rows are counted from 1 when they are called odd or even. @param {number} cell */
  isEven(cell) {
    return this.row(cell) % 2 === 1;
  }

  /** Whether a side could still complete it, and has not. @param {Line} line @param {bigint} own @param {bigint} other */
  isOpenFor(line, own, other) {
    return (line.bits & other) === 0n && !holds(own, line.bits);
  }

  /** @param {Line} line */
  emptyIn(line) {
    return line.cells.filter((cell) => this.row(cell) >= this.shown.heights[this.column(cell)]);
  }

  /** @param {number} cell @param {number} answer */
  isAnswered(cell, answer) {
    return this.answers.get(cell)?.includes(answer) ?? false;
  }

  /** A threat of the keeper over a cell that no answer goes to: the rival gets nothing from that cell on up. @returns {Found} */
  *zugzwang() {
    const answers = new Set([...this.answers.values()].flat());
    for (const cell of this.shown.threats) {
      const beneath = cell - 1;
      if (this.row(cell) > this.shown.heights[this.column(cell)] && !answers.has(beneath)) {
        const count = this.shown.height - this.row(beneath);
        yield { cells: [cell], groups: Array.from({ length: count }, (_, up) => bit(beneath + up)) };
      }
    }
  }

  /** The rival's disc in an odd row is followed by one right above it, in an even row. @returns {Found} */
  *claimeven() {
    for (const cell of this.pairs)
      if (this.isEven(cell + 1)) yield { cells: [cell, cell + 1], groups: [bit(cell + 1)] };
  }

  /** The rival's disc is followed by one right above it: not both of them are the rival's. @returns {Found} */
  *vertical() {
    for (const cell of this.pairs)
      if (!this.isEven(cell + 1)) yield { cells: [cell, cell + 1], groups: [bitsOf([cell, cell + 1])] };
  }

  /** Of two cells within reach, whoever takes one leaves the other. @returns {Found} */
  *baseinverse() {
    for (const [one, other] of twoOf(this.reachable)) {
      if (this.answers.get(one)?.[0] === other && this.answers.get(other)?.[0] === one)
        yield { cells: [one, other], groups: [bitsOf([one, other])] };
    }
  }

  /** Two verticals: of their upper cells the rival does not get both. @returns {Found} */
  *lowinverse() {
    for (const [one, other] of this.twoColumns(this.pairs.filter((cell) => !this.isEven(cell + 1)))) {
      yield { cells: [one, one + 1, other, other + 1], groups: [bitsOf([one + 1, other + 1])] };
    }
  }

  /** Two verticals with a claimed cell on top of each: the rival gets no two of the tops, nor of the middles. @returns {Found} */
  *highinverse() {
    const lows = this.pairs.filter((cell) => !this.isEven(cell + 1) && this.isAnswered(cell + 1, cell + 2));
    for (const [one, other] of this.twoColumns(lows)) {
      /** @type {[number, number][]} */
      const mixed = [
        [one, other + 2],
        [other, one + 2],
      ];
      yield {
        cells: [one, one + 1, one + 2, other, other + 1, other + 2],
        groups: [
          bitsOf([one + 2, other + 2]),
          bitsOf([one + 1, other + 1]),
          bitsOf([one + 1, one + 2]),
          bitsOf([other + 1, other + 2]),
          ...mixed.filter(([low]) => this.reachable.includes(low)).map(bitsOf),
        ],
      };
    }
  }

  /** @param {number[]} cells */
  twoColumns(cells) {
    return twoOf(cells).filter(([one, other]) => this.column(one) !== this.column(other));
  }

  /** A line that the keeper completes with claimed cells alone: the rival has to be done before, and is not. @returns {Found} */
  *aftereven() {
    for (const line of this.keeperLines()) {
      const empty = this.emptyIn(line);
      if (empty.every((cell) => this.claimed.has(cell))) yield { cells: empty, groups: this.oneAboveEach(empty) };
    }
  }

  /** Every choice of one cell above each of these. @param {number[]} cells */
  oneAboveEach(cells) {
    let groups = [0n];
    for (const cell of cells) {
      const above = Array.from({ length: this.shown.height - 1 - this.row(cell) }, (_, up) => bit(cell + 1 + up));
      groups = groups.flatMap((group) => above.map((one) => group | one));
    }
    return groups;
  }

  /** Three cells within reach and the one above the second: the first is answered by the third, and the like. @returns {Found} */
  *baseclaim() {
    for (const [first, second, third] of this.triples()) {
      const top = second + 1;
      const isHeld = this.isAnswered(first, third) && this.isAnswered(second, third) && this.isAnswered(third, second);
      if (this.isEven(top) && isHeld && (this.isAnswered(second, top) || this.isAnswered(top, first))) {
        yield { cells: [first, second, third, top], groups: [bitsOf([first, top]), bitsOf([second, third])] };
      }
    }
  }

  *triples() {
    const { reachable } = this;
    for (const [at, one] of reachable.entries()) {
      for (const [two, three] of twoOf(reachable.slice(at + 1))) {
        for (const [first, second, third] of [
          [two, one, three],
          [one, two, three],
          [one, three, two],
        ]) {
          yield [first, second, third];
          yield [third, second, first];
        }
      }
    }
  }

  /** A line of the keeper whose cells are all answered right above: either it is completed, or one of the cells above it is
   * the keeper's. @returns {Found} */
  *before() {
    for (const line of this.keeperLines()) {
      const empty = this.emptyIn(line);
      if (this.isBelowTop(empty) && empty.every((cell) => this.isKept(cell)))
        yield { cells: empty, groups: [bitsOf(empty.map((cell) => cell + 1))] };
    }
  }

  /** The same with one cell within reach that is paired with another one within reach. @returns {Found} */
  *specialbefore() {
    for (const line of this.keeperLines()) {
      const empty = this.emptyIn(line);
      const loose = empty.filter((cell) => !this.isKept(cell));
      if (!this.isBelowTop(empty) || loose.length !== 1 || !this.reachable.includes(loose[0])) continue;
      const above = bitsOf(empty.map((cell) => cell + 1));
      for (const other of this.reachable) {
        if (!line.cells.includes(other) && this.isAnswered(other, loose[0]))
          yield { cells: [...empty, other], groups: [above | bit(other)] };
      }
    }
  }

  /** @param {number} cell */
  isKept(cell) {
    return this.pairs.includes(cell) || this.claimed.has(cell);
  }

  /** @param {number[]} cells */
  isBelowTop(cells) {
    return cells.every((cell) => this.row(cell) < this.shown.height - 1);
  }

  /** Lines that the keeper could complete. */
  keeperLines() {
    return this.shown.lines.filter((line) => this.isOpenFor(line, this.shown.keeper, this.shown.rival));
  }
}
