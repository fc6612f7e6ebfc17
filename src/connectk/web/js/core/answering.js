// Answers the messages of core-workers.js with the core, one request at a time. With shared memory a flag stops a search;
// without it the page terminates the worker. Explanations load their scripts on demand.
import { startAnalysis } from "./analysis.js";
import { RuleBroken, newMemory, now, startCore, timeLeft } from "./numbers.js";

/** @import { AnalysisCore } from "./analysis.js"
 *  @import { Core } from "./numbers.js"
 *  @typedef {{ id: number, what: string, facts: any[], at: number }} Question */

/** @param {(message: any) => void} post sends a message to the page @returns {(message: any) => Promise<void>} what receives its messages */
export function answerWith(post) {
  /** @type {Promise<Core>} */
  let core;
  /** @type {Int32Array | null} */
  let flag = null;
  let askedAt = 0;
  const isStopped = () => flag !== null && Atomics.load(flag, 0) === 1;
  /** @param {number} ms */
  const remainingMs = (ms) => timeLeft(ms, now() - askedAt);
  const handlers = handlersFor(isStopped, remainingMs);
  return async (message) => {
    if (message.module) {
      flag = message.flag ?? null;
      core = startCoreModule(message, isStopped);
      return;
    }
    if (message.helpers) return void post({ stacks: (await core).stacks(message.helpers) });
    const { id, what, facts, at } = /** @type {Question} */ (message);
    try {
      const it = await core;
      askedAt = at;
      post({ id, answer: await handlers[what](it, ...facts) });
    } catch (error) {
      post({ id, ...(error instanceof RuleBroken ? { broken: error.broken } : { failed: String(error) }) });
    }
  };
}

/** @param {() => boolean} isStopped @param {(ms: number) => number} remainingMs @returns {Record<string, (core: Core, ...facts: any[]) => any>} */
const handlersFor = (isStopped, remainingMs) => ({
  game: (it, asked) => it.game(asked),
  moment: (it, asked) => it.moment(asked),
  threats: (it, asked) => it.threats(asked),
  choose: (it, asked, player, ms, seed) => it.choose(asked, player, remainingMs(ms), seed),
  scores: (it, asked, ms, estimates) => it.scores(asked, remainingMs(ms), estimates),
  judge: (it, bytes) => it.judge(bytes),
  book: (it, bytes) => it.readBook(bytes),
  solve: (it, asked, nodes, threads) => it.solve(asked, nodes, threads),
  line: (it, asked, ms) => /** @type {AnalysisCore} */ (it).lineStep(asked, remainingMs(ms)),
  review: (it, asked, given, ms) => /** @type {AnalysisCore} */ (it).review(asked, given, ms),
  why: async (it, asked, side) =>
    (await import("./explainer.js")).explainPosition(/** @type {AnalysisCore} */ (it), asked, side, isStopped),
  check: async (it, asked, document) =>
    (await import("./explainer.js")).checkDocument(/** @type {AnalysisCore} */ (it), asked, document, isStopped),
});

/** @param {{ name: "connectk" | "analysis", module: WebAssembly.Module, memory: WebAssembly.Memory | null }} given @param {() => boolean} isStopped */
function startCoreModule({ name, module, memory }, isStopped) {
  const startIt = name === "analysis" ? startAnalysis : startCore;
  return startIt(module, isStopped, memory ?? newMemory());
}
