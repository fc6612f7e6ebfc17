// A review that came as one file: the page's own board and panel, with the facts in the file instead of a server.
import "./board/board.js";
import { buildLanguages, describeBoard } from "./board/words.js";
import { isTyping } from "./board/keys.js";
import { Review } from "./review/review.js";
import { language, loadTexts } from "./texts/texts.js";

/** @import { ConnectkBoard } from "./board/board.js"
 *  @import { Page, Source } from "./shapes.js" */

/** What page.html has. @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const facts = JSON.parse(find("#facts").textContent ?? "");

// The same answers as the server's, each for the moves that were asked about.
/** @type {Source} */
const source = {
  game: async () => facts.game,
  scores: async ({ moves = [] }) => facts.scores[moves.length],
  threats: async ({ moves = [] }) => ({ threats: facts.threats[moves.length] }),
  review: async () => facts.review[language],
  ...(facts.whys ? { why: (ply) => facts.whys[language][ply] } : {}),
};

/** @type {Page} */
const page = {
  board: /** @type {ConnectkBoard} */ (find("connectk-board")),
  panel: find("#panel"),
  opens() {},
  go() {},
  say(text) {
    find("#live").textContent = text;
  },
  notice(text) {
    find("#notice").hidden = !text;
    find("#notice").textContent = text;
  },
};

/** @type {Review | null} */
let screen = null;

/** @param {number} ply */
async function show(ply) {
  screen?.close();
  screen = new Review(page, { players: facts.players, verdict: "", alone: true }, source);
  await screen.load({ variant: "", moves: "", start: "" }, ply);
}

async function start() {
  await loadTexts();
  buildLanguages(/** @type {HTMLSelectElement} */ (find("#language")), page.board, () => show(screen?.ply ?? 0));
  describeBoard(page.board);
  document.addEventListener("keydown", (event) => {
    if (!isTyping(event.target) && !event.defaultPrevented && screen?.key(event)) event.preventDefault();
  });
  await show(facts.ply);
}

start();
