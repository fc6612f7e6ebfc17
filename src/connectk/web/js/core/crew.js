// The page's end of the core: three workers, made when they are first needed. One knows the rules and plays, one scores
// columns and gives hints, so that a long search never holds up a drop, and one, with a module of its own, reviews and
// explains. A worker that dies is replaced, and so is one that must stop where it cannot be told to: there a spare one
// stands by. Where memory may be shared, helpers take part in long searches.
import { isHeavy } from "../common/players.js";
import { RuleBroken, newMemory, now } from "./numbers.js";

/** @import { Broken } from "./numbers.js"
 *  @typedef {"connectk" | "analysis"} ModuleName
 *  @typedef {{ id: number, what: string, facts: any[], at: number, resolve: (answer: any) => void, reject: (error: unknown) => void, tries: number, mayStop: boolean }} Waiting */

const MOST_TRIES = 2; // a question that kills its worker twice is given up
const MOST_THREADS = 4; // of one search: more would above all warm the hand that holds a phone
const THREADS = Math.min(globalThis.navigator?.hardwareConcurrency ?? 1, MOST_THREADS);

/** Whether memory may be shared with workers: by the headers of our server, or those that the service worker adds. */
const isShared = Boolean(globalThis.crossOriginIsolated);

/** Whether more threads would be of use. @param {Waiting} waiting */
const isLong = ({ what, facts }) =>
  ["scores", "solve", "review", "why"].includes(what) || (what === "choose" && isHeavy(facts[1]));

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();

/** Fetched once and compiled once; each worker gets it ready to run. @param {ModuleName} name */
function loadModule(name) {
  const known =
    compiled.get(name) ??
    bring(name).catch((error) => {
      compiled.delete(name);
      throw error;
    });
  compiled.set(name, known);
  return known;
}

/** @param {ModuleName} name */
async function bring(name) {
  const address = new URL(`../../core/${name}.wasm`, import.meta.url);
  const answer = await fetch(address);
  if (!answer.ok) throw new TypeError(`no core at ${address}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

export class Crewman {
  /** @type {ModuleName} */
  #name;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Worker | null} */
  #spare = null;
  /** @type {Waiting[]} */
  #queue = []; // the first one is being answered
  #next = 1;
  #asking = false;
  /** @type {Int32Array | null} */
  #flag = isShared ? new Int32Array(new SharedArrayBuffer(4)) : null;
  /** @type {Worker[]} */
  #helpers = [];
  #mayBeHelped = isShared && THREADS > 1;
  #isHelped = false;
  /** @type {[string, any[]][]} */
  #known = []; // what a worker that takes over must be told

  /** @param {ModuleName} name */
  constructor(name = "connectk") {
    this.#name = name;
  }

  /** The answer; a signal that says stop ends the search at once.
   * @param {string} what @param {any[]} facts @param {AbortSignal} [signal] @returns {Promise<any>} */
  ask(what, facts, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return void reject(signal.reason);
      /** @type {Waiting} */
      const waiting = { id: this.#next++, what, facts, at: now(), resolve, reject, tries: 0, mayStop: Boolean(signal) };
      signal?.addEventListener("abort", () => this.#stop(waiting, signal.reason), { once: true });
      this.#queue.push(waiting);
      return void this.#go();
    });
  }

  /** Told now, if there is a worker, and to every one that is made later. @param {string} what @param {any[]} facts */
  async tell(what, facts) {
    this.#known.push([what, facts]);
    this.#spare?.postMessage({ id: 0, what, facts, at: now() }, []);
    if (this.#worker) await this.ask(what, facts);
  }

  async #go() {
    if (this.#asking || !this.#queue.length) return;
    this.#asking = true;
    const [waiting] = this.#queue;
    try {
      const worker = this.#worker ?? (await this.#start());
      if (waiting !== this.#queue[0] || waiting.tries >= MOST_TRIES) return void this.#pass(waiting);
      if (this.#flag) Atomics.store(this.#flag, 0, 0);
      if (isLong(waiting)) this.#wantHelpers(worker);
      worker.postMessage({ id: waiting.id, what: waiting.what, facts: waiting.facts, at: waiting.at }, []);
      if (waiting.mayStop) await this.#standBy();
    } catch (error) {
      this.#take(waiting)?.reject(error);
      this.#again();
    }
  }

  /** It was stopped before it began. @param {Waiting} waiting */
  #pass(waiting) {
    this.#take(waiting);
    this.#again();
  }

  #again() {
    this.#asking = false;
    this.#go();
  }

  async #start() {
    const module = await loadModule(this.#name);
    if (!this.#worker) {
      this.#worker = this.#spare ?? this.#make(module);
      this.#spare = null;
    }
    return this.#worker;
  }

  /** Starts the worker ahead of its first question. */
  prepare() {
    if (!this.#worker) this.#start().catch(() => {}); // the question itself tells what is wrong
  }

  /** Where nobody can tell a worker to stop, another one is ready to take over. */
  async #standBy() {
    const module = this.#flag ? null : await loadModule(this.#name);
    if (module) this.#spare ??= this.#make(module);
  }

  /** @param {WebAssembly.Module} module */
  #make(module) {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const memory = isShared ? newMemory() : null;
    worker.addEventListener("message", ({ data }) => {
      if (worker !== this.#worker) return;
      if (data.stacks) this.#startHelpers(data.stacks, module, memory);
      else this.#heard(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#spare) this.#spare = null;
      else if (worker === this.#worker) this.replace();
    });
    worker.postMessage({ name: this.#name, module, memory, flag: this.#flag }, []);
    for (const [what, facts] of this.#known) worker.postMessage({ id: 0, what, facts, at: now() }, []);
    return worker;
  }

  /** They come while it works, and join its next search. @param {Worker} worker */
  #wantHelpers(worker) {
    if (!this.#mayBeHelped || this.#isHelped) return;
    this.#isHelped = true;
    worker.postMessage({ helpers: THREADS - 1 }, []);
  }

  /** @param {number[]} stacks @param {WebAssembly.Module} module @param {WebAssembly.Memory | null} memory */
  #startHelpers(stacks, module, memory) {
    this.#helpers = stacks.map((stack) => {
      const helper = new Worker(new URL("./helper.js", import.meta.url), { type: "module" });
      const lost = () => {
        if (this.#helpers.includes(helper)) this.replace();
      };
      helper.addEventListener("message", lost); // it has nothing else to say
      helper.addEventListener("error", (event) => {
        event.preventDefault();
        lost();
      });
      helper.postMessage({ module, memory, stack }, []);
      return helper;
    });
  }

  /** @param {{ id: number, answer?: any, broken?: Broken, failed?: string }} heard */
  #heard({ id, answer, broken, failed }) {
    const waiting = this.#queue[0];
    if (!waiting || waiting.id !== id) return;
    if (failed) return void this.replace(); // what it knows may be amiss
    this.#take(waiting);
    if (broken) waiting.reject(new RuleBroken(broken));
    else waiting.resolve(answer);
    this.#again();
    this.#standBy().catch(() => {});
  }

  /** @param {Waiting} waiting */
  #take(waiting) {
    this.#queue = this.#queue.filter((one) => one !== waiting);
    return waiting;
  }

  /** @param {Waiting} waiting @param {unknown} reason */
  #stop(waiting, reason) {
    if (!this.#queue.includes(waiting)) return;
    const isUnderWay = waiting === this.#queue[0];
    waiting.reject(reason);
    waiting.tries = MOST_TRIES; // it is not asked again, should its worker die
    if (!isUnderWay) return void this.#take(waiting);
    if (this.#flag) return void Atomics.store(this.#flag, 0, 1); // it answers soon, and nobody hears it
    this.#take(waiting);
    this.#end();
    this.#again();
  }

  #end() {
    for (const one of [this.#worker, ...this.#helpers]) one?.terminate();
    this.#worker = null;
    this.#helpers = [];
    this.#isHelped = false;
  }

  /** The worker died, or was found wanting: another one takes over what it was asked, alone, for it may be a helper that died. */
  replace() {
    this.#mayBeHelped = false;
    this.#end();
    const [waiting] = this.#queue;
    if (waiting && ++waiting.tries >= MOST_TRIES) this.#take(waiting).reject(new Error("the core gave up"));
    this.#again();
  }
}

export const rules = new Crewman();
export const analyst = new Crewman();
export const reviewer = new Crewman("analysis");
