// The screen of the position editor: a person puts discs anywhere, sees at once what is wrong, then plays or analyses from there.
import { ServerUnreachable, api, errorMessage, hasServer } from "../common/api.js";
import { eventDetail } from "../board/board.js";
import { boardAtPly, writeMoves, writeVariant } from "../board/convert.js";
import { button, discIcon, radioGroup, field, h } from "../common/dom.js";
import { writeStorage, readStorage } from "../common/storage.js";
import { gamePath } from "../common/paths.js";
import { sizeField } from "../match/setup.js";
import { startDiscs, writeDiscs } from "../board/start-position.js";
import { Explorer } from "../review/explorer.js";
import { CancellableRequests } from "../common/cancellable-requests.js";
import { loadTextGroup, t } from "../texts/texts.js";

/** @import { Cell, Disc, Page, Side } from "../page-types.js"
 *  @import { WholeGameAnswer } from "../types.js"
 *  @typedef {{ variant: string, start?: string, moves?: string }} StoredPosition */

/** @param {Page} page @param {string[]} path */
export async function open(page, [variant]) {
  await loadTextGroup("later");
  const kept = readStorage("editor", /** @type {StoredPosition} */ ({ variant: "7x6x4" })); // a reload keeps the position
  const position = variant && variant !== kept.variant ? { variant } : kept;
  const screen = new EditorScreen(page, position);
  await screen.check();
  return screen;
}

class EditorScreen {
  /** @param {Page} page @param {StoredPosition} position */
  constructor(page, { variant, start = "", moves = "" }) {
    this.page = page;
    this.size = variant.split("x").map(Number);
    /** @type {Map<string, Side>} */
    this.discs = new Map();
    this.#takeDiscs(startDiscs(start));
    /** @type {Side | "erase"} */
    this.brush = "first";
    /** @type {WholeGameAnswer | null} */
    this.game = null;
    this.checkCount = 0;
    this.latestCheck = Promise.resolve();
    this.isClosed = false;
    this.explorer = new Explorer((column) => this.#drop(column));
    this.requests = new CancellableRequests(() => {}); // the board can be set up without the explorer
    this.isExploring = false;
    this.status = h("p", { id: "editor-status" });
    this.playButton = button(t("editor.play"), () => this.#openPosition("play"), { class: "main", disabled: true });
    this.analyseButton = button(t("editor.analyse"), () => this.#openPosition("analyse"), { disabled: true });
    this.movesInput = h("input", {
      type: "text",
      "aria-label": t("editor.moves"),
      placeholder: "4453",
      inputmode: "numeric",
      autocomplete: "off",
      value: moves,
      oninput: () => this.#onMovesTyped(),
    });
    this.onCell = (/** @type {Event} */ event) => this.#paint(eventDetail(event));
    page.setScreen(this);
    page.board.addEventListener("cell", this.onCell);
    page.board.setAttribute("editing", "");
    this.#draw();
  }

  close() {
    this.isClosed = true;
    this.requests.abortAll();
    this.page.board.removeEventListener("cell", this.onCell);
  }

  get variant() {
    return this.size.join("x");
  }

  /** The moves that were typed. With moves the position is a game instead of a set-up board. */
  get moves() {
    return this.movesInput.value.trim();
  }

  #onMovesTyped() {
    if (!this.moves) this.discs.clear();
    this.check();
  }

  /** @param {Disc[]} discs */
  #takeDiscs(discs) {
    this.discs = new Map(discs.map(({ column, row, side }) => [`${column},${row}`, side]));
  }

  /** Paints a cell, which turns a game into a set-up board. @param {Cell} cell */
  #paint({ column, row }) {
    const key = `${column},${row}`;
    this.movesInput.value = "";
    if (this.brush === "erase" || this.discs.get(key) === this.brush) this.discs.delete(key);
    else this.discs.set(key, this.brush);
    this.check();
  }

  #discsOnBoard() {
    return [...this.discs]
      .map(([key, side]) => {
        const [column, row] = key.split(",").map(Number);
        return { column, row, side };
      })
      .filter(({ column, row }) => column < this.size[0] && row < this.size[1]);
  }

  /** Lets the rules check the current board or the moves, and shows the answer. */
  check() {
    const { moves } = this;
    const discs = this.#discsOnBoard();
    const written = { variant: this.variant, ...(moves ? { moves } : { start: writeDiscs(discs) }) };
    writeStorage("editor", written);
    if (!moves) this.#showBoard(discs);
    return (this.latestCheck = this.#ask(written));
  }

  /** @param {StoredPosition} written */
  async #ask(written) {
    const number = ++this.checkCount;
    let sentence = "";
    let game = null;
    try {
      game = await api.game(written);
    } catch (error) {
      if (error instanceof ServerUnreachable) throw error;
      sentence = errorMessage(error);
    }
    if (number !== this.checkCount || this.isClosed) return;
    this.game = game;
    if (game) this.#showGame(game);
    this.#showStatus(game ? this.#validText(game) : sentence);
    this.#explore();
  }

  /** Shows what the explorer knows of the position, while it is open. */
  async #explore() {
    const { game, explorer } = this;
    this.requests.abortAll();
    if (!this.isExploring || !game) return void (explorer.element.hidden = true);
    const { columns: moves, variant, start } = game;
    explorer.show(game, moves.length);
    if (game.positions[moves.length].result) return undefined;
    const body = { variant, start, moves };
    const [counts, scores] = await Promise.all([
      hasServer && this.requests.run("explorer", (signal) => api.explorer(body, signal)),
      this.requests.run("scores", (signal) => api.scores(body, signal)),
    ]);
    if (game !== this.game) return undefined;
    if (counts) explorer.setCounts(counts);
    if (scores) explorer.setScores(scores);
    return undefined;
  }

  /** Drops the next disc of the position, as a move if there are moves. @param {number} column */
  #drop(column) {
    const { game } = this;
    if (!game) return;
    if (this.moves || !this.discs.size) {
      this.movesInput.value = writeMoves([...game.columns, column], game.variant.width);
      this.check();
      return;
    }
    const row = this.#discsOnBoard().filter((disc) => disc.column === column).length;
    const side = game.positions[game.columns.length].side_to_move;
    if (side) this.discs.set(`${column},${row}`, side);
    this.check();
  }

  /** @param {WholeGameAnswer} game */
  #showGame(game) {
    const board = boardAtPly(game, game.columns.length);
    if (game.columns.length) this.#takeDiscs(board.discs);
    this.page.board.show(board, { animate: false });
  }

  /** @param {Disc[]} discs */
  #showBoard(discs) {
    const [width, height] = this.size;
    if (width <= 100 && height <= 100) this.page.board.show({ width, height, discs }, { animate: false });
  }

  /** @param {WholeGameAnswer} game */
  #validText({ positions }) {
    const { result, side_to_move: side } = positions[positions.length - 1];
    if (result) return result.winner ? t("editor.won", { name: t(`name.${result.winner}`) }) : t("result.draw");
    return t("editor.fine", { name: t(`name.${side}`) });
  }

  /** @param {string} sentence */
  #showStatus(sentence) {
    const wrong = !this.game;
    this.status.textContent = sentence;
    this.status.classList.toggle("bad", wrong);
    this.playButton.disabled = !this.game || this.game.positions.at(-1)?.result !== null;
    this.analyseButton.disabled = wrong;
    this.page.announce(sentence);
  }

  #draw() {
    this.page.panel.replaceChildren(
      h("div.stack", h("h1", t("editor.title")), h("p.quiet", t("editor.lead"))),
      radioGroup(
        t("editor.brush"),
        "brush",
        [
          ["first", t("side.first")],
          ["second", t("side.second")],
          ["erase", t("editor.erase")],
        ],
        this.brush,
        (value) => (this.brush = value === "first" || value === "second" ? value : "erase"),
        "large",
      ),
      this.#sizeField(),
      field(t("editor.moves"), this.movesInput),
      h("div.status", this.status),
      h(
        "div.row",
        this.playButton,
        this.analyseButton,
        button(t("editor.clear"), () => this.#clear()),
      ),
      h(
        "details.explore",
        { ontoggle: (/** @type {Event} */ event) => this.#onToggle(event) },
        h("summary", t("explorer.title")),
        this.explorer.element,
      ),
    );
    this.page.panel.querySelectorAll(".choice span").forEach((span, index) => {
      if (index < 2) span.prepend(discIcon(index ? "second" : "first"));
    });
  }

  /** @param {Event} event */
  #onToggle({ target }) {
    this.isExploring = /** @type {HTMLDetailsElement} */ (target).open;
    this.#explore();
  }

  #sizeField() {
    return sizeField(
      this.size,
      (size) => {
        this.size.splice(0, 3, ...size);
        this.check();
      },
      "oninput",
    );
  }

  #clear() {
    this.discs.clear();
    this.movesInput.value = "";
    this.check();
  }

  /** Opens the position for play or analysis. The latest input counts, even if its check is not answered yet. @param {"play" | "analyse"} what */
  async #openPosition(what) {
    await this.latestCheck;
    const { game } = this;
    if (!game || this.isClosed) return;
    const path = gamePath({ variant: writeVariant(game.variant), moves: game.moves, start: game.start });
    this.page.navigate(path, { startMatch: what === "play" });
  }
}
