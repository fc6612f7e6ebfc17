// The compiled core takes and returns numbers. It describes its own requests and answers (native/describe.hpp and
// native/web/numbers.hpp); this module converts objects to numbers and back. It does not know the rules of the game.
import { BEST_LEVEL } from "../common/constants.js";
import { parsePlayer } from "../common/players.js";

/** @import { MomentView, ResultView, ScoresAnswer, ThreatView, VariantView, HintAnswer } from "../types.js"
 *  @typedef {{ variant: VariantView, discs: number[][], moves: number[] }} Asked a position: discs set up as column, row, side
 *  @typedef {MomentView & { result: ResultView | null }} Moment
 *  @typedef {{ rule: string, facts: number[], drop: number }} Broken
 *  @typedef {{ lower: number, upper: number, nodes: number, threads: number }} Solved
 *  @typedef {"int" | "bool" | "number" | "text" | "bytes"} PlainType
 *  @typedef {PlainType | { list?: Type, maybe?: Type, all?: Type[], one?: string[], fields?: Record<string, Type>, omits?: boolean, answer?: Type, refusal?: Type }} Type
 *  @typedef {{ memory: WebAssembly.Memory, __stack_pointer: WebAssembly.Global<"i32">, connectk_stack: () => number, connectk_help: (stack: number) => void,
 *    connectk_room: (count: number) => number, connectk_ask: (number: number) => number, connectk_description: () => number,
 *    connectk_answer: () => number, _initialize: () => void }} Exports */

const MIN_MEMORY_PAGES = 128;
const MAX_MEMORY_PAGES = 8192;
const ANSWER_DELAY_MS = 20; // the time for the answer to reach the page

/** Thrown if the core refuses a request because of a rule; the page turns the facts into a message. */
export class RuleBroken extends Error {
  /** @param {Broken} broken */
  constructor(broken) {
    super(broken.rule);
    this.broken = broken;
  }
}

class Writer {
  #room = new Int32Array(256);
  #count = 0;

  get numbers() {
    return this.#room.subarray(0, this.#count);
  }

  /** Makes room for more numbers. @param {number} more */
  #make(more) {
    const count = this.#count + more;
    if (count <= this.#room.length) return;
    const larger = new Int32Array(2 * count);
    larger.set(this.numbers);
    this.#room = larger;
  }

  /** @param {...number} numbers */
  #push(...numbers) {
    this.#make(numbers.length);
    for (const number of numbers) this.#room[this.#count++] = number;
  }

  /** Copies the bytes as they are, since a book has more than a million. @param {Uint8Array} bytes */
  #bytes(bytes) {
    const words = Math.ceil(bytes.length / 4);
    this.#push(bytes.length);
    this.#make(words);
    new Uint8Array(this.#room.buffer, 4 * this.#count).set(bytes);
    this.#count += words;
  }

  /** @param {Type} type @param {any} value */
  write(type, value) {
    if (typeof type === "string") this.#writePlain(type, value);
    else if (type.one) this.#push(type.one.indexOf(value));
    else if (type.fields) for (const [name, of] of Object.entries(type.fields)) this.write(of, value[name]);
    else if (type.all) for (const [i, of] of type.all.entries()) this.write(of, value[i]);
    else if (type.maybe) this.#list(type.maybe, value === null ? [] : [value]);
    else this.#list(type.list ?? "int", value);
  }

  /** @param {PlainType} type @param {any} value */
  #writePlain(type, value) {
    if (type === "int" || type === "bool") this.#push(Number(value));
    else if (type === "number") this.#push(...new Int32Array(Float64Array.of(value).buffer));
    else this.#bytes(type === "text" ? new TextEncoder().encode(value) : value);
  }

  /** @param {Type} of @param {any[]} values */
  #list(of, values) {
    this.#push(values.length);
    for (const value of values) this.write(of, value);
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
    return new Uint8Array(this.numbers.buffer, from, length).slice(); // a copy, which is not shared
  }

  /** @param {Type} type @returns {any} */
  read(type) {
    if (typeof type === "string") return this.#readPlain(type);
    if (type.one) return type.one[this.#next()];
    if (type.maybe) return this.#next() ? this.read(type.maybe) : null;
    if (type.all) return type.all.map((of) => this.read(of));
    if (type.fields) return this.#readObject(type.fields, Boolean(type.omits));
    if (type.answer && type.refusal) {
      if (this.#next()) throw new RuleBroken(this.read(type.refusal));
      return this.read(type.answer);
    }
    return Array.from({ length: this.#next() }, () => this.read(type.list ?? "int"));
  }

  /** @param {PlainType} type */
  #readPlain(type) {
    if (type === "int") return this.#next();
    if (type === "bool") return this.#next() === 1;
    if (type === "number") return new Float64Array(Int32Array.of(this.#next(), this.#next()).buffer)[0];
    const bytes = this.#bytes();
    return type === "text" ? new TextDecoder().decode(bytes) : bytes;
  }

  /** @param {Record<string, Type>} types @param {boolean} omits whether fields without a value are left out */
  #readObject(types, omits) {
    const fields = Object.entries(types).map(([name, of]) => [name, this.read(of)]);
    return Object.fromEntries(omits ? fields.filter(([, value]) => value !== null) : fields);
  }
}

/** A WebAssembly module whose requests are called by the names in its own description. */
export class WasmModule {
  /** @type {Map<string, { number: number, asks: Type, answers: Type }>} */
  #questions;

  /** @param {Exports} core */
  constructor(core) {
    this.core = core;
    const from = core.connectk_description(); // may grow the memory
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
    writer.write(asked.asks, question);
    const { numbers } = writer;
    const room = this.core.connectk_room(numbers.length);
    new Int32Array(this.core.memory.buffer, room, numbers.length).set(numbers);
    const count = this.core.connectk_ask(asked.number);
    const from = this.core.connectk_answer();
    return new Reader(this.core.memory.buffer.slice(from, from + 4 * count)).read(asked.answers);
  }
}

export class Core extends WasmModule {
  /** Every position of a game, and the board that the game began with. @param {Asked} asked @returns {{ board: string[], positions: Moment[] }} */
  game(asked) {
    return this.ask("game", asked);
  }

  /** The position after the last move. @param {Asked} asked @returns {Moment & { board: string[] }} */
  moment(asked) {
    return this.ask("moment", asked);
  }

  /** Every cell where a disc would win, playable cells first. @param {Asked} asked @returns {ThreatView[]} */
  threats(asked) {
    return this.ask("threats", asked);
  }

  /** @param {Asked} asked @param {string} player such as level:3 @param {number} ms @param {[number, number]} seed @returns {HintAnswer} */
  choose(asked, player, ms, [low, high]) {
    const { name, number } = parsePlayer(player);
    const isBest = name === "level" && number === BEST_LEVEL; // the best level thinks against a clock
    const seed = (low >>> 0) + (high & 0x1f_ffff) * 2 ** 32; // 53 bits, the most that a number holds exactly
    const question = { ...asked, player: isBest ? "engine" : name, strength: number, seed, ms };
    const { column, depth, nodes, ...thought } = this.ask("choose", question);
    return { column, thought: { ...thought, depth: depth || null, nodes: nodes || null } };
  }

  /** @param {Asked} asked @param {number} ms @param {boolean} estimates @returns {ScoresAnswer} */
  scores(asked, ms, estimates = true) {
    return this.ask("scores", { ...asked, ms, estimates });
  }

  /** The referee's verdict on a file. @param {Uint8Array} bytes
   * @returns {{ code: number, moves: number, line: number | null, first_code: number | null, first_line: number | null }} */
  judge(bytes) {
    return this.ask("judge", { bytes });
  }

  /** @param {Uint8Array} bytes */
  readBook(bytes) {
    this.ask("book", { bytes });
  }

  /** Solves with an empty table, which shows how hard a position is and how many threads took part.
   * @param {Asked} asked @param {number} nodes the limit; 0: no limit @param {number} threads the most threads @returns {Solved} */
  solve(asked, nodes = 0, threads = 1) {
    return this.ask("solve", { ...asked, nodes, threads });
  }

  /** Makes stacks for the helpers and returns where each stack begins. @param {number} count */
  stacks(count) {
    return Array.from({ length: count }, () => this.core.connectk_stack()).filter((stack) => stack !== 0);
  }
}

/** Milliseconds on a clock that the page and all its workers share. */
export const now = () => performance.timeOrigin + performance.now();

/** The time left for a search, when part of the time that the page gave is gone. The answer needs time to return; a late search still gets a fifth.
 * @param {number} ms @param {number} gone */
export const timeLeft = (ms, gone) => Math.round(Math.max(ms - gone - ANSWER_DELAY_MS, ms / 5));

/** The functions that the compiled file needs from its host: a clock, and whether to stop. It opens no file and prints nothing.
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

/** The core's memory, in pages of 64 kB as in tools/make_core.py. It is always shared memory, because the module
 * requires that. The browser reserves such memory as a whole; if it refuses this much, a smaller maximum is tried.
 * @param {number} maximum @returns {WebAssembly.Memory} */
export function newMemory(maximum = MAX_MEMORY_PAGES) {
  try {
    return new WebAssembly.Memory({ initial: MIN_MEMORY_PAGES, maximum, shared: true });
  } catch (error) {
    if (maximum <= MIN_MEMORY_PAGES) throw error;
    return newMemory(maximum / 2);
  }
}

/** Makes an instance of a compiled file, in the given memory or else in memory of its own.
 * @param {WebAssembly.Module} module @param {() => boolean} isStopped @param {WebAssembly.Memory} [memory] */
export async function instantiate(module, isStopped, memory) {
  /** @type {WebAssembly.Instance} */
  const instance = await WebAssembly.instantiate(module, {
    ...host(() => /** @type {any} */ (instance.exports), isStopped),
    ...(memory && { env: { memory } }),
  });
  return /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
}

/** Starts a compiled file and returns its functions, ready to be called.
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
