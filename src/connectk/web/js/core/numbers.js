// The compiled core speaks in numbers: what it is asked and what it answers, as native/web/ask.cpp has it. No rule is
// written here; the shapes are those of the server.
import { BEST as BEST_LEVEL, PLAYERS } from "../common/constants.js";
import { kindOf } from "../common/players.js";

/** @import { MomentView, ResultView, ScoresAnswer, ThoughtView, ThreatView, VariantView, HintAnswer } from "../types.js"
 *  @typedef {{ variant: VariantView, discs: number[][], moves: number[] }} Asked a position: discs set up as column, row, side
 *  @typedef {MomentView & { result: ResultView | null }} Moment
 *  @typedef {{ rule: string, facts: number[], drop: number }} Broken
 *  @typedef {{ memory: WebAssembly.Memory, __stack_pointer: WebAssembly.Global<"i32">, connectk_stack: () => number, connectk_help: (stack: number) => void,
 *    connectk_room: (count: number) => number, connectk_ask: (kind: number) => number, connectk_analyse: (kind: number) => number,
 *    connectk_answer: () => number, connectk_discs_to_win: (cells: number, ply: number, score: number) => number,
 *    connectk_win_score: (cells: number, disc: number) => number, _initialize: () => void }} Exports */

const MIN_MEMORY_PAGES = 128;
const MAX_MEMORY_PAGES = 8192;
const WAY_BACK_MS = 20; // until the page has the answer
const KIND = {
  game: 1,
  moment: 2,
  threats: 3,
  forks: 4,
  choose: 5,
  scores: 6,
  line: 7,
  judge: 8,
  book: 9,
  solve: 10,
  forget: 11,
  lines: 12,
  result: 13,
};
const RULES = [
  "",
  "ColumnOutOfRange",
  "FloatingDisc",
  "TooManyDiscs",
  "WrongDiscCount",
  "BothSidesWon",
  "PlayedAfterWin",
  "ColumnFull",
  "GameAlreadyOver",
  "ImpossibleVariant.small",
  "ImpossibleVariant.run",
];
/** @type {import("../shapes.js").Side[]} */
const SIDES = ["first", "second"];

/** A rule says no; its facts are put into words where the words are. */
export class RuleBroken extends Error {
  /** @param {Broken} broken */
  constructor(broken) {
    super(broken.rule);
    this.broken = broken;
  }
}

class Answer {
  #at = 0;

  /** @param {ArrayBufferLike} buffer */
  constructor(buffer) {
    this.numbers = new Int32Array(buffer);
  }

  next() {
    return this.numbers[this.#at++];
  }

  list() {
    return Array.from({ length: this.next() }, () => this.next());
  }

  /** @returns {[number, number]} */
  cell() {
    return [this.next(), this.next()];
  }

  line() {
    return Array.from({ length: this.next() }, () => this.cell());
  }

  exact() {
    const halves = new Int32Array([this.next(), this.next()]);
    return new Float64Array(halves.buffer)[0];
  }

  /** @returns {number | null} */
  maybe() {
    const known = this.next();
    const value = this.exact();
    return known ? value : null;
  }

  /** @returns {Moment} */
  moment() {
    const [ply, side, result] = [this.next(), this.next(), this.next()];
    const last = this.cell();
    return {
      ply,
      side_to_move: SIDES[side] ?? null,
      last_drop: last[0] < 0 ? null : last,
      legal_columns: this.list(),
      winning_lines: Array.from({ length: this.next() }, () => this.line()),
      result: result < 0 ? null : { winner: SIDES[result] ?? null, reason: result === 2 ? "full" : "line" },
    };
  }

  /** Each column from the bottom up. @param {number} width */
  discs(width) {
    return Array.from({ length: width }, () =>
      this.list()
        .map((side) => "xo"[side])
        .join(""),
    );
  }
}

/** Something that was compiled for the page, asked in numbers. */
export class Compiled {
  /** @param {Exports} core */
  constructor(core) {
    this.core = core;
  }

  /** @param {number} kind @param {ArrayLike<number>} numbers @param {(kind: number) => number} answer which of the file's answers is wanted */
  ask(kind, numbers, answer = this.core.connectk_ask) {
    const room = this.core.connectk_room(numbers.length);
    new Int32Array(this.core.memory.buffer, room, numbers.length).set(numbers);
    const count = answer(kind);
    const from = this.core.connectk_answer();
    return new Answer(this.core.memory.buffer.slice(from, from + 4 * count));
  }

  /** @param {number} kind @param {Uint8Array} bytes @param {(kind: number) => number} answer */
  askOfBytes(kind, bytes, answer = this.core.connectk_ask) {
    const numbers = new Int32Array(1 + Math.ceil(bytes.length / 4));
    numbers[0] = bytes.length;
    new Uint8Array(numbers.buffer, 4).set(bytes);
    return this.ask(kind, numbers, answer);
  }
}

export class Core extends Compiled {
  /** @param {number} kind @param {Asked} asked @param {number[]} more */
  #about(kind, { variant: { width, height, run }, discs, moves }, more = []) {
    const answer = this.ask(kind, [width, height, run, discs.length, ...discs.flat(), moves.length, ...moves, ...more]);
    const rule = answer.next();
    if (rule)
      throw new RuleBroken({
        rule: RULES[rule],
        facts: [answer.next(), answer.next(), answer.next()],
        drop: answer.next(),
      });
    return answer;
  }

  /** Every moment of a game, and the board that it began with. @param {Asked} asked */
  game(asked) {
    const answer = this.#about(KIND.game, asked);
    const board = answer.discs(asked.variant.width);
    return { board, positions: Array.from({ length: answer.next() }, () => answer.moment()) };
  }

  /** The board as it is now. @param {Asked} asked */
  moment(asked) {
    const answer = this.#about(KIND.moment, asked);
    const board = answer.discs(asked.variant.width);
    return { board, ...answer.moment() };
  }

  /** Every cell that would win, those within reach first. @param {Asked} asked @returns {ThreatView[]} */
  threats(asked) {
    const answer = this.#about(KIND.threats, asked);
    const found = Array.from({ length: answer.next() }, () => {
      const [side, column, row, now] = [answer.next(), answer.next(), answer.next(), answer.next()];
      return { column, row, side: SIDES[side], now: now === 1, line: answer.line() };
    });
    return found.toSorted((one, other) => Number(other.now) - Number(one.now));
  }

  /** Where each side's next disc would win, which drops leave two ways to win, and the columns from the centre out. @param {Asked} asked */
  forks(asked) {
    const answer = this.#about(KIND.forks, asked);
    const winning = { first: answer.list(), second: answer.list() };
    return { winning, forks: answer.list(), centre: answer.list() };
  }

  /** @param {Asked} asked @param {string} player such as level:3 @param {number} ms @param {[number, number]} seed @returns {HintAnswer} */
  choose(asked, player, ms, seed) {
    const { name, kind, number } = kindOf(player);
    const isBest = name === "level" && number === BEST_LEVEL; // who thinks against a clock
    const answer = this.#about(KIND.choose, asked, [
      isBest ? PLAYERS.engine.compiled : (kind?.compiled ?? -1),
      number,
      ...seed,
      ms,
    ]);
    const column = answer.next();
    const [score, line, depth, nodes, proven] = [
      answer.maybe(),
      answer.list(),
      answer.next(),
      answer.exact(),
      answer.next() === 1,
    ];
    /** @type {ThoughtView} */
    const thought = { score, line, depth: depth || null, nodes: nodes || null, proven };
    return { column, thought };
  }

  /** @param {Asked} asked @param {number} ms @param {boolean} estimates @returns {ScoresAnswer} */
  scores(asked, ms, estimates = true) {
    const answer = this.#about(KIND.scores, asked, [ms, estimates ? 1 : 0]);
    const exact = answer.next() === 1;
    const columns = Array.from({ length: answer.next() }, () => ({
      open: answer.next() === 1,
      bounds: answer.cell(),
      discs: answer.next(),
    }));
    const estimated = Array.from({ length: answer.next() }, () => answer.maybe());
    return {
      exact,
      bounds: columns.map(({ open, bounds }) => (open ? bounds : null)),
      scores: exact ? columns.map(({ open, bounds }) => (open ? bounds[0] : null)) : null,
      discs: exact ? columns.map(({ open, discs }) => (open && discs ? discs : null)) : null,
      estimates: exact ? null : estimated,
    };
  }

  /** Best play to the end, as far as it is found in time. @param {Asked} asked @param {number} ms */
  line(asked, ms) {
    return this.#about(KIND.line, asked, [ms]).list();
  }

  /** What the referee says of a file. @param {Uint8Array} bytes */
  judge(bytes) {
    const answer = this.askOfBytes(KIND.judge, bytes);
    const [code, moves, , line, first, firstLine] = Array.from({ length: 6 }, () => answer.next());
    return { code, moves, line: line || null, first_code: first < 0 ? null : first, first_line: firstLine || null };
  }

  /** @param {Uint8Array} bytes */
  readBook(bytes) {
    this.askOfBytes(KIND.book, bytes);
  }

  /** Who wins, as far as it is found in time: 1 is the side to move. @param {Asked} asked @param {number} ms */
  result(asked, ms) {
    const answer = this.#about(KIND.result, asked, [ms]);
    return { lower: answer.next(), upper: answer.next() };
  }

  /** Every line of a board. @param {VariantView} variant */
  lines(variant) {
    const answer = this.#about(KIND.lines, { variant, discs: [], moves: [] });
    return Array.from({ length: answer.next() }, () => answer.line());
  }

  /** By an empty table: how hard a position is, and how many threads took part.
   * @param {Asked} asked @param {number} nodes at most; 0: no limit @param {number} threads at most */
  solve(asked, nodes = 0, threads = 1) {
    const answer = this.#about(KIND.solve, asked, [nodes | 0, Math.floor(nodes / 2 ** 32), threads]);
    return { lower: answer.next(), upper: answer.next(), nodes: answer.exact(), threads: answer.next() };
  }

  /** Stacks for so many helpers, by where they begin. @param {number} count */
  stacks(count) {
    return Array.from({ length: count }, () => this.core.connectk_stack()).filter((stack) => stack !== 0);
  }

  /** @param {VariantView} variant @param {number} ply @param {number} score */
  discsToWin({ width, height }, ply, score) {
    return this.core.connectk_discs_to_win(width * height, ply, score);
  }

  /** @param {VariantView} variant @param {number} disc */
  winScore({ width, height }, disc) {
    return this.core.connectk_win_score(width * height, disc);
  }
}

/** Milliseconds on a clock that the page and all its workers share. */
export const now = () => performance.timeOrigin + performance.now();

/** What a search has of the time that the page gave, when some is gone since it asked: the answer has its way back, and a late search is a short one.
 * @param {number} ms @param {number} gone */
export const timeLeft = (ms, gone) => Math.round(Math.max(ms - gone - WAY_BACK_MS, ms / 5));

/** What the compiled file asks of its host: a clock, and whether to stop. It opens no file and prints nothing.
 * @param {() => { memory: WebAssembly.Memory }} exports @param {() => boolean} isStopped */
export function host(exports, isStopped) {
  /** @param {number} at @param {bigint} value */
  const write = (at, value) => new DataView(exports().memory.buffer).setBigUint64(at, value, true);
  const nothing = () => 0;
  /** @type {Record<string, (...numbers: any[]) => number>} */
  const system = {
    clock_time_get: (_clock, _precision, at) => {
      write(at, BigInt(Math.round(now() * 1e6)));
      return 0;
    },
    random_get: (at, count) => {
      new Uint8Array(exports().memory.buffer, at, count).set(crypto.getRandomValues(new Uint8Array(count)));
      return 0;
    },
    proc_exit: () => {
      throw new Error("the core gave up");
    },
  };
  return {
    page: { stopped: () => (isStopped() ? 1 : 0) },
    wasi_snapshot_preview1: new Proxy(system, { get: (known, name) => known[String(name)] ?? nothing }),
  };
}

/** The core's memory, in pages of 64 kB as tools/make_core.py has it. It is shared even where nobody else may have it: the
 * module asks for that. Such memory is reserved as a whole, so where so much is not to be had, less must do.
 * @param {number} maximum @returns {WebAssembly.Memory} */
export function newMemory(maximum = MAX_MEMORY_PAGES) {
  try {
    return new WebAssembly.Memory({ initial: MIN_MEMORY_PAGES, maximum, shared: true });
  } catch (error) {
    if (maximum <= MIN_MEMORY_PAGES) throw error;
    return newMemory(maximum / 2);
  }
}

/** An instance of a compiled file, in memory of its own unless it is given some.
 * @param {WebAssembly.Module} module @param {() => boolean} isStopped @param {WebAssembly.Memory} [memory] */
export async function instantiate(module, isStopped, memory) {
  /** @type {WebAssembly.Instance} */
  const instance = await WebAssembly.instantiate(module, {
    ...host(() => /** @type {any} */ (instance.exports), isStopped),
    ...(memory && { env: { memory } }),
  });
  return /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
}

/** What a compiled file has to offer, ready to be asked.
 * @param {WebAssembly.Module} module @param {() => boolean} isStopped @param {WebAssembly.Memory} [memory] */
export async function start(module, isStopped, memory) {
  const exports = await instantiate(module, isStopped, memory);
  exports["_initialize"]();
  return exports;
}

/** @param {WebAssembly.Module} module @param {() => boolean} isStopped @param {WebAssembly.Memory} memory */
export async function startCore(module, isStopped = () => false, memory = newMemory()) {
  return new Core(await start(module, isStopped, memory));
}
