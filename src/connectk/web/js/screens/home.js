// The home screen: a board with a demo until it is touched, and a few large buttons.
import { ServerUnreachable, api, hasServer, errorMessage } from "../common/api.js";
import { eventDetail } from "../board/board.js";
import { boardAtPly } from "../board/convert.js";
import { button, restoreFieldFocus, h } from "../common/dom.js";
import { savedGames } from "../match/saved-games.js";
import { COMMAND_KEYS, pressedLetter } from "../board/keyboard.js";
import { drawFace } from "../match/faces.js";
import { readProgress } from "../match/progress.js";
import { LEVELS, levelDescription, opponentName } from "../texts/levels.js";
import { showSeats } from "../match/seats.js";
import { MatchSetup } from "../match/setup.js";
import { HomeDemo } from "./home-demo.js";
import { codeForm } from "./code-form.js";
import { t } from "../texts/texts.js";

const MIN_GAMES_FOR_RATING = 5; // the number of games before a rating is shown

/** @import { Page, Side, QueuedInput } from "../page-types.js" */

/** @param {Page} page */
export async function open(page) {
  const screen = new HomeScreen(page);
  await screen.open();
  return screen;
}

class HomeScreen {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.setup = new MatchSetup((name) => {
      if (name === "any") this.heading.replaceChildren(...this.#headingWords());
      else this.#draw();
      this.#showBoard();
    });
    this.heading = h("div.stack");
    this.isCreating = false;
    /** @type {QueuedInput[]} */
    this.queuedInput = []; // columns and letters that are pressed while the match is created
    this.demo = new HomeDemo(page.board, () => this.#showBoard());
    this.listenerAbort = new AbortController();
  }

  async open() {
    const { signal } = this.listenerAbort;
    this.page.setScreen(this);
    this.#draw();
    this.page.board.addEventListener("choose", (event) => this.#onColumnChosen(eventDetail(event).column), { signal });
    document.addEventListener(
      "keydown",
      (event) => {
        const act = COMMAND_KEYS[pressedLetter(event)];
        if (this.isCreating && act) this.queuedInput.push({ act });
      },
      { signal },
    );
    if (this.setup.variant !== "7x6x4") return this.#showBoard();
    const started = this.demo.start(signal);
    this.#showSeats();
    return started;
  }

  close() {
    this.listenerAbort.abort();
    this.demo.stop();
  }

  // Shows the empty board of the chosen size.
  async #showBoard() {
    const asked = this.setup.variant;
    this.#showStatus("");
    try {
      const game = await api.game({ variant: asked });
      if (this.listenerAbort.signal.aborted || this.isCreating || asked !== this.setup.variant) return;
      this.demo.clear();
      this.page.board.show(boardAtPly(game, 0, this.#handSide()));
      this.#showSeats();
    } catch (error) {
      if (error instanceof ServerUnreachable) throw error;
      this.#showStatus(errorMessage(error));
    }
  }

  /** @returns {Side | null} */
  #handSide() {
    return this.setup.values.starts === "computer" ? null : "first";
  }

  /** @param {number} column */
  #onColumnChosen(column) {
    this.demo.clear();
    if (this.isCreating) return this.queuedInput.push({ column });
    if (!this.#handSide())
      return this.#showStatus(t("home.computer_starts", { name: opponentName(this.setup.values.level) }));
    this.page.board.place(column, "first");
    return this.#start("one", column);
  }

  /** @param {"one" | "two"} mode @param {number | null} column */
  async #start(mode, column = null) {
    if (this.isCreating) return;
    this.isCreating = true;
    this.demo.clear();
    try {
      const { match } = await this.setup.create(mode);
      if (column !== null) this.queuedInput.unshift({ column });
      // The array itself is passed: more columns may be chosen before the next screen opens.
      this.page.navigate(`/match/${match.id}`, { queue: this.queuedInput });
    } catch (error) {
      this.isCreating = false;
      this.queuedInput = [];
      this.#showStatus(errorMessage(error));
      this.#showBoard();
    }
  }

  /** @param {string} text */
  #showStatus(text) {
    const status = this.page.panel.querySelector("#home-status");
    if (status) status.textContent = text;
    if (text) this.page.announce(text);
  }

  #draw() {
    const kept = document.activeElement?.getAttribute("name");
    const { setup } = this;
    const isOpen = this.page.panel.querySelector("details")?.open ?? false;
    this.heading.replaceChildren(...this.#headingWords());
    this.page.panel.replaceChildren(
      this.heading,
      h("p.bad", { id: "home-status" }),
      h(
        "div.choices",
        this.#continueButton(),
        this.#opponentButton(),
        this.#opponents(),
        hasServer &&
          largeButton(
            t("home.somebody"),
            t("home.somebody_words"),
            () => this.page.navigate("/somebody", { seek: true }),
            { class: "large", name: "somebody" },
          ),
        largeButton(t("home.two"), t("home.two_words"), () => this.#start("two")),
        hasServer && largeButton(t("home.invite"), t("home.invite_words"), () => this.page.navigate("/invite")),
      ),
      h(
        "div.row.even",
        h("a.button", { href: "#/puzzle" }, t("home.puzzle")),
        h("a.button", { href: "#/learn" }, t("home.lessons")),
        h("a.button", { href: "#/watch" }, t("home.demo")),
      ),
      hasServer ? codeForm(this.page, (words) => this.#showStatus(words)) : "",
      h(
        "details",
        { open: isOpen },
        h("summary", t("home.more")),
        h(
          "div.stack",
          setup.startsField("home.you", "home.computer"),
          ...setup.boardFields(),
          setup.clockField(),
          setup.beginningField(),
          setup.beginningText(),
        ),
      ),
    );
    this.#showSeats();
    restoreFieldFocus(this.page.panel, kept);
  }

  #headingWords() {
    const { run } = this.setup;
    const title = run === 4 ? t("home.title") : t("home.title_run", { run });
    return [h("h1", title), h("p.quiet", t("home.lead", { run }))];
  }

  // The first button: the opponent who was chosen, or else the next opponent to beat.
  #opponentButton() {
    const { level } = this.setup.values;
    const element = button("", () => this.#start("one"), { class: "large main opponent", name: "one" });
    element.append(
      drawFace(level),
      h(
        "span.stack.tight",
        h("strong", t("home.one", { name: opponentName(level) })),
        h("span", levelDescription(level)),
      ),
    );
    return element;
  }

  #opponents() {
    const { beaten, wins, draws, losses, rating, rated } = readProgress();
    const facts = [t("home.beaten", { count: beaten.length, of: LEVELS.length })];
    if (wins + draws + losses) facts.push(t("home.record", { wins, draws, losses }));
    if (rating && rated >= MIN_GAMES_FOR_RATING) {
      const margin = Math.round((1.96 * rating[1]) / 10) * 10;
      facts.push(t("home.rating", { rating: Math.round(rating[0] / 10) * 10, margin }));
    }
    return h("div.gallery", this.setup.opponentsField(beaten), h("p.quiet.small", { id: "progress" }, facts.join(" ")));
  }

  // Shows the seats of a new game, or none during the demo.
  #showSeats() {
    if (this.demo.isShown) return showSeats(null, null);
    const { starts, level } = this.setup.values;
    const name = opponentName(level);
    const [mine, other] = /** @type {Side[]} */ (starts === "computer" ? ["second", "first"] : ["first", "second"]);
    return showSeats({ side: other, name, level }, { side: mine, name: t("name.you") });
  }

  // A button to continue the latest unfinished game.
  #continueButton() {
    const game = savedGames().find(({ result }) => !result);
    if (!game) return null;
    return largeButton(
      t("home.continue"),
      `${game.names.first} – ${game.names.second}, ${t("watch.discs", { count: game.ply })}`,
      () => this.page.navigate(`/match/${game.id}`),
      { class: "large", name: "continue" },
    );
  }
}

/** @param {string} title @param {string} words @param {() => unknown} onclick @param {import("../common/dom.js").Attributes} attributes */
function largeButton(title, words, onclick, attributes = { class: "large" }) {
  const element = button("", onclick, attributes);
  element.append(h("strong", title), h("span", words));
  return element;
}
