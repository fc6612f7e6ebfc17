// The three workers that run the core, started on demand: one for rules and players, one for scores and hints, so that a
// long search never delays a drop, and one with a module of its own for reviews and explanations. A worker that crashes is
// restarted. With shared memory a flag stops a search, and helper threads join long ones; without it, stopping terminates
// the worker, and a spare one takes over.
import { isHeavy } from "../common/players.js";
import { canShareMemory, fetchModule, startHelper, startWorker } from "./core-files.js";
import { RuleBroken, newMemory, now } from "./numbers.js";

/** @import { ModuleName } from "./core-files.js"
 *  @import { Broken } from "./numbers.js"
 *  @typedef {{ id: number, what: string, facts: any[], at: number, resolve: (answer: any) => void, reject: (error: unknown) => void, tries: number, mayStop: boolean }} QueuedRequest */

const MAX_ATTEMPTS = 2; // a request that crashes its worker twice is rejected
const MAX_THREADS = 4; // the most threads of one search: more would mostly heat a phone
const SPARE_DELAY_MS = 200; // a short search is not slowed down by the start of a spare worker
const THREAD_COUNT = Math.min(globalThis.navigator?.hardwareConcurrency ?? 1, MAX_THREADS);

/** Whether the request may need a long search, for which more threads are useful. @param {QueuedRequest} waiting */
const isLongSearch = ({ what, facts }) =>
  ["scores", "solve", "review", "why"].includes(what) || (what === "choose" && isHeavy(facts[1]));

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiledModules = new Map();

/** Fetches and compiles a module once for all workers. @param {ModuleName} name */
function loadModule(name) {
  const known =
    compiledModules.get(name) ??
    fetchModule(name).catch((error) => {
      compiledModules.delete(name);
      throw error;
    });
  compiledModules.set(name, known);
  return known;
}

export class CoreWorker {
  /** @type {ModuleName} */
  #name;
  #startWorker;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Worker | null} */
  #spare = null;
  #spareTimer = 0;
  /** @type {QueuedRequest[]} */
  #queue = []; // the first request is being answered
  #nextId = 1;
  #isBusy = false;
  /** @type {Int32Array | null} */
  #stopFlag = canShareMemory ? new Int32Array(new SharedArrayBuffer(4)) : null;
  /** @type {Worker[]} */
  #helpers = [];
  #mayUseHelpers = canShareMemory && THREAD_COUNT > 1;
  #hasHelpers = false;
  /** @type {[string, any[]][]} */
  #messages = []; // messages that every worker gets before its next long search
  /** @type {WeakMap<Worker, number>} */
  #sentCount = new WeakMap(); // how many messages a worker has received

  /** @param {ModuleName} name @param {() => Worker} start how its thread is started */
  constructor(name = "connectk", start = startWorker) {
    this.#name = name;
    this.#startWorker = start;
  }

  /** Queues a request. The signal aborts the request's search.
   * @param {string} what @param {any[]} facts @param {AbortSignal} [signal] @returns {Promise<any>} */
  request(what, facts, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return void reject(signal.reason);
      /** @type {QueuedRequest} */
      const waiting = {
        id: this.#nextId++,
        what,
        facts,
        at: now(),
        resolve,
        reject,
        tries: 0,
        mayStop: Boolean(signal),
      };
      signal?.addEventListener("abort", () => this.#abort(waiting, signal.reason), { once: true });
      this.#queue.push(waiting);
      return void this.#processNext();
    });
  }

  /** Sends a message to the current worker and to every later worker, before the worker's next long search. @param {string} what @param {any[]} facts */
  sendToAll(what, facts) {
    this.#messages.push([what, facts]);
  }

  /** @param {Worker} worker */
  #sendMessages(worker) {
    const news = this.#messages.slice(this.#sentCount.get(worker) ?? 0);
    this.#sentCount.set(worker, this.#messages.length);
    for (const [what, facts] of news) worker.postMessage({ id: 0, what, facts, at: now() }, []);
  }

  async #processNext() {
    if (this.#isBusy || !this.#queue.length) return;
    this.#isBusy = true;
    const [waiting] = this.#queue;
    try {
      const worker = this.#worker ?? (await this.#ensureWorker());
      if (waiting !== this.#queue[0] || waiting.tries >= MAX_ATTEMPTS) return void this.#skip(waiting);
      if (this.#stopFlag) Atomics.store(this.#stopFlag, 0, 0);
      if (isLongSearch(waiting)) {
        this.#sendMessages(worker);
        this.#requestHelpers(worker);
      }
      worker.postMessage({ id: waiting.id, what: waiting.what, facts: waiting.facts, at: waiting.at }, []);
      if (waiting.mayStop && !this.#stopFlag) this.#scheduleSpare();
    } catch (error) {
      this.#dequeue(waiting)?.reject(error);
      this.#finishCurrent();
    }
  }

  /** Removes a request that was aborted while it waited in the queue. @param {QueuedRequest} waiting */
  #skip(waiting) {
    this.#dequeue(waiting);
    this.#finishCurrent();
  }

  #finishCurrent() {
    this.#isBusy = false;
    this.#processNext();
  }

  async #ensureWorker() {
    const module = await loadModule(this.#name);
    if (!this.#worker) {
      this.#worker = this.#spare ?? this.#createWorker(module);
      this.#spare = null;
    }
    return this.#worker;
  }

  /** Starts the worker ahead of its first request. */
  start() {
    if (!this.#worker) this.#ensureWorker().catch(() => {}); // the request reports the error
  }

  /** Starts a spare worker soon, which takes over if this one has to be terminated. */
  #scheduleSpare() {
    clearTimeout(this.#spareTimer);
    this.#spareTimer = setTimeout(async () => {
      const module = await loadModule(this.#name).catch(() => null);
      if (module) this.#spare ??= this.#createWorker(module);
    }, SPARE_DELAY_MS);
  }

  /** @param {WebAssembly.Module} module */
  #createWorker(module) {
    const worker = this.#startWorker();
    const memory = canShareMemory ? newMemory() : null;
    worker.addEventListener("message", ({ data }) => {
      if (worker !== this.#worker) return;
      if (data.stacks) this.#startHelpers(data.stacks, module, memory);
      else this.#onAnswer(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#spare) this.#spare = null;
      else if (worker === this.#worker) this.restart();
    });
    worker.postMessage({ name: this.#name, module, memory, flag: this.#stopFlag }, []);
    return worker;
  }

  /** Helpers start while the worker is busy, and join its next search. @param {Worker} worker */
  #requestHelpers(worker) {
    if (!this.#mayUseHelpers || this.#hasHelpers) return;
    this.#hasHelpers = true;
    worker.postMessage({ helpers: THREAD_COUNT - 1 }, []);
  }

  /** @param {number[]} stacks @param {WebAssembly.Module} module @param {WebAssembly.Memory | null} memory */
  #startHelpers(stacks, module, memory) {
    this.#helpers = stacks.map((stack) => {
      const helper = startHelper();
      const lost = () => {
        if (this.#helpers.includes(helper)) this.restart();
      };
      helper.addEventListener("message", lost); // a helper only reports failure
      helper.addEventListener("error", (event) => {
        event.preventDefault();
        lost();
      });
      helper.postMessage({ module, memory, stack }, []);
      return helper;
    });
  }

  /** @param {{ id: number, answer?: any, broken?: Broken, failed?: string }} message */
  #onAnswer({ id, answer, broken, failed }) {
    const waiting = this.#queue[0];
    if (!waiting || waiting.id !== id) return;
    if (failed) return void this.restart(); // the worker's state may be corrupt
    this.#dequeue(waiting);
    if (broken) waiting.reject(new RuleBroken(broken));
    else waiting.resolve(answer);
    this.#finishCurrent();
  }

  /** @param {QueuedRequest} waiting */
  #dequeue(waiting) {
    this.#queue = this.#queue.filter((one) => one !== waiting);
    return waiting;
  }

  /** @param {QueuedRequest} waiting @param {unknown} reason */
  #abort(waiting, reason) {
    if (!this.#queue.includes(waiting)) return;
    const isUnderWay = waiting === this.#queue[0];
    waiting.reject(reason);
    waiting.tries = MAX_ATTEMPTS; // not repeated if the worker crashes
    if (!isUnderWay) return void this.#dequeue(waiting);
    if (this.#stopFlag) return void Atomics.store(this.#stopFlag, 0, 1); // the worker answers soon; the answer is ignored
    this.#dequeue(waiting);
    this.#terminate();
    this.#finishCurrent();
  }

  #terminate() {
    for (const one of [this.#worker, ...this.#helpers]) one?.terminate();
    this.#worker = null;
    this.#helpers = [];
    this.#hasHelpers = false;
  }

  /** Replaces a worker that crashed or failed and repeats its request without helpers, as a helper may be the cause. */
  restart() {
    this.#mayUseHelpers = false;
    this.#terminate();
    const [waiting] = this.#queue;
    if (waiting && ++waiting.tries >= MAX_ATTEMPTS) this.#dequeue(waiting).reject(new Error("the core gave up"));
    this.#finishCurrent();
  }
}

export const rulesWorker = new CoreWorker();
export const scoreWorker = new CoreWorker();
export const reviewWorker = new CoreWorker("analysis");
