// Asks the compiled core what stands in a file of questions, and prints its answers: one JSON array for each.
import { readFileSync } from "node:fs";
import { argv, stdout } from "node:process";
import { playMatch, playScenario, rulesOf } from "./plays.mjs";

const [, , page, questions] = argv;
const { RuleBroken, startCore, timeLeft } = await import(`${page}/js/core/numbers.js`);
const { canExplain, writeMoves } = await import(`${page}/js/board/boards.js`);
const { kindOf, parseGameFile, parseMoves, parseSaved, sayBroken, writeSaved } = await import(
  `${page}/js/core/notation.js`
);
const { Refused } = await import(`${page}/js/texts/refused.js`);
const { parseStart, writeDiscs, writeStart, startDiscs } = await import(`${page}/js/board/start.js`);
const { drawPicture } = await import(`${page}/js/core/picture.js`);
const { startAnalysis } = await import(`${page}/js/core/analysis.js`);
const { checkDocument, explainPosition } = await import(`${page}/js/core/why.js`);
const module = (name) => new WebAssembly.Module(readFileSync(`${page}/core/${name}.wasm`));
const never = () => false;
const core = await startCore(module("connectk"));
const analysis = await startAnalysis(module("analysis"));

const answers = {
  timeLeft,
  review: (asked, given, ms) => analysis.review(asked, given, ms),
  kindOf,
  parseGameFile,
  parseMoves,
  parseSaved,
  sayBroken,
  writeSaved,
  writeMoves,
  canExplain,
  // Read, set up by the core, and written again: from its board, and as the editor does.
  start: (text, variant) => {
    const { board } = core.moment({ variant, discs: parseStart(text), moves: [] });
    return [writeStart(board), writeDiscs(startDiscs(text))];
  },
  match: (...facts) => playMatch(page, core, ...facts),
  scenario: (scenario) => playScenario(page, core, scenario),
  rules: () => rulesOf(page),
  // With the names of the colours in the place of the colours.
  picture: async (game, ply) => {
    globalThis.document ??= {};
    globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => name.slice(2) });
    return (await drawPicture(game, ply, "svg")).text();
  },
  plurals: (language, counts) => counts.map((count) => new Intl.PluralRules(language).select(count)),
  judge: (text) => core.judge(Buffer.from(text, "base64")),
  book: (path) => [core, analysis].forEach((one) => one.readBook(new Uint8Array(readFileSync(path)))),
  lines: (variant) => analysis.lines(variant),
  why: (asked, side, ms) => explainPosition(analysis, asked, side, never, ms),
  check: (asked, document) => checkDocument(analysis, asked, document, never),
};

// The words of the page, which it takes from its document.
async function speak(language, texts) {
  globalThis.document = {
    documentElement: { hasAttribute: () => true },
    getElementById: () => ({ textContent: JSON.stringify({ [language]: texts }) }),
    querySelectorAll: () => [],
  };
  await (await import(`${page}/js/texts/texts.js`)).loadTexts(language);
  const { t: text } = await import(`${page}/js/texts/texts.js`);
  const { parseExplanation, sayFault, sayWhy } = await import(`${page}/js/core/whywords.js`);
  const { said } = await import(`${page}/js/core/words.js`);
  Object.assign(answers, { text, parseExplanation, sayWhy, sayFault: (fault) => sayFault(fault).message, said });
}

for (const [what, ...facts] of JSON.parse(readFileSync(questions, "utf8"))) {
  let answer = null;
  try {
    if (what === "speak") await speak(...facts);
    else answer = what in answers ? await answers[what](...facts) : core[what](...facts);
  } catch (error) {
    if (error instanceof RuleBroken) answer = { broken: error.broken };
    else if (error instanceof Refused) answer = { refused: error.message };
    else throw error;
  }
  stdout.write(`${JSON.stringify(answer ?? null)}\n`);
}
