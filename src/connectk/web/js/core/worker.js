// The core in a worker, so that a search never holds up the page. One question at a time; a flag in shared memory, where
// the host allows it, stops a search; elsewhere the page ends this worker and starts another.
// What only reviews and explanations need is loaded by the worker that answers those.
import { RuleBroken, newMemory, now, startCore, timeLeft } from "./numbers.js";

/** @import { Analysis } from "./analysis.js"
 *  @import { Core } from "./numbers.js"
 *  @typedef {{ id: number, what: string, facts: any[], at: number }} Question */

/** @type {Promise<Core>} */
let core;
/** @type {Int32Array | null} */
let flag = null;

let askedAt = 0;

const isStopped = () => flag !== null && Atomics.load(flag, 0) === 1;

/** @param {number} ms */
const left = (ms) => timeLeft(ms, now() - askedAt);

/** @type {Record<string, (core: Core, ...facts: any[]) => any>} */
const ANSWERS = {
  game: (it, asked) => it.game(asked),
  moment: (it, asked) => it.moment(asked),
  threats: (it, asked) => it.threats(asked),
  choose: (it, asked, player, ms, seed) => it.choose(asked, player, left(ms), seed),
  scores: (it, asked, ms) => it.scores(asked, left(ms)),
  judge: (it, bytes) => it.judge(bytes),
  book: (it, bytes) => it.readBook(bytes),
  solve: (it, asked, nodes, threads) => it.solve(asked, nodes, threads),
  review: (it, asked, given, ms) => /** @type {Analysis} */ (it).review(asked, given, ms),
  why: async (it, asked, side) =>
    (await import("./why.js")).explainPosition(/** @type {Analysis} */ (it), asked, side, isStopped),
  check: async (it, asked, document) =>
    (await import("./why.js")).checkDocument(/** @type {Analysis} */ (it), asked, document, isStopped),
};

/** @param {{ name: "connectk" | "analysis", module: WebAssembly.Module, memory: WebAssembly.Memory | null }} given */
async function started({ name, module, memory }) {
  const startIt = name === "analysis" ? (await import("./analysis.js")).startAnalysis : startCore;
  return startIt(module, isStopped, memory ?? newMemory());
}

addEventListener("message", async ({ data }) => {
  if (data.module) {
    flag = data.flag ?? null;
    core = started(data);
    return;
  }
  if (data.helpers) return void postMessage({ stacks: (await core).stacks(data.helpers) });
  const { id, what, facts, at } = /** @type {Question} */ (data);
  try {
    const it = await core;
    askedAt = at;
    postMessage({ id, answer: await ANSWERS[what](it, ...facts) });
  } catch (error) {
    postMessage({ id, ...(error instanceof RuleBroken ? { broken: error.broken } : { failed: String(error) }) });
  }
});
