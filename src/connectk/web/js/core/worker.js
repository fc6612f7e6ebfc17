// The worker that runs the core, one request at a time. With shared memory a flag stops a search; without it the page
// terminates the worker. Explanations load their scripts on demand.
import { startAnalysis } from "./analysis.js";
import { RuleBroken, newMemory, now, startCore, timeLeft } from "./numbers.js";

/** @import { AnalysisCore } from "./analysis.js"
 *  @import { Core } from "./numbers.js"
 *  @typedef {{ id: number, what: string, facts: any[], at: number }} Question */

/** @type {Promise<Core>} */
let core;
/** @type {Int32Array | null} */
let flag = null;

let askedAt = 0;

const isStopped = () => flag !== null && Atomics.load(flag, 0) === 1;

/** @param {number} ms */
const remainingMs = (ms) => timeLeft(ms, now() - askedAt);

/** @type {Record<string, (core: Core, ...facts: any[]) => any>} */
const HANDLERS = {
  game: (it, asked) => it.game(asked),
  moment: (it, asked) => it.moment(asked),
  threats: (it, asked) => it.threats(asked),
  choose: (it, asked, player, ms, seed) => it.choose(asked, player, remainingMs(ms), seed),
  scores: (it, asked, ms) => it.scores(asked, remainingMs(ms)),
  judge: (it, bytes) => it.judge(bytes),
  book: (it, bytes) => it.readBook(bytes),
  solve: (it, asked, nodes, threads) => it.solve(asked, nodes, threads),
  review: (it, asked, given, ms) => /** @type {AnalysisCore} */ (it).review(asked, given, ms),
  why: async (it, asked, side) =>
    (await import("./explainer.js")).explainPosition(/** @type {AnalysisCore} */ (it), asked, side, isStopped),
  check: async (it, asked, document) =>
    (await import("./explainer.js")).checkDocument(/** @type {AnalysisCore} */ (it), asked, document, isStopped),
};

/** @param {{ name: "connectk" | "analysis", module: WebAssembly.Module, memory: WebAssembly.Memory | null }} given */
function startCoreModule({ name, module, memory }) {
  const startIt = name === "analysis" ? startAnalysis : startCore;
  return startIt(module, isStopped, memory ?? newMemory());
}

addEventListener("message", async ({ data }) => {
  if (data.module) {
    flag = data.flag ?? null;
    core = startCoreModule(data);
    return;
  }
  if (data.helpers) return void postMessage({ stacks: (await core).stacks(data.helpers) });
  const { id, what, facts, at } = /** @type {Question} */ (data);
  try {
    const it = await core;
    askedAt = at;
    postMessage({ id, answer: await HANDLERS[what](it, ...facts) });
  } catch (error) {
    postMessage({ id, ...(error instanceof RuleBroken ? { broken: error.broken } : { failed: String(error) }) });
  }
});
