// A thread that runs the core, started in the first way that works: as a worker of Node.js, from the file beside this one, from
// the script's text, or, where a page's policy forbids workers, on the thread that asks.
import { answerWith } from "page/core/answering.js";
import scripts from "made/threads.js"; // their texts, which a bundle contains too

/** @typedef {"worker" | "helper"} ThreadKind
 *  @typedef {{ postMessage: (message: any, transferred: Transferable[]) => void, terminate: () => void, addEventListener: EventTarget["addEventListener"] }} Port */

const OWN_FILE = /\/connectk-\w+\.js$/; // how tools/make_npm.py names this file; a bundler gives it another name

/** For each kind, which ways have failed here: later threads do not try them again. */
const failedWays = { worker: 0, helper: 0 };

export class Thread extends EventTarget {
  /** @type {any[]} */
  #sent = []; // until the first answer, for the next way
  #hasAnswered = false;
  /** @type {Port | null} */
  #port = null;

  /** @param {ThreadKind} kind */
  constructor(kind) {
    super();
    this.kind = kind;
    this.ways = WAYS[kind].slice(failedWays[kind]);
    this.#start();
  }

  #start() {
    const way = this.ways.shift();
    if (!way) return void setTimeout(() => this.#reportFailure());
    try {
      this.#listenTo(way(this.kind));
    } catch {
      this.#tryNext();
    }
  }

  /** @param {Port} port */
  #listenTo(port) {
    this.#port = port;
    port.addEventListener("message", (event) => {
      if (port !== this.#port) return;
      this.#hasAnswered = true;
      this.#sent = [];
      this.dispatchEvent(new MessageEvent("message", { data: /** @type {MessageEvent} */ (event).data }));
    });
    port.addEventListener("error", (event) => {
      event.preventDefault();
      if (port !== this.#port) return;
      if (this.#hasAnswered) this.#reportFailure();
      else this.#tryNext();
    });
    for (const message of this.#sent) port.postMessage(message, []);
  }

  #tryNext() {
    this.#port?.terminate();
    this.#port = null;
    failedWays[this.kind] = WAYS[this.kind].length - this.ways.length;
    this.#start();
  }

  #reportFailure() {
    this.dispatchEvent(new Event("error", { cancelable: true }));
  }

  /** @param {any} message */
  postMessage(message) {
    if (!this.#hasAnswered) this.#sent.push(message);
    try {
      this.#port?.postMessage(message, []);
    } catch {
      this.#tryNext(); // such a message cannot be sent to another thread here
    }
  }

  terminate() {
    this.#port?.terminate();
    this.#port = null;
    this.ways = [];
  }
}

/** The core on the thread that asks. @returns {Worker} */
export const startHere = () => /** @type {any} */ (new LocalPort());

/** @implements {Port} */
class LocalPort extends EventTarget {
  #isOver = false;
  #answer = answerWith((data) => {
    if (!this.#isOver) this.dispatchEvent(new MessageEvent("message", { data }));
  });

  /** @param {any} message */
  postMessage(message) {
    queueMicrotask(() => this.receive(message));
  }

  /** @param {any} message */
  receive(message) {
    if (!this.#isOver) this.#answer(message);
  }

  terminate() {
    this.#isOver = true;
  }
}

/** The core on the thread that asks, once what was drawn before can be seen. */
class PatientLocalPort extends LocalPort {
  /** @param {any} message */
  postMessage(message) {
    setTimeout(() => this.receive(message));
  }
}

/** A worker of Node.js; the process may end while it has nothing to answer. @implements {Port} */
class NodePort extends EventTarget {
  #waiting = 0;

  /** @param {any} NodeWorker @param {string} script */
  constructor(NodeWorker, script) {
    super();
    this.worker = new NodeWorker(script, { eval: true });
    this.worker.unref();
    this.worker.on("online", () => this.#waiting || this.worker.unref()); // a start may undo what was said before
    this.worker.on("message", (/** @type {any} */ data) => {
      if (data.id && !--this.#waiting) this.worker.unref();
      this.dispatchEvent(new MessageEvent("message", { data }));
    });
    this.worker.on("error", () => this.dispatchEvent(new Event("error", { cancelable: true })));
  }

  /** @param {any} message */
  postMessage(message) {
    if (message.id && !this.#waiting++) this.worker.ref();
    this.worker.postMessage(message, []);
  }

  terminate() {
    this.worker.terminate();
  }
}

/** @param {ThreadKind} kind */
function startInNode(kind) {
  const { Worker: NodeWorker } = /** @type {any} */ (globalThis).process.getBuiltinModule("node:worker_threads");
  return new NodePort(NodeWorker, scripts[kind]);
}

/** From a file, which a policy that allows the package's host allows too. Only a page of the same host may. @param {ThreadKind} kind */
function startFromFile(kind) {
  const { href, origin } = new URL(import.meta.url);
  if (!OWN_FILE.test(href) || origin !== globalThis.origin) throw new TypeError("no file beside this one");
  return new Worker(href.replace(OWN_FILE, `/connectk.${kind}.js`), { type: "module" });
}

/** @param {ThreadKind} kind */
function startFromText(kind) {
  const address = URL.createObjectURL(new Blob([scripts[kind]], { type: "text/javascript" }));
  return new Worker(address, { type: "module" });
}

const THREADED = [startInNode, startFromFile, startFromText];

/** @type {Record<ThreadKind, ((kind: ThreadKind) => Port)[]>} */
const WAYS = { worker: [...THREADED, () => new PatientLocalPort()], helper: THREADED };
