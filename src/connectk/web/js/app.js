// The page's frame: language, help, notices, and which screen is open.
import "./board.js";
import { button, h } from "./dom.js";
import { acceptFiles } from "./files.js";
import { buildFoot } from "./foot.js";
import { openHelp } from "./help.js";
import * as home from "./home.js";
import * as play from "./play.js";
import { LANGUAGES, chooseLanguage, language, loadTexts, t } from "./texts.js";

const find = (selector) => document.querySelector(selector);

// Screens that are not needed for the first disc come when they are opened.
const SCREENS = {
  home: async () => home,
  match: async () => play,
  join: () => import("./join.js"),
  review: () => import("./review.js"),
  game: () => import("./review.js"),
  editor: () => import("./editor.js"),
  watch: () => import("./watch.js"),
  arena: () => import("./arena.js"),
};
const NAV = { match: "home", join: "home", game: "review" };

let opened = null;
let turn = 0;

const page = {
  board: null,
  panel: null,
  handed: null, // what one screen hands to the next: a column already chosen, a loaded file
  // A screen that listens to the board says so at once: the next one closes it, even if it never opened fully.
  opens(screen) { opened = screen; },
  say(text) {
    const live = find("#live");
    live.textContent = live.textContent === text ? `${text}\u00a0` : text;
  },
  notice(text, { calm = false, action = null } = {}) {
    const box = find("#notice");
    box.classList.toggle("calm", calm);
    box.hidden = !text;
    box.replaceChildren(...(text ? [text, " ", ...(action ? [button(action[0], action[1], { class: "plain" })] : [])] : []));
  },
  go(path, handed = null) {
    page.handed = handed;
    if (location.hash === `#${path}`) route();
    else location.hash = path;
  },
};

async function route() {
  const [, name = "", ...rest] = location.hash.slice(1).split("/");
  const screen = name in SCREENS ? name : "home";
  const mine = ++turn;
  const handed = page.handed;
  page.handed = null;
  opened?.close?.();
  opened = null;
  markNav(NAV[screen] ?? screen);
  try {
    const module = await SCREENS[screen]();
    if (mine !== turn) return;
    clearStage();
    const screenOpened = await module.open(page, rest.map(decodeURIComponent), handed, name);
    if (mine !== turn) return void screenOpened?.close?.();
    opened = screenOpened;
    arrive();
  } catch (error) {
    if (mine === turn) broken(error);
  }
}

// The window is named after the screen, and whoever pressed a button that is gone stands at the new panel.
function arrive() {
  const heading = page.panel.querySelector("h1, .status strong")?.textContent;
  document.title = heading ? `${heading.replace(/\.$/, "")} · connectk` : "connectk";
  if (turn > 1 && document.activeElement === document.body) page.panel.focus({ preventScroll: true });
}

function markNav(screen) {
  for (const link of document.querySelectorAll(".nav a")) {
    if (link.dataset.screen === screen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function clearStage() {
  page.notice("");
  page.board.removeAttribute("editing");
  page.board.showScores(null);
  page.board.showThreats([]);
  page.panel.className = "panel";
  page.panel.replaceChildren();
}

// The server is away, or something broke: say so and offer to try again.
function broken(error) {
  const away = error instanceof TypeError || error.away;
  page.notice(away ? t("page.away") : error.message, { action: [t("page.again"), route] });
}

function buildTools() {
  const languages = find("#language");
  languages.replaceChildren(...LANGUAGES.map(([code, name]) => h("option", { value: code, lang: code }, name)));
  languages.value = language;
  languages.addEventListener("change", async () => {
    await chooseLanguage(languages.value);
    describeBoard();
    route();
    buildFoot(find("#foot"), page);
  });
  find("#help").addEventListener("click", openHelp);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing) return;
    if (event.key === "?") openHelp();
    // Digits drop from anywhere; arrows bring whoever stands nowhere in particular to the board.
    const nowhere = [document.body, page.panel].includes(event.target);
    if (!page.board.contains(event.target) && (/^[0-9]$/.test(event.key) || (nowhere && event.key.startsWith("Arrow")))) {
      page.board.press(event);
    }
  });
  find(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    page.board.focusColumn(Math.floor((page.board.state.width - 1) / 2));
  });
}

function describeBoard() {
  const what = { null: "board.empty", first: "board.first", second: "board.second" };
  page.board.words = {
    board: t("board.label"),
    cell: (column, row, side) => t("board.cell", { column: column + 1, row: row + 1, what: t(what[side]) }),
  };
}

async function start() {
  page.board = find("connectk-board");
  page.panel = find("#panel");
  await loadTexts();
  buildTools();
  describeBoard();
  addEventListener("hashchange", route);
  acceptFiles(page);
  await route();
  buildFoot(find("#foot"), page);
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
}

start();
