// The compiled core speaks in numbers. What it can be asked and what it answers, it describes itself, as native/describe.hpp
// and native/web/numbers.hpp have it; here objects become numbers and numbers objects. No rule is written here.
import { BEST_LEVEL } from "../common/constants.js";
import { kindOf } from "../common/players.js";

/** @import { MomentView, ResultView, ScoresAnswer, ThreatView, VariantView, HintAnswer } from "../types.js"
 *  @typedef {{ variant: VariantView, discs: number[][], moves: number[] }} Asked a position: discs set up as column, row, side
 *  @typedef {MomentView & { result: ResultView | null }} Moment
 *  @typedef {{ rule: string, facts: number[], drop: number }} Broken
 *  @typedef {{ lower: number, upper: number, nodes: number, threads: number }} Solved
 *  @typedef {"int" | "bool" | "number" | "text" | "bytes" | { list?: Type, maybe?: Type, all?: Type[], one?: string[], fields?: Record<string, Type>, omits?: boolean, answer?: Type, refusal?: Type }} Type
 *  @typedef {{ memory: WebAssembly.Memory, __stack_pointer: WebAssembly.Global<"i32">, connectk_stack: () => number, connectk_help: (stack: number) => void,
 *    connectk_room: (count: number) => number, connectk_ask: (number: number) => number, connectk_description: () => number,
 *    connectk_answer: () => number, _initialize: () => void }} Exports */

const MIN_MEMORY_PAGES = 128;
const MAX_MEMORY_PAGES = 8192;
const WAY_BACK_MS = 20; // until the page has the answer

/** A rule says no; its facts are put into words where the words are. */
export class RuleBroken extends Error {
  /** @param {Broken} broken */
  constructor(broken) {
    super(broken.rule);
    this.broken = broken;
  }
}

class Writer {
  /** @type {number[]} */
  numbers = [];

  /** @param {Uint8Array} bytes */
  #bytes(bytes) {
    const words = new Int32Array(Math.ceil(bytes.length / 4));
    new Uint8Array(words.buffer).set(bytes);
    this.numbers.push(bytes.length);
    for (const word of words) this.numbers.push(word);
  }

  /** @param {Type} type @param {any} value */
  put(type, value) {
    if (type === "int" || type === "bool") this.numbers.push(Number(value));
    else if (type === "number") this.numbers.push(...new Int32Array(Float64Array.of(value).buffer));
    else if (type === "text") this.#bytes(new TextEncoder().encode(value));
    else if (type === "bytes") this.#bytes(value);
    else if (type.one) this.numbers.push(type.one.indexOf(value));
    else if (type.fields) for (const [name, of] of Object.entries(type.fields)) this.put(of, value[name]);
    else if (type.all) for (const [i, of] of type.all.entries()) this.put(of, value[i]);
    else if (type.maybe) this.#list(type.maybe, value === null ? [] : [value]);
    else this.#list(type.list ?? "int", value);
  }

  /** @param {Type} of @param {any[]} values */
  #list(of, values) {
    this.numbers.push(values.length);
    for (const value of values) this.put(of, value);
  }
}

class Reader {
  #at = 0;

  /** @param {ArrayBufferLike} buffer */
  constructor(buffer) {
    this.numbers = new Int32Array(buffer);
  }

  #next() {
    return this.numbers[this.#at++];
  }

  #bytes() {
    const length = this.#next();
    const from = 4 * this.#at;
    this.#at += Math.ceil(length / 4);
    return new Uint8Array(this.numbers.buffer, from, length).slice(); // not shared
  }

  /** @param {Type} type @returns {any} */
  get(type) {
    if (type === "int") return this.#next();
    if (type === "bool") return this.#next() === 1;
    if (type === "number") return new Float64Array(Int32Array.of(this.#next(), this.#next()).buffer)[0];
    if (type === "text") return new TextDecoder().decode(this.#bytes());
    if (type === "bytes") return this.#bytes();
    if (type.one) return type.one[this.#next()];
    if (type.maybe) return this.#next() ? this.get(type.maybe) : null;
    if (type.all) return type.all.map((of) => this.get(of));
    if (type.fields) {
      const fields = Object.entries(type.fields).map(([name, of]) => [name, this.get(of)]);
      return Object.fromEntries(type.omits ? fields.filter(([, value]) => value !== null) : fields);
    }
    if (type.answer && type.refusal) {
      if (this.#next()) throw new RuleBroken(this.get(type.refusal));
      return this.get(type.answer);
    }
    return Array.from({ length: this.#next() }, () => this.get(type.list ?? "int"));
  }
}

/** Something that was compiled for the page, asked by the names in its own description. */
export class Compiled {
  /** @type {Map<string, { number: number, asks: Type, answers: Type }>} */
  #questions;

  /** @param {Exports} core */
  constructor(core) {
    this.core = core;
    const from = core.connectk_description(); // which may make the memory grow
    const bytes = new Uint8Array(core.memory.buffer);
    /** @type {{ name: string, asks: Type, answers: Type }[]} */
    const described = JSON.parse(new TextDecoder().decode(bytes.slice(from, bytes.indexOf(0, from))));
    this.#questions = new Map(described.map(({ name, asks, answers }, number) => [name, { number, asks, answers }]));
  }

  /** @param {string} name @param {Record<string, any>} question @returns {any} */
  ask(name, question) {
    const asked = this.#questions.get(name);
    if (!asked) throw new TypeError(`nobody answers ${name}`);
    const writer = new Writer();
    writer.put(asked.asks, question);
    const room = this.core.connectk_room(writer.numbers.length);
    new Int32Array(this.core.memory.buffer, room, writer.numbers.length).set(writer.numbers);
    const count = this.core.connectk_ask(asked.number);
    const from = this.core.connectk_answer();
    return new Reader(this.core.memory.buffer.slice(from, from + 4 * count)).get(asked.answers);
  }
}

export class Core extends Compiled {
  /** Every moment of a game, and the board that it began with. @param {Asked} asked @returns {{ board: string[], positions: Moment[] }} */
  game(asked) {
    return this.ask("game", asked);
  }

  /** The board as it is now. @param {Asked} asked @returns {Moment & { board: string[] }} */
  moment(asked) {
    return this.ask("moment", asked);
  }

  /** Every cell that would win, those within reach first. @param {Asked} asked @returns {ThreatView[]} */
  threats(asked) {
    return this.ask("threats", asked);
  }

  /** @param {Asked} asked @param {string} player such as level:3 @param {number} ms @param {[number, number]} seed @returns {HintAnswer} */
  choose(asked, player, ms, [low, high]) {
    const { name, number } = kindOf(player);
    const isBest = name === "level" && number === BEST_LEVEL; // who thinks against a clock
    const seed = (low >>> 0) + (high & 0x1f_ffff) * 2 ** 32; // as much as a number holds
    const question = { ...asked, player: isBest ? "engine" : name, strength: number, seed, ms };
    const { column, depth, nodes, ...thought } = this.ask("choose", question);
    return { column, thought: { ...thought, depth: depth || null, nodes: nodes || null } };
  }

  /** @param {Asked} asked @param {number} ms @param {boolean} estimates @returns {ScoresAnswer} */
  scores(asked, ms, estimates = true) {
    return this.ask("scores", { ...asked, ms, estimates });
  }

  /** What the referee says of a file. @param {Uint8Array} bytes
   * @returns {{ code: number, moves: number, line: number | null, first_code: number | null, first_line: number | null }} */
  judge(bytes) {
    return this.ask("judge", { bytes });
  }

  /** @param {Uint8Array} bytes */
  readBook(bytes) {
    this.ask("book", { bytes });
  }

  /** By an empty table: how hard a position is, and how many threads took part.
   * @param {Asked} asked @param {number} nodes at most; 0: no limit @param {number} threads at most @returns {Solved} */
  solve(asked, nodes = 0, threads = 1) {
    return this.ask("solve", { ...asked, nodes, threads });
  }

  /** Stacks for so many helpers, by where they begin. @param {number} count */
  stacks(count) {
    return Array.from({ length: count }, () => this.core.connectk_stack()).filter((stack) => stack !== 0);
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
