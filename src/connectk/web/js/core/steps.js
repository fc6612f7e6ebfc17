// An explanation step by step, as connectk/why/steps.py makes it: a board, what to look at on it, and the facts of a
// sentence that whywords.js says.
import { bitsOf, rulesOf } from "./naming.js";

/** @import { WhyStepView, VariantView } from "../types.js"
 *  @import { Cell, WhyPage } from "./analysis.js"
 *  @import { Asked, Core } from "./numbers.js"
 *  @import { Rule } from "./naming.js"
 *  @typedef {"first" | "second"} Side
 *  @typedef {Omit<WhyStepView, "words">} Step
 *  @typedef {Pick<Step, "kind" | "facts"> & Partial<Step>} Told */

/** @type {Side[]} */
const SIDES = ["first", "second"];

/** Of pages that the checker has accepted.
 * @param {Core} core @param {Asked} asked @param {WhyPage[]} pages @param {Side} keeper @param {Map<number, Set<bigint>>} rivals @param {Cell[][]} lines */
export function stepsOf(core, asked, pages, keeper, rivals, lines) {
  return new Teller(core, asked.variant, keeper, rivals, lines).tell(asked, pages);
}

/** Best play as one step. @param {Core} core @param {Asked} asked @param {number[]} line @returns {Step[]} */
export function lineStep(core, asked, line) {
  const teller = new Teller(core, asked.variant, "first", new Map(), []);
  return [teller.step(0, asked, { kind: "line", facts: { line }, played: teller.cellsOf(asked, line) })];
}

class Teller {
  /** @param {Core} core @param {VariantView} variant @param {Side} keeper @param {Map<number, Set<bigint>>} rivals @param {Cell[][]} lines */
  constructor(core, variant, keeper, rivals, lines) {
    this.core = core;
    this.variant = variant;
    this.keeper = keeper;
    this.rivals = rivals;
    this.lines = lines
      .map((line) => line.map((cell) => this.number(cell)))
      .map((cells) => ({ cells, bits: bitsOf(cells) }));
  }

  /** @param {Cell} cell */
  number([column, row]) {
    return column * (this.variant.height + 1) + row;
  }

  /** @param {number} number @returns {Cell} */
  cell(number) {
    return [Math.floor(number / (this.variant.height + 1)), number % (this.variant.height + 1)];
  }

  /** Every page that play can get to, with the first board that it is reached on. @param {Asked} start @param {WhyPage[]} pages @returns {Step[]} */
  tell(start, pages) {
    /** @type {Map<number, Step[]>} */
    const told = new Map();
    /** @type {[number, Asked][]} */
    const left = [[0, start]];
    for (let one = left.pop(); one; one = left.pop()) {
      const [number, asked] = one;
      if (told.has(number)) continue;
      const page = pages[number].force?.length ? { force: pages[number].force } : pages[number]; // a force needs nothing else
      const after = page.drop === undefined ? asked : dropped(asked, page.drop);
      const replies = this.#metReplies(after, page.replies ?? {});
      told.set(
        number,
        page.force?.length ? this.#force(number, asked, page.force) : this.#page(number, after, { ...page, replies }),
      );
      for (const [column, other] of Object.entries(replies)) left.push([other, dropped(after, Number(column))]);
    }
    return [...told].toSorted(([one], [other]) => one - other).flatMap(([, steps]) => steps);
  }

  /** Those that play can get to: a file may name others, which the checker never sees. @param {Asked} after @param {Record<string, number>} replies */
  #metReplies(after, replies) {
    const { legal_columns: open } = this.core.moment(after);
    return Object.fromEntries(
      Object.entries(replies).filter(
        ([column]) => open.includes(Number(column)) && !this.#winning(dropped(after, Number(column))).length,
      ),
    );
  }

  /** @param {number} page @param {Asked} asked @param {Told} told @returns {Step} */
  step(page, asked, told) {
    const { board, ply, last_drop: last } = this.core.moment(asked);
    return {
      page,
      board,
      side_to_move: SIDES[ply % 2],
      last_drop: last,
      played: [],
      pairs: [],
      lines: [],
      threats: [],
      replies: [],
      ...told,
    };
  }

  /** @param {number} number @param {Asked} after @param {WhyPage} page */
  #page(number, after, { drop, replies = {}, answers = [] }) {
    const columns = Object.keys(replies)
      .map(Number)
      .toSorted((one, other) => one - other);
    return [
      ...(drop === undefined ? [] : [this.step(number, after, { kind: "drop", facts: { column: drop } })]),
      ...(columns.length
        ? [
            this.step(number, after, {
              kind: "replies",
              facts: { columns },
              replies: columns.map((column) => ({ column, page: replies[column] })),
            }),
          ]
        : []),
      ...(answers.length ? this.#answers(number, after, answers) : []),
    ];
  }

  /** One for each drop of the keeper: the threat that it makes, or two of them, and the line at the end.
   * @param {number} number @param {Asked} start @param {number[]} drops */
  #force(number, start, drops) {
    const line = this.#forcedLine(start, drops);
    const cells = this.cellsOf(start, line);
    return line.flatMap((column, at) => {
      if (at % 2) return [];
      const played = cells.slice(0, at + 1);
      const now = dropped(start, ...line.slice(0, at + 1));
      const moment = this.core.moment(now);
      if (moment.result)
        return [this.step(number, start, { kind: "win", facts: { column }, played, lines: moment.winning_lines })];
      const columns = this.#winning(now);
      const threats = columns.map((one) => /** @type {Cell} */ ([one, moment.board[one].length]));
      return [
        this.step(number, start, {
          kind: columns.length === 1 ? "threat" : "double",
          facts: { column, columns },
          played,
          threats,
        }),
      ];
    });
  }

  /** The drops of a force with the only reply to each; the last ones are a reply of two and the win. @param {Asked} start @param {number[]} drops */
  #forcedLine(start, drops) {
    /** @type {number[]} */
    const line = [];
    for (const drop of drops) {
      line.push(drop);
      const now = dropped(start, ...line);
      const [reply] = this.core.moment(now).result ? [] : this.#winning(now);
      if (reply === undefined) return line;
      line.push(reply);
    }
    return [...line, ...this.#winning(dropped(start, ...line)).slice(0, 1)];
  }

  /** Where the keeper's next disc would win. @param {Asked} asked */
  #winning(asked) {
    return this.core.forks(asked).winning[this.keeper];
  }

  /** All answers together, then each rule with its cells, then what no rule tells. @param {number} number @param {Asked} after @param {[Cell, Cell[]][]} answers */
  #answers(number, after, answers) {
    const pairs = answers
      .filter(([, some]) => some.length)
      .map(([cell, some]) => /** @type {[Cell, Cell]} */ ([cell, some[0]]));
    const { rules, unnamed } = this.#rules(number, after, answers);
    const others = answers
      .filter(([[column, row], [first]]) => !first || first[0] !== column || first[1] !== row + 1)
      .toSorted(([one], [other]) => one[0] - other[0] || one[1] - other[1]);
    const beside = others
      .filter(([, some]) => some.length)
      .map(([cell, some]) => /** @type {[Cell, Cell]} */ ([cell, some[0]]));
    const names = [...new Set(rules.map((rule) => rule.name))];
    return [
      this.step(number, after, { kind: "always", facts: {}, pairs, threats: this.#threatsOf(rules) }),
      ...names.map((name) =>
        this.#rule(
          number,
          after,
          rules.filter((rule) => rule.name === name),
          pairs,
        ),
      ),
      ...(others.length
        ? [this.step(number, after, { kind: "answers", facts: { answers: others }, pairs: beside })]
        : []),
      ...(unnamed ? [this.step(number, after, { kind: "rest", facts: { count: unnamed } })] : []),
    ];
  }

  /** @param {number} number @param {Asked} after @param {[Cell, Cell[]][]} answers */
  #rules(number, after, answers) {
    const discs = this.rivals.get(number);
    if (!discs) return { rules: [], unnamed: 0 };
    const { board } = this.core.moment(after);
    const numbered = new Map(answers.map(([cell, some]) => [this.number(cell), some.map((one) => this.number(one))]));
    /** @param {string} letter */
    const bits = (letter) =>
      bitsOf(
        board.flatMap((letters, column) =>
          [...letters].flatMap((one, row) => (one === letter ? [this.number([column, row])] : [])),
        ),
      );
    const [keeper, rival] = this.keeper === "first" ? ["x", "o"] : ["o", "x"];
    const threats = this.core
      .threats(after)
      .filter(({ side }) => side === this.keeper)
      .map(({ column, row }) => this.number([column, row]))
      .toSorted((one, other) => one - other);
    const { width, height } = this.variant;
    const shown = {
      width,
      height,
      lines: this.lines,
      heights: board.map((letters) => letters.length),
      keeper: bits(keeper),
      rival: bits(rival),
      threats,
    };
    return rulesOf(shown, numbered, (cells) => [...discs].some((some) => (some & cells) === cells));
  }

  /** @param {Rule[]} rules */
  #threatsOf(rules) {
    return rules.filter(({ name }) => name === "zugzwang").map(({ cells }) => this.cell(cells[0]));
  }

  /** @param {number} number @param {Asked} after @param {Rule[]} rules of one name @param {[Cell, Cell][]} pairs */
  #rule(number, after, rules, pairs) {
    const cells = new Set(rules.flatMap((rule) => rule.cells));
    const lines = [...new Set(rules.flatMap((rule) => rule.lines))];
    return this.step(number, after, {
      kind: "rule",
      facts: {
        rule: rules[0].name,
        cells: rules.map((rule) => rule.cells.map((one) => this.cell(one))),
        count: lines.length,
      },
      pairs: pairs.filter((pair) => pair.every((cell) => cells.has(this.number(cell)))),
      threats: this.#threatsOf(rules),
      lines: lines.map((line) => line.cells.map((one) => this.cell(one))),
    });
  }

  /** Where the drops of a line come to lie. @param {Asked} asked @param {number[]} line @returns {Cell[]} */
  cellsOf(asked, line) {
    const { positions } = this.core.game(dropped(asked, ...line));
    return positions.slice(positions.length - line.length).flatMap(({ last_drop: cell }) => (cell ? [cell] : []));
  }
}

/** @param {Asked} asked @param {...number} columns @returns {Asked} */
const dropped = (asked, ...columns) => ({ ...asked, moves: [...asked.moves, ...columns] });
