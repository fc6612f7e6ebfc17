// Asks the compiled core what stands in a file of questions, and prints its answers: one JSON array for each.
import { readFileSync } from "node:fs";
import { argv, stdout } from "node:process";

const [, , page, questions] = argv;
const { RuleBroken, startCore } = await import(`${page}/js/core/numbers.js`);
const { reviewGame } = await import(`${page}/js/core/review.js`);
const core = await startCore(new WebAssembly.Module(readFileSync(`${page}/core/connectk.wasm`)));

const answers = {
  review: (asked, how) => reviewGame(core, asked, how),
  judge: (text) => core.judge(Buffer.from(text, "base64")),
  book: (path) => core.readBook(new Uint8Array(readFileSync(path))),
};

for (const [what, ...facts] of JSON.parse(readFileSync(questions, "utf8"))) {
  let answer = null;
  try {
    answer = what in answers ? answers[what](...facts) : core[what](...facts);
  } catch (error) {
    if (!(error instanceof RuleBroken)) throw error;
    answer = { broken: error.broken };
  }
  stdout.write(`${JSON.stringify(answer ?? null)}\n`);
}
