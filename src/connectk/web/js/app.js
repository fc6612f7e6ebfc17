// The page's frame: language, help, notices, and which screen is open.
import "./board/board.js";
import { Away, Refused, hasServer, wordsOf } from "./common/api.js";
import { buildLanguages, describeBoard } from "./board/words.js";
import { button, h } from "./common/dom.js";
import { acceptFiles } from "./common/files.js";
import * as home from "./screens/home.js";
import { isTyping } from "./board/keys.js";
import { applyLook } from "./common/look.js";
import { showSeats } from "./match/seats.js";
import { language, loadTexts, t } from "./texts/texts.js";

/** @import { ConnectkBoard } from "./board/board.js"
 *  @import { Handed, Page, Screen } from "./shapes.js"
 *  @typedef {{ open: (page: Page, path: string[], handed: Handed | null) => Promise<Screen | null | void> }} Module */

/** What index.html has. @template {HTMLElement} [E=HTMLElement] @param {string} selector */
const find = (selector) => /** @type {E} */ (document.querySelector(selector));

// Screens that are not needed for the first disc come when they are opened.
/** @type {Record<string, () => Promise<Module>>} */
const SCREENS = {
  home: async () => home,
  match: () => import("./match/play.js"),
  invite: () => import("./screens/invite.js"),
  join: () => import("./screens/join.js"),
  games: () => import("./screens/mygames.js"),
  review: () => import("./review/review.js"),
  game: () => import("./review/review.js"),
  why: () => import("./review/why.js"),
  editor: () => import("./screens/editor.js"),
  watch: () => import("./screens/watch.js"),
  arena: () => import("./screens/arena.js"),
  learn: () => import("./learn/learn.js"),
  puzzle: () => import("./learn/puzzles.js"),
  rooms: () => import("./rooms/rooms.js"),
  room: () => import("./rooms/room.js"),
  wall: () => import("./rooms/wall.js"),
};
const OTHERS = new Set(["invite", "join", "arena", "rooms", "room", "wall"]); // what only a server has
/** @type {Record<string, string | undefined>} */
const NAV = { match: "home", join: "home", invite: "home", game: "review", why: "review", puzzle: "learn" };

/** @type {Screen | null} */
let opened = null;
let openedAs = "";
let turn = 0;

/** @type {Page} */
const page = {
  board: /** @type {ConnectkBoard} */ (find("connectk-board")),
  panel: find("#panel"),
  handed: null, // what one screen hands to the next: a column already chosen, a loaded file
  // A screen that listens to the board says so at once: the next one closes it, even if it never opened fully.
  opens(screen) {
    opened = screen;
  },
  say(text) {
    const live = find("#live");
    live.textContent = live.textContent === text ? `${text}\u00a0` : text;
  },
  // The window is named after what is on the screen now.
  title(text) {
    document.title = text ? `${text.replace(/\.$/, "")} · connectk` : "connectk";
  },
  notice(text, { calm = false, action = null } = {}) {
    const box = find("#notice");
    box.classList.toggle("calm", calm);
    box.hidden = !text;
    box.replaceChildren(
      ...(text ? [text, " ", ...(action ? [button(action[0], action[1], { class: "plain" })] : [])] : []),
    );
  },
  go(path, handed = null) {
    page.handed = handed;
    if (location.hash === `#${path}`) route();
    else location.hash = path;
  },
};

/** The frame as one screen sees it: a screen that was left draws, says and leads nowhere. @param {number} mine @returns {Page} */
function frameOf(mine) {
  const nowhere = h("div");
  /** @template {unknown[]} A @param {(...what: A) => void} act @returns {(...what: A) => void} */
  const here =
    (act) =>
    (...what) => {
      if (mine === turn) act(...what);
    };
  return {
    board: page.board,
    get panel() {
      return mine === turn ? page.panel : nowhere;
    },
    get isLeft() {
      return mine !== turn;
    },
    opens: here(page.opens),
    say: here(page.say),
    title: here((text) => page.title?.(text)),
    notice: here(page.notice),
    go: here(page.go),
  };
}

/** The screen that the address names, and what follows in it. */
function addressed() {
  const [, name = "", ...rest] = location.hash.slice(1).split("/");
  const isHere = name in SCREENS && (hasServer || !OTHERS.has(name));
  return { screen: isHere ? name : "home", path: rest.map(decodeURIComponent) };
}

async function route() {
  const { screen, path } = addressed();
  const handed = page.handed ?? null;
  page.handed = null;
  if (!handed && screen === openedAs && opened?.revisit?.(path)) return; // the same screen can show it
  const mine = ++turn;
  openedAs = "";
  markNav(NAV[screen] ?? screen);
  await openScreen(mine, screen, path, handed).catch((error) => {
    if (mine === turn) broken(error);
  });
}

/** @param {number} mine @param {string} screen @param {string[]} path @param {Handed | null} handed */
async function openScreen(mine, screen, path, handed) {
  // Until the next screen is here, the last one hears what is pressed.
  const module = await SCREENS[screen]().finally(() => {
    if (mine === turn) closeOpened();
  });
  if (mine !== turn) return;
  openedAs = screen;
  clearStage(screen);
  const screenOpened = await module.open(frameOf(mine), path, handed);
  if (mine !== turn) return void screenOpened?.close?.();
  opened = screenOpened ?? null;
  arrive();
}

function closeOpened() {
  opened?.close?.();
  opened = null;
}

// The window is named after the screen, and whoever pressed a button that is gone stands at the new panel.
function arrive() {
  page.title?.(page.panel.querySelector("h1")?.textContent);
  if (turn > 1 && document.activeElement === document.body) page.panel.focus({ preventScroll: true });
}

// A large board is followed; on request it is shown whole.
function offerFit() {
  const fit = button(
    t("board.fit"),
    () => {
      const isFit = page.board.toggleAttribute("fit");
      fit.setAttribute("aria-pressed", String(isFit));
    },
    { id: "fit", "aria-pressed": "false", hidden: true },
  );
  find("#board").append(fit);
  new ResizeObserver(() => {
    fit.textContent = t("board.fit");
    fit.hidden = !page.board.hasAttribute("data-wide") && !page.board.hasAttribute("fit");
  }).observe(page.board);
}

/** @param {string} screen */
function markNav(screen) {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".nav a"))) {
    if (link.dataset.screen === screen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} screen */
function clearStage(screen) {
  page.notice("");
  document.body.dataset.screen = screen;
  page.board.removeAttribute("editing");
  page.board.showScores(null);
  page.board.showThreats([]);
  page.board.showHint([]);
  page.panel.className = "panel";
  page.panel.replaceChildren();
  showSeats(null, null);
}

/** The server is away, or something broke: say so and offer to try again. What is not there has a way home. @param {unknown} error */
function broken(error) {
  if (error instanceof Refused) {
    page.panel.replaceChildren(
      h("h1", t("page.missing")),
      h("p", error.message),
      h("div.row", h("a.button.main", { href: "#/" }, t("page.home"))),
    );
    return arrive();
  }
  const away = error instanceof TypeError || error instanceof Away; // a module that cannot be fetched is a TypeError
  return page.notice(away ? t("page.away") : wordsOf(error), { action: [t("page.again"), route] });
}

function buildTools() {
  buildLanguages(/** @type {HTMLSelectElement} */ (find("#language")), page.board, () => {
    openedAs = "";
    route();
    drawFoot();
  });
  const help = async () => (await import("./screens/help.js")).openHelp();
  find("#help").addEventListener("click", help);
  find("#look").addEventListener("click", async () => (await import("./screens/lookdialog.js")).openLook());
  document.addEventListener("keydown", (event) => {
    if (isTyping(event.target)) return;
    if (event.key === "?") help();
    else pressed(event);
  });
  document.addEventListener("click", leaveOnce, true);
  find(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    page.board.focusColumn(Math.floor((page.board.state.width - 1) / 2));
  });
}

/** Digits drop from anywhere; arrows bring whoever stands nowhere in particular to the board, or step a game. @param {KeyboardEvent} event */
function pressed(event) {
  if (event.defaultPrevented) return;
  const nowhere = event.target === document.body || event.target === page.panel;
  if (opened?.key?.(event)) event.preventDefault();
  else if (event.target instanceof Node && page.board.contains(event.target)) return;
  else if (/^[0-9]$/.test(event.key) || (nowhere && event.key.startsWith("Arrow"))) page.board.press(event);
}

/** A link away from a game that is running asks once. @param {MouseEvent} event */
async function leaveOnce(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href^='#'], a[href='/']") : null;
  const question = link && opened?.leaving?.();
  if (!link || !question) return;
  event.preventDefault();
  if (await question()) location.hash = link.getAttribute("href") ?? "";
}

/** @param {() => unknown} act */
const whenIdle = (act) =>
  "requestIdleCallback" in window ? requestIdleCallback(act, { timeout: 2000 }) : setTimeout(act, 200);

const drawFoot = () =>
  import("./screens/foot.js").then(({ buildFoot }) => buildFoot(find("#foot"), page)).catch(() => {});

/** How much of the opening book is here; nothing is said once it is. @param {number} share */
function tellBook(share) {
  const percent = new Intl.NumberFormat(language, { style: "percent" }).format(share);
  page.notice(share < 1 ? t("page.book", { percent }) : "", { calm: true });
}

/** Keeps the page's files for when nothing answers. A newer page that waits is taken when this one opens: games are kept beside the files. */
async function keepFiles() {
  const keeping = await navigator.serviceWorker?.register("sw.js").catch(() => null);
  if (!keeping?.waiting || !navigator.serviceWorker.controller) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  keeping.waiting.postMessage("take over", []);
}

async function start() {
  applyLook();
  await loadTexts();
  buildTools();
  describeBoard(page.board);
  offerFit();
  addEventListener("hashchange", route);
  addEventListener("connectk-away", () => page.notice(t("page.away_here"), { calm: true }));
  addEventListener("connectk-book", (event) => tellBook(/** @type {CustomEvent<number>} */ (event).detail));
  acceptFiles(page);
  await route();
  performance.mark("playable");
  drawFoot();
  whenIdle(() => import("./match/play.js").catch(() => {})); // the first disc will want it
  if (!hasServer) whenIdle(() => import("./core/local.js").then(({ local }) => local.prepare()).catch(() => {}));
  keepFiles();
}

start();
