// <connectk-board>: the page's board in a shadow tree, with what its attributes ask for around it: a game to play, a game to
// look through, or the puzzle of a day. README.md lists attributes, events and slots.
import { ConnectkBoard } from "page/board/board.js";
import { isTyping } from "page/board/keyboard.js";
import { labelBoard } from "page/board/labels.js";
import { h } from "page/common/dom.js";
import { BOARD_STYLES, DISC_STYLES } from "page/common/constants.js";
import { showSeatsAround } from "page/match/seats.js";
import { errorMessage } from "page/texts/refusals.js";
import { t } from "page/texts/texts.js";
import styles from "made/styles.js";
import { isLanguage, speak } from "./languages.js";

/** @import { Page, Screen } from "page/page-types.js"
 *  @typedef {"board" | "play" | "puzzle" | "viewer"} Mode
 *  @typedef {Screen & { state?: () => { ply: number, moves: number[] } }} OpenScreen */

const SURFACE = "connectk-surface"; // the page's own board, in the shadow tree
const GAME_ATTRIBUTES = [
  "variant",
  "start",
  "moves",
  "variations",
  "level",
  "side",
  "day",
  "mode",
  "readonly",
  "scores",
];
const NAME_ATTRIBUTES = ["first", "second"];
/** @type {Record<Mode, () => Promise<{ open: (page: Page, host: ConnectkBoardElement) => Promise<OpenScreen> }>>} */
const SCREENS = {
  board: () => import("./play.js"),
  play: () => import("./play.js"),
  puzzle: () => import("./puzzle.js"),
  viewer: () => import("./viewer.js"),
};

if (!customElements.get(SURFACE)) customElements.define(SURFACE, ConnectkBoard);

/** @type {CSSStyleSheet | null} */
let sheet = null; // one for all boards: a policy for styles does not forbid it

function sharedSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
  }
  return sheet;
}

export class ConnectkBoardElement extends HTMLElement {
  static observedAttributes = [...GAME_ATTRIBUTES, ...NAME_ATTRIBUTES, "theme", "language"];

  /** @type {Set<ConnectkBoardElement>} */
  static #connected = new Set();

  #root = this.attachShadow({ mode: "open" });
  #surface = /** @type {ConnectkBoard} */ (document.createElement(SURFACE));
  #panel = h("section.panel", { id: "panel", tabindex: -1 });
  #live = h("p.unseen", { role: "status", "aria-live": "polite" });
  #notice = h("p.notice", { role: "alert", hidden: true });
  #comment = h("slot");
  #frame = h(
    "div.root",
    h("slot", { name: "above" }),
    h(
      "div.table",
      h(
        "div.stage",
        { id: "board" },
        h("div.seat", { id: "above" }),
        h("div.place", this.#surface),
        h("div.seat", { id: "below" }),
      ),
      h("div.side", this.#notice, this.#comment, this.#panel),
    ),
    h("slot", { name: "below" }),
    this.#live,
  );
  /** @type {OpenScreen | null} */
  #screen = null;
  #session = 0; // changes with everything that is shown
  #isScheduled = false;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [sharedSheet()];
    this.#root.append(this.#frame);
    this.#surface.addEventListener("settled", () => this.emit("settled", this.state));
    this.#root.addEventListener("keydown", (event) => this.#onKey(/** @type {KeyboardEvent} */ (event)));
  }

  connectedCallback() {
    ConnectkBoardElement.#connected.add(this);
    this.#applyTheme();
    this.#schedule();
  }

  disconnectedCallback() {
    ConnectkBoardElement.#connected.delete(this);
    this.#close();
  }

  /** @param {string} name @param {string | null} before @param {string | null} now */
  attributeChangedCallback(name, before, now) {
    if (before === now || !this.isConnected) return;
    if (name === "theme") this.#applyTheme();
    else if (name === "language") for (const board of ConnectkBoardElement.#connected) board.#schedule();
    else this.#schedule();
  }

  /** The mode, or what the other attributes ask for. @returns {Mode} */
  get mode() {
    const mode = this.getAttribute("mode");
    if (mode && mode in SCREENS) return /** @type {Mode} */ (mode);
    return this.hasAttribute("level") ? "play" : "board";
  }

  /** What is shown: the number of drops and their columns, from 0. */
  get state() {
    return this.#screen?.state?.() ?? { ply: 0, moves: [] };
  }

  /** The page's board. */
  get surface() {
    return this.#surface;
  }

  /** @param {string} name of an attribute */
  has(name) {
    return this.hasAttribute(name);
  }

  /** @param {string} name of an attribute */
  text(name, fallback = "") {
    return this.getAttribute(name) ?? fallback;
  }

  /** Dispatches an event that also listeners outside hear. @param {string} name @param {unknown} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(`connectk-${name}`, { detail, bubbles: true, composed: true }));
  }

  /** Shows the comment that the page has given for a ply, in the slot `ply-5`. @param {number} ply */
  showComment(ply) {
    this.#comment.name = `ply-${ply}`;
  }

  /** Themes: light or dark, a material of the board, colours of the discs. */
  #applyTheme() {
    const words = this.text("theme").split(/\s+/);
    /** @param {string[]} some */
    const chosen = (some) => words.find((word) => some.includes(word));
    const { dataset } = this.#frame;
    dataset.theme = chosen(["light", "dark"]) ?? "";
    dataset.board = chosen(BOARD_STYLES) ?? BOARD_STYLES[0];
    dataset.discs = chosen(DISC_STYLES) ?? "";
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.isConnected) this.#open();
    });
  }

  #close() {
    this.#session++;
    this.#screen?.close?.();
    this.#screen = null;
  }

  async #open() {
    this.#close();
    const session = this.#session;
    const page = this.#page(session);
    try {
      await speak(this.#language());
      const { open } = await SCREENS[this.mode]();
      if (session !== this.#session) return;
      this.#reset();
      const screen = await open(page, this);
      if (session !== this.#session) return void screen.close?.();
      this.#screen = screen;
      this.emit("ready", this.state);
    } catch (error) {
      if (session !== this.#session) return;
      page.showNotice(errorMessage(error));
      this.emit("error", { message: errorMessage(error), error });
    }
  }

  /** The language of the attribute, of the page around, or of the browser. */
  #language() {
    const around = this.closest("[lang]")?.getAttribute("lang") ?? "";
    const wishes = [this.text("language"), around, ...navigator.languages].map((tag) => tag.slice(0, 2));
    return wishes.find(isLanguage) ?? "en";
  }

  #reset() {
    this.#frame.lang = this.#language();
    this.#frame.dataset.screen = this.mode === "viewer" ? "review" : this.mode;
    this.#notice.hidden = true;
    this.#panel.replaceChildren();
    this.#comment.removeAttribute("name");
    this.#surface.showScores(null);
    this.#surface.showThreats([]);
    this.#surface.showHint([]);
    this.#surface.showLine([]);
    labelBoard(this.#surface);
    this.#panel.setAttribute("aria-label", t("page.nav.review"));
  }

  /** What a screen may call, as long as it is shown. @param {number} session @returns {Page} */
  #page(session) {
    const board = this;
    return {
      board: this.#surface,
      get panel() {
        return session === board.#session ? board.#panel : h("div");
      },
      get isClosed() {
        return session !== board.#session;
      },
      setScreen: (screen) => {
        if (session === this.#session) this.#screen = screen;
      },
      announce: (text) => {
        this.#live.textContent = this.#live.textContent === text ? `${text}\u00a0` : text;
      },
      showNotice: (text) => {
        this.#notice.hidden = !text;
        this.#notice.textContent = text;
      },
      navigate() {},
      showSeats: (above, below) => showSeatsAround(this.#surface, this.#root, above, below),
    };
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.defaultPrevented || isTyping(event.target)) return;
    if (this.#screen?.onKey?.(event)) event.preventDefault();
  }
}
