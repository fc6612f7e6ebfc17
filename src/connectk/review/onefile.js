// The entry point of a review in one HTML file: the page's review screen, with data from the file instead of a server.
import { ConnectkBoard } from "./board/board.js";
import { buildLanguageMenu, labelBoard } from "./board/labels.js";
import { isTyping } from "./board/keyboard.js";
import { showSeats } from "./match/seats.js";
import { ReviewScreen } from "./review/review-screen.js";
import { language, loadTexts } from "./texts/texts.js";

/** @import { Page, ReviewSource } from "./page-types.js" */

customElements.define("connectk-board", ConnectkBoard);

/** An element of page.html. @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const facts = JSON.parse(find("#facts").textContent ?? "");

// The server's answers, stored in the file.
/** @type {ReviewSource} */
const source = {
  isFixed: true,
  game: async () => facts.game,
  scores: async ({ moves = [] }) => facts.scores[moves.length],
  threats: async ({ moves = [] }) => ({ threats: facts.threats[moves.length] }),
  review: async () => facts.review[language],
  ...(facts.whys ? { storedExplanation: (ply) => facts.whys[language][ply] } : {}),
};

/** @type {Page} */
const page = {
  board: /** @type {ConnectkBoard} */ (find("connectk-board")),
  panel: find("#panel"),
  setScreen() {},
  navigate() {},
  showSeats,
  announce(text) {
    find("#live").textContent = text;
  },
  showNotice(text) {
    find("#notice").hidden = !text;
    find("#notice").textContent = text;
  },
};

/** @type {ReviewScreen | null} */
let screen = null;

/** @param {number} ply */
async function show(ply) {
  screen?.close();
  screen = new ReviewScreen(page, { players: facts.players, verdict: "", isStandalone: true }, source);
  await screen.load({ variant: "", moves: "", start: "" }, ply);
}

async function start() {
  await loadTexts();
  buildLanguageMenu(/** @type {HTMLSelectElement} */ (find("#language")), page.board, () => show(screen?.ply ?? 0));
  labelBoard(page.board);
  document.addEventListener("keydown", (event) => {
    if (!isTyping(event.target) && !event.defaultPrevented && screen?.onKey(event)) event.preventDefault();
  });
  await show(facts.ply);
}

start();
