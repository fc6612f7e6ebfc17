// Sends the questions of a file to the compiled core, and prints its answers: one JSON array for each question.
import { readFileSync } from "node:fs";
import { argv, stdout } from "node:process";
import { playMatch, playScenario, rulesOf } from "./plays.mjs";

const [, , page, questions] = argv;
const { RuleBroken, startCore, timeLeft } = await import(`${page}/js/core/numbers.js`);
const { canExplain, writeMoves } = await import(`${page}/js/board/convert.js`);
const { fileKind, parseGameFile, parseMoves, parseSaved, brokenRuleText, writeSaved } = await import(
  `${page}/js/core/notation.js`
);
const { RefusedError } = await import(`${page}/js/texts/refusals.js`);
const { parseStart, writeDiscs, writeStart, startDiscs } = await import(`${page}/js/board/start-position.js`);
const { fairColumn, findProbability, wantsSwap } = await import(`${page}/js/match/swapping.js`);
const { startAnalysis } = await import(`${page}/js/core/analysis.js`);
const { checkDocument, explainPosition } = await import(`${page}/js/core/explainer.js`);
const module = (name) => new WebAssembly.Module(readFileSync(`${page}/core/${name}.wasm`));
const never = () => false;
const core = await startCore(module("connectk"));
const analysis = await startAnalysis(module("analysis"));

const answers = {
  timeLeft,
  review: (asked, given, ms) => analysis.review(asked, given, ms),
  fileKind,
  parseGameFile,
  parseMoves,
  parseSaved,
  brokenRuleText,
  writeSaved,
  writeMoves,
  canExplain,
  findProbability,
  wantsSwap,
  fairColumn,
  // The start after parsing, a set-up by the core and writing: from its board, and as the editor does it.
  start: (text, variant) => {
    const { board } = core.moment({ variant, discs: parseStart(text), moves: [] });
    return [writeStart(board), writeDiscs(startDiscs(text))];
  },
  match: (...facts) => playMatch(page, core, ...facts),
  scenario: (scenario) => playScenario(page, core, scenario),
  rules: () => rulesOf(page),
  plurals: (language, counts) => counts.map((count) => new Intl.PluralRules(language).select(count)),
  judge: (text) => core.judge(Buffer.from(text, "base64")),
  book: (path) => [core, analysis].forEach((one) => one.readBook(new Uint8Array(readFileSync(path)))),
  lines: (variant) => analysis.lines(variant),
  why: (asked, side, ms) => explainPosition(analysis, asked, side, never, ms),
  check: (asked, document) => checkDocument(analysis, asked, document, never),
  // A game against an explanation. Each pick is the number of an open column for the rival.
  strategy: async (explanation, steps, picks) => {
    const { rulesWorker } = await import(`${page}/js/core/core-workers.js`);
    const { api } = await import(`${page}/js/common/api.js`);
    const { localApi } = await import(`${page}/js/core/local-api.js`);
    rulesWorker.request = async (what, facts) => core[what](...facts);
    Object.assign(api, { game: (body) => localApi.game(body), threats: (body) => localApi.threats(body) });
    const { StrategyGame } = await import(`${page}/js/review/strategy-game.js`);
    const game = new StrategyGame(explanation, steps);
    await game.start();
    const turn = () => ({ moves: game.turn.moves, reply: game.turn.reply, words: game.words() });
    const turns = [turn()];
    for (const pick of picks) {
      const { result, legal_columns: open } = game.moment;
      if (result) break;
      await game.drop(open[pick % open.length]);
      turns.push(turn());
    }
    return turns;
  },
};

// Sets the texts of the page, which it reads from its document.
async function speak(language, texts) {
  globalThis.document = {
    documentElement: { hasAttribute: () => true },
    getElementById: () => ({ textContent: JSON.stringify({ [language]: texts }) }),
    querySelectorAll: () => [],
  };
  await (await import(`${page}/js/texts/texts.js`)).loadTexts(language);
  const { t: text } = await import(`${page}/js/texts/texts.js`);
  const { explanationText, faultError, parseExplanation } = await import(`${page}/js/core/explanation-text.js`);
  const { ledgerText, withText } = await import(`${page}/js/core/review-text.js`);
  Object.assign(answers, {
    text,
    parseExplanation,
    explanationText,
    faultText: (fault) => faultError(fault).message,
    withText,
    ledgerText: (/** @type {any} */ ledger, /** @type {any} */ names) => ledgerText(ledger, (side) => names[side]),
  });
}

for (const [what, ...facts] of JSON.parse(readFileSync(questions, "utf8"))) {
  let answer = null;
  try {
    if (what === "speak") await speak(...facts);
    else answer = what in answers ? await answers[what](...facts) : core[what](...facts);
  } catch (error) {
    if (error instanceof RuleBroken) answer = { broken: error.broken };
    else if (error instanceof RefusedError) answer = { refused: error.message };
    else throw error;
  }
  stdout.write(`${JSON.stringify(answer ?? null)}\n`);
}
