// The page's end of the core: two workers, made when they are first needed. One knows the rules and plays, the other one
// analyses, so that a long search never holds up a drop. A worker that dies is replaced, and so is one that must stop
// where it cannot be told to: there a spare one stands by while it searches.
import { RuleBroken } from "./numbers.js";

/** @import { Broken } from "./numbers.js"
 *  @typedef {{ id: number, what: string, facts: any[], resolve: (answer: any) => void, reject: (error: unknown) => void, tries: number, mayStop: boolean }} Waiting */

const MOST_TRIES = 2; // a question that kills its worker twice is given up

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();

/** Fetched once and compiled once; each worker gets it ready to run. @param {"connectk" | "why"} name */
export function loadModule(name = "connectk") {
  const known = compiled.get(name) ?? bring(name).catch((error) => { compiled.delete(name); throw error; });
  compiled.set(name, known);
  return known;
}

/** @param {string} name */
async function bring(name) {
  const address = new URL(`../../core/${name}.wasm`, import.meta.url);
  const answer = await fetch(address);
  if (!answer.ok) throw new TypeError(`no core at ${address}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

export class Crewman {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Worker | null} */
  #spare = null;
  /** @type {Waiting[]} */
  #queue = []; // the first one is being answered
  #next = 1;
  #asking = false;
  /** @type {Int32Array | null} */
  #flag = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  /** @type {[string, any[]][]} */
  #known = []; // what a worker that takes over must be told

  /** The answer; a signal that says stop ends the search at once.
   * @param {string} what @param {any[]} facts @param {AbortSignal} [signal] @returns {Promise<any>} */
  ask(what, facts, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return void reject(signal.reason);
      /** @type {Waiting} */
      const waiting = { id: this.#next++, what, facts, resolve, reject, tries: 0, mayStop: Boolean(signal) };
      signal?.addEventListener("abort", () => this.#stop(waiting, signal.reason), { once: true });
      this.#queue.push(waiting);
      return void this.#go();
    });
  }

  /** Told now, and to every worker that takes over later. @param {string} what @param {any[]} facts */
  tell(what, facts) {
    this.#known.push([what, facts]);
    this.#spare?.postMessage({ id: 0, what, facts }, []);
    return this.ask(what, facts);
  }

  async #go() {
    if (this.#asking || !this.#queue.length) return;
    this.#asking = true;
    const [waiting] = this.#queue;
    try {
      const worker = this.#worker ?? await this.#start();
      if (waiting !== this.#queue[0]) return void this.#again();
      if (this.#flag) Atomics.store(this.#flag, 0, 0);
      worker.postMessage({ id: waiting.id, what: waiting.what, facts: waiting.facts }, []);
      if (waiting.mayStop && !this.#flag) this.#spare ??= this.#make(await loadModule());
    } catch (error) {
      this.#take(waiting)?.reject(error);
      this.#again();
    }
  }

  #again() {
    this.#asking = false;
    this.#go();
  }

  async #start() {
    const module = await loadModule();
    this.#worker = this.#spare ?? this.#make(module);
    this.#spare = null;
    return this.#worker;
  }

  /** @param {WebAssembly.Module} module */
  #make(module) {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => { if (worker === this.#worker) this.#heard(data); });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#spare) this.#spare = null;
      else if (worker === this.#worker) this.replace();
    });
    worker.postMessage({ module, flag: this.#flag }, []);
    for (const [what, facts] of this.#known) worker.postMessage({ id: 0, what, facts }, []);
    return worker;
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
    if (!isUnderWay) return void this.#take(waiting);
    if (this.#flag) return void Atomics.store(this.#flag, 0, 1); // it answers soon, and nobody hears it
    this.#take(waiting);
    this.#end();
    this.#again();
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** The worker died, or was found wanting: another one takes over what it was asked. */
  replace() {
    this.#end();
    const [waiting] = this.#queue;
    if (waiting && ++waiting.tries >= MOST_TRIES) this.#take(waiting).reject(new Error("the core gave up"));
    this.#again();
  }
}

export const rules = new Crewman();
export const analyst = new Crewman();
