// The entry point: routes the address to a screen, and owns what all screens share: language, help and notices.
import { ConnectkBoard } from "./board/board.js";
import { ServerUnreachable, RefusedError, hasServer, errorMessage } from "./common/api.js";
import { buildLanguageMenu, labelBoard } from "./board/labels.js";
import { button, h } from "./common/dom.js";
import { isEmbedded } from "./common/storage.js";
import { openWholePage } from "./common/paths.js";
import { acceptDroppedFiles } from "./common/file-drop.js";
import * as home from "./screens/home.js";
import { isTyping } from "./board/keyboard.js";
import { applyAppearance, readAppearance, setAppearance } from "./common/appearance.js";
import { showSeats } from "./match/seats.js";
import { language, loadTextGroup, loadTexts, t } from "./texts/texts.js";

/** @import { NavigationState, Page, Screen } from "./page-types.js"
 *  @typedef {{ open: (page: Page, path: string[], navigationState: NavigationState | null) => Promise<Screen | null | void> }} ScreenModule */

customElements.define("connectk-board", ConnectkBoard);

/** An element of index.html. @template {HTMLElement} [E=HTMLElement] @param {string} selector */
const find = (selector) => /** @type {E} */ (document.querySelector(selector));

// All screens but home are loaded when they are first opened.
/** @type {Record<string, () => Promise<ScreenModule>>} */
const SCREENS = {
  home: async () => home,
  match: () => import("./match/match-screen.js"),
  invite: () => import("./screens/invite.js"),
  join: () => import("./screens/join.js"),
  games: () => import("./screens/my-games.js"),
  review: openReview,
  game: openReview,
  why: () => import("./review/explanation-dialog.js"),
  editor: () => import("./screens/editor.js"),
  watch: () => import("./screens/watch.js"),
  arena: () => import("./screens/arena.js"),
  learn: () => import("./learn/lessons.js"),
  puzzle: () => import("./learn/puzzles.js"),
  rooms: () => import("./rooms/lobby.js"),
  room: () => import("./rooms/room-screen.js"),
  wall: () => import("./rooms/wall-screen.js"),
  somebody: () => import("./strangers/seek-screen.js"),
};
const SERVER_ONLY_SCREENS = new Set(["invite", "join", "arena", "rooms", "room", "wall", "somebody"]);
const EMBEDDED_SCREENS = new Set(["game", "puzzle"]); // what a frame in another site's page shows
/** @type {Record<string, string | undefined>} */
const NAV_ENTRIES = {
  match: "home",
  somebody: "home",
  join: "home",
  invite: "home",
  game: "review",
  why: "review",
  puzzle: "learn",
};

/** @type {Screen | null} */
let currentScreen = null;
let currentScreenName = "";
let navigationCount = 0;

/** @type {Page} */
const page = {
  board: /** @type {ConnectkBoard} */ (find("connectk-board")),
  panel: find("#panel"),
  navigationState: null, // what a screen passes to the next screen: a chosen column, a loaded file
  // A screen calls this before it adds listeners, so that the next screen closes it even if it never opens completely.
  setScreen(screen) {
    currentScreen = screen;
  },
  announce(text) {
    const live = find("#live");
    live.textContent = live.textContent === text ? `${text}\u00a0` : text;
  },

  setTitle(text) {
    document.title = text ? `${text.replace(/\.$/, "")} · connectk` : "connectk";
  },
  showNotice(text, { calm = false, action = null } = {}) {
    const box = find("#notice");
    box.classList.toggle("calm", calm);
    box.hidden = !text;
    box.replaceChildren(
      ...(text ? [text, " ", ...(action ? [button(action[0], action[1], { class: "plain" })] : [])] : []),
    );
  },
  showSeats,
  async mayLeave() {
    const question = currentScreen?.confirmLeaving?.();
    return !question || question();
  },
  navigate(path, navigationState = null) {
    if (leavesFrame(path)) return openWholePage(path);
    page.navigationState = navigationState;
    if (location.hash === `#${path}`) route();
    else location.hash = path;
    return undefined;
  },
};

/** Whether a path leads to a screen that is not shown in a frame. @param {string} path */
const leavesFrame = (path) => isEmbedded && !EMBEDDED_SCREENS.has(path.split("/")[1]);

/** What a screen may call. Once another screen is open, its calls do nothing. @param {number} mine @returns {Page} */
function pageForScreen(mine) {
  const nowhere = h("div");
  /** @template {unknown[]} A @param {(...what: A) => void} act @returns {(...what: A) => void} */
  const here =
    (act) =>
    (...what) => {
      if (mine === navigationCount) act(...what);
    };
  return {
    board: page.board,
    get panel() {
      return mine === navigationCount ? page.panel : nowhere;
    },
    get isClosed() {
      return mine !== navigationCount;
    },
    setScreen: here(page.setScreen),
    announce: here(page.announce),
    setTitle: here((text) => page.setTitle?.(text)),
    showNotice: here(page.showNotice),
    navigate: here(page.navigate),
    showSeats: here(page.showSeats),
    mayLeave: page.mayLeave,
  };
}

/** The screen in the address, and its path. */
function parseHash() {
  const [, name = "", ...rest] = location.hash.slice(1).split("/");
  if (leavesFrame(`/${name}`)) return { screen: "game", path: [] };
  const isHere = name in SCREENS && (hasServer || !SERVER_ONLY_SCREENS.has(name));
  return { screen: isHere ? name : "home", path: rest.map(decodePart) };
}

/** Decodes a part of the address; a part that cannot be decoded is returned as it is. @param {string} part */
function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let shownHash = location.hash;
/** How far the page was scrolled when each address was left. @type {Map<string, number>} */
const scrolledTo = new Map();

async function route() {
  const { screen, path } = parseHash();
  scrolledTo.set(shownHash, scrollY);
  shownHash = location.hash;
  const navigationState = page.navigationState ?? null;
  page.navigationState = null;
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  if (!navigationState && screen === currentScreenName && currentScreen?.showPath?.(path)) return;
  const mine = ++navigationCount;
  currentScreenName = "";
  highlightNavEntry(NAV_ENTRIES[screen] ?? screen);
  await openScreen(mine, screen, path, navigationState).catch((error) => {
    if (mine !== navigationCount) return;
    currentScreenName = ""; // the screen did not open, so it cannot show another path either
    showError(error);
  });
}

/** Opens a review; without a server the core for reviews is loaded at the same time. @returns {Promise<ScreenModule>} */
async function openReview() {
  if (!hasServer) import("./core/local-api.js").then(({ localApi }) => localApi.prepareReview()).catch(() => {}); // the review itself reports errors
  const [screen] = await Promise.all([import("./review/review-screen.js"), loadTextGroup("later")]);
  return screen;
}

/** @param {number} mine @param {string} screen @param {string[]} path @param {NavigationState | null} navigationState */
async function openScreen(mine, screen, path, navigationState) {
  // The previous screen handles input until the next one is loaded.
  const module = await SCREENS[screen]().finally(() => {
    if (mine === navigationCount) closeCurrentScreen();
  });
  if (mine !== navigationCount) return;
  currentScreenName = screen;
  resetStage(screen);
  const opening = module.open(pageForScreen(mine), path, navigationState);
  const isNew = !history.state?.shown; // not by back or forward
  if (navigationState) showFromTop();
  const screenOpened = await opening;
  if (mine !== navigationCount) return void screenOpened?.close?.();
  currentScreen = screenOpened ?? null;
  if (isNew) showFromTop();
  else if (!scrollY) scrollTo(0, scrolledTo.get(location.hash) ?? 0); // a browser cannot scroll a screen that is not drawn yet
  markAsShown();
  finishNavigation();
}

function markAsShown() {
  try {
    history.replaceState({ ...history.state, shown: true }, "");
  } catch {
    // Some browsers limit the number of changes in half a minute.
  }
}

// After a button far down the page the next screen begins at its top. A board that is in view stays where it is, under a finger.
function showFromTop() {
  const { top, height } = page.board.getBoundingClientRect();
  if (top < 0 || !height) scrollTo(0, 0);
}

function closeCurrentScreen() {
  currentScreen?.close?.();
  currentScreen = null;
}

// Puts the screen's name into the window's title, and moves the focus to the panel if the focused button is gone.
function finishNavigation() {
  page.setTitle?.(page.panel.querySelector("h1")?.textContent);
  if (navigationCount > 1 && document.activeElement === document.body) page.panel.focus({ preventScroll: true });
}

// Loads the map and the button above a board when the first board comes that is too large to be shown whole.
function watchForLargeBoards() {
  const watch = new ResizeObserver(() => {
    if (!page.board.isLarge) return;
    watch.disconnect();
    import("./board/overview.js").then(({ addOverview }) => addOverview(page.board, find(".place"))).catch(() => {});
  });
  watch.observe(page.board);
}

/** @param {string} screen */
function highlightNavEntry(screen) {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".nav a"))) {
    if (link.dataset.screen === screen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} screen */
function resetStage(screen) {
  page.showNotice("");
  document.body.dataset.screen = screen;
  page.board.removeAttribute("editing");
  page.board.showScores(null);
  page.board.showThreats([]);
  page.board.showHint([]);
  page.panel.className = "panel";
  page.panel.replaceChildren();
  showSeats(null, null);
}

/** Shows what went wrong, with a button to try again. If what was asked for does not exist, there is a link home
 * instead.
 * @param {unknown} error */
function showError(error) {
  if (error instanceof RefusedError) {
    page.panel.replaceChildren(
      h("h1", t("page.missing")),
      h("p", error.message),
      h("div.row", h("a.button.main", { href: "#/" }, t("page.home"))),
    );
    return finishNavigation();
  }
  const away = error instanceof TypeError || error instanceof ServerUnreachable; // a module that cannot be fetched is a TypeError
  return page.showNotice(away ? t("page.away") : errorMessage(error), { action: [t("page.again"), route] });
}

function initToolbar() {
  buildLanguageMenu(/** @type {HTMLSelectElement} */ (find("#language")), page.board, () => {
    currentScreenName = "";
    route();
    drawFooter();
  });
  const help = async () => (await import("./screens/help-dialog.js")).openHelp();
  find("#help").addEventListener("click", help);
  find("#look").addEventListener("click", async () =>
    (await import("./screens/appearance-dialog.js")).openAppearance(),
  );
  find("#sound").addEventListener("click", () => toggleSound());
  document.addEventListener("keydown", (event) => {
    if (isTyping(event.target)) return;
    if (event.key === "?") help();
    else onKeyDown(event);
  });
  document.addEventListener("click", isEmbedded ? openLinksOutside : confirmLinkNavigation, true);
  find(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    page.board.focusColumn(Math.floor((page.board.state.width - 1) / 2));
  });
}

async function toggleSound() {
  setAppearance("sound", !readAppearance().sound);
  const { sounds } = await import("./common/sound.js");
  sounds.land(); // plays only if sound is on now
}

/** Handles keys pressed outside the board. The screen gets a key first. If it ignores the key, a digit drops a disc,
 * and an arrow moves to the board unless something else has the focus.
 * @param {KeyboardEvent} event */
function onKeyDown(event) {
  if (event.defaultPrevented) return;
  const nowhere = event.target === document.body || event.target === page.panel;
  if (currentScreen?.onKey?.(event)) event.preventDefault();
  else if (event.target instanceof Node && page.board.contains(event.target)) return;
  else if (/^[0-9]$/.test(event.key) || (nowhere && event.key.startsWith("Arrow"))) page.board.handleKey(event);
}

const PAGE_LINKS = /** @type {"a"} */ ("a[href^='#'], a[href='/']");

/** In a frame, opens the screens that are not shown there in a window of their own. @param {MouseEvent} event */
function openLinksOutside(event) {
  const link = event.target instanceof Element ? event.target.closest(PAGE_LINKS) : null;
  if (!link || !leavesFrame(link.hash.slice(1))) return;
  event.preventDefault();
  openWholePage(link.hash.slice(1));
}

/** Asks before a link leaves a running game. @param {MouseEvent} event */
async function confirmLinkNavigation(event) {
  const link = event.target instanceof Element ? event.target.closest(PAGE_LINKS) : null;
  const question = link && currentScreen?.confirmLeaving?.();
  if (!link || !question) return;
  event.preventDefault();
  if (await question()) location.hash = link.getAttribute("href") ?? "";
}

/** @param {() => unknown} act */
const whenIdle = (act) =>
  "requestIdleCallback" in window ? requestIdleCallback(act, { timeout: 2000 }) : setTimeout(act, 200);

const drawFooter = () =>
  import("./screens/footer.js").then(({ buildFooter }) => buildFooter(find("#foot"), page)).catch(() => {});

/** Shows how much of the opening book is loaded, until all of it is. @param {number} share between 0 and 1 */
function showBookProgress(share) {
  const percent = new Intl.NumberFormat(language, { style: "percent" }).format(share);
  page.showNotice(share < 1 ? t("page.book", { percent }) : "", { calm: true });
}

/** Caches the page's files for offline use. A newer version that is already cached takes over when the page opens; stored games stay. */
async function registerServiceWorker() {
  const registration = await navigator.serviceWorker?.register("sw.js").catch(() => null);
  if (!registration?.waiting || !navigator.serviceWorker.controller) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  registration.waiting.postMessage("skip waiting", []);
}

async function start() {
  applyAppearance();
  await loadTexts();
  initToolbar();
  labelBoard(page.board);
  watchForLargeBoards();
  addEventListener("hashchange", route);
  addEventListener("connectk-away", () => page.showNotice(t("page.away_here"), { calm: true }));
  addEventListener("connectk-book", (event) => showBookProgress(/** @type {CustomEvent<number>} */ (event).detail));
  acceptDroppedFiles(page);
  await route();
  performance.mark("playable");
  drawFooter();
  if (isEmbedded) return;
  whenIdle(() => import("./match/match-screen.js").catch(() => {})); // needed for the first drop
  if (!hasServer)
    whenIdle(() => import("./core/local-api.js").then(({ localApi }) => localApi.prepare()).catch(() => {}));
  registerServiceWorker();
}

start();
