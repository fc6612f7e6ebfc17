// Home: a board on which something happens until it is touched, and a few large choices.
import { Away, api, hasServer, wordsOf } from "../common/api.js";
import { detailOf } from "../board/board.js";
import { gameBoard } from "../board/boards.js";
import { button, focusField, h } from "../common/dom.js";
import { keptGames } from "../match/games.js";
import { COMMANDS, letterOf } from "../board/keys.js";
import { playerName } from "../texts/levels.js";
import { showSeats } from "../match/seats.js";
import { Setup } from "../match/setup.js";
import { Showing } from "./showing.js";
import { t } from "../texts/texts.js";

/** @import { Page, Side, Wish } from "../shapes.js" */

/** @param {Page} page */
export async function open(page) {
  const screen = new Home(page);
  await screen.open();
  return screen;
}

class Home {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.setup = new Setup(() => {
      this.#draw();
      this.#showBoard();
    });
    this.busy = false;
    /** @type {Wish[]} */
    this.early = []; // columns and letters pressed while the match is being made
    this.showing = new Showing(page.board, () => this.#showBoard());
    this.listening = new AbortController();
  }

  async open() {
    const { signal } = this.listening;
    this.page.opens(this);
    this.#draw();
    this.page.board.addEventListener("choose", (event) => this.#chosen(detailOf(event).column), { signal });
    document.addEventListener(
      "keydown",
      (event) => {
        const act = COMMANDS[letterOf(event)];
        if (this.busy && act) this.early.push({ act });
      },
      { signal },
    );
    await this.#showBoard();
    if (!this.listening.signal.aborted && this.setup.variant === "7x6x4") await this.showing.begin(signal);
    this.#offerStop();
  }

  // What moves by itself can be stopped without touching the board, too.
  #offerStop() {
    const stop = button(
      t("home.stop"),
      () => {
        this.showing.touch();
        stop.remove();
      },
      { class: "plain small", id: "stop-showing" },
    );
    if (this.showing.isOn) this.page.panel.append(stop);
  }

  close() {
    this.listening.abort();
    this.showing.end();
  }

  // The empty board as the server describes it: its size, and the columns that are open.
  async #showBoard() {
    const asked = this.setup.variant;
    this.#say("");
    try {
      const game = await api.game({ variant: asked });
      if (this.listening.signal.aborted || this.busy || asked !== this.setup.variant) return;
      this.showing.clear();
      this.page.board.show(gameBoard(game, 0, this.#hand()));
    } catch (error) {
      if (error instanceof Away) throw error;
      this.#say(wordsOf(error));
    }
  }

  /** @returns {Side | null} */
  #hand() {
    return this.setup.values.starts === "computer" ? null : "first";
  }

  /** @param {number} column */
  #chosen(column) {
    this.showing.clear();
    if (this.busy) return this.early.push({ column });
    if (!this.#hand()) return this.#say(t("home.computer_starts"));
    this.page.board.place(column, "first");
    return this.#start("one", column);
  }

  /** @param {"one" | "two"} mode @param {number | null} column */
  async #start(mode, column = null) {
    if (this.busy) return;
    this.busy = true;
    this.showing.clear();
    try {
      const { match } = await this.setup.create(mode);
      if (column !== null) this.early.unshift({ column });
      // The list itself: a column may yet be chosen before the next screen opens.
      this.page.go(`/match/${match.id}`, { wishes: this.early });
    } catch (error) {
      this.busy = false;
      this.early = [];
      this.#say(wordsOf(error));
      this.#showBoard();
    }
  }

  /** @param {string} text */
  #say(text) {
    const status = this.page.panel.querySelector("#home-status");
    if (status) status.textContent = text;
    if (text) this.page.say(text);
  }

  #draw() {
    const kept = document.activeElement?.getAttribute("name");
    const { setup } = this;
    const isOpen = this.page.panel.querySelector("details")?.open ?? false;
    const title = setup.run === 4 ? t("home.title") : t("home.title_run", { run: setup.run });
    this.page.panel.replaceChildren(
      h("div.stack", h("h1", title), h("p.quiet", t("home.lead", { run: setup.run }))),
      h(
        "div.choices",
        this.#continue(),
        large(t("home.one"), t("home.one_words"), () => this.#start("one"), { class: "large main" }),
        large(t("home.two"), t("home.two_words"), () => this.#start("two")),
        hasServer && large(t("home.invite"), t("home.invite_words"), () => this.page.go("/invite")),
        large(t("home.demo"), t("home.demo_words"), () => this.page.go("/watch")),
      ),
      setup.level(),
      h(
        "details",
        { open: isOpen },
        h("summary", t("home.more")),
        h("div.stack", setup.starts("home.you", "home.computer"), ...setup.boards(), setup.clocks()),
      ),
      h(
        "div.row",
        h("a.button", { href: "#/puzzle" }, t("home.puzzle")),
        h("a.button", { href: "#/learn" }, t("home.lessons")),
      ),
      h("p.bad", { id: "home-status" }),
    );
    this.#showSeats();
    focusField(this.page.panel, kept);
  }

  #showSeats() {
    const { starts, level } = this.setup.values;
    const name = playerName(`level:${level}`);
    if (starts === "computer") showSeats({ side: "first", name }, { side: "second", name: t("name.you") });
    else showSeats({ side: "second", name }, { side: "first", name: t("name.you") });
  }

  // The game that was left last, if it is still open.
  #continue() {
    const game = keptGames().find(({ result }) => !result);
    if (!game) return null;
    return large(
      t("home.continue"),
      `${game.names.first} – ${game.names.second}, ${t("watch.discs", { count: game.ply })}`,
      () => this.page.go(`/match/${game.id}`),
      { class: "large", name: "continue" },
    );
  }
}

/** @param {string} title @param {string} words @param {() => unknown} onclick @param {import("../common/dom.js").Attributes} attributes */
function large(title, words, onclick, attributes = { class: "large" }) {
  const element = button("", onclick, attributes);
  element.append(h("strong", title), h("span", words));
  return element;
}
