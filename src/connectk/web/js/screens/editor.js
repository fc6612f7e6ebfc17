// The editor: put discs anywhere, read at once what is wrong, then play or analyse from there.
import { Away, api, wordsOf } from "../common/api.js";
import { detailOf } from "../board/board.js";
import { gameBoard } from "../board/boards.js";
import { button, chip, choice, field, h } from "../common/dom.js";
import { remember, remembered } from "../common/memory.js";
import { gamePath } from "../common/paths.js";
import { sizeField } from "../match/setup.js";
import { startDiscs, writeDiscs } from "../board/start.js";
import { t } from "../texts/texts.js";

/** @import { Cell, Disc, Page, Side } from "../shapes.js"
 *  @import { GameMomentView, WholeGameAnswer } from "../types.js"
 *  @typedef {{ variant: string, start?: string }} Kept */

/** @param {Page} page @param {string[]} path */
export async function open(page, [variant]) {
  const kept = remembered("editor", /** @type {Kept} */ ({ variant: "7x6x4" })); // a reload loses nothing
  const discs = startDiscs(kept.start ?? "");
  const screen = new Editor(page, variant ?? kept.variant, variant && variant !== kept.variant ? [] : discs);
  await screen.check();
  return screen;
}

class Editor {
  /** @param {Page} page @param {string} variant @param {Disc[]} discs */
  constructor(page, variant, discs) {
    this.page = page;
    this.size = variant.split("x").map(Number);
    /** @type {Map<string, Side>} */
    this.cells = new Map(discs.map((disc) => [`${disc.column},${disc.row}`, disc.side]));
    /** @type {Side | "erase"} */
    this.brush = "first";
    /** @type {WholeGameAnswer | null} */
    this.game = null;
    /** @type {object | null} */
    this.asked = null;
    this.closed = false;
    this.status = h("p", { id: "editor-status" });
    this.play = button(t("editor.play"), () => this.#use("play"), { class: "main", disabled: true });
    this.analyse = button(t("editor.analyse"), () => this.#use("analyse"), { disabled: true });
    this.cell = (/** @type {Event} */ event) => this.#paint(detailOf(event));
    page.opens(this);
    page.board.addEventListener("cell", this.cell);
    page.board.setAttribute("editing", "");
    this.#draw();
  }

  close() {
    this.closed = true;
    this.page.board.removeEventListener("cell", this.cell);
  }

  get variant() {
    return this.size.join("x");
  }

  /** @param {Cell} cell */
  #paint({ column, row }) {
    const key = `${column},${row}`;
    if (this.brush === "erase" || this.cells.get(key) === this.brush) this.cells.delete(key);
    else this.cells.set(key, this.brush);
    this.check();
  }

  #discs() {
    return [...this.cells]
      .map(([key, side]) => {
        const [column, row] = key.split(",").map(Number);
        return { column, row, side };
      })
      .filter(({ column, row }) => column < this.size[0] && row < this.size[1]);
  }

  // Ask the rules about the board as it is now; the answer is shown beside it.
  async check() {
    const asked = (this.asked = {});
    const discs = this.#discs();
    const written = { variant: this.variant, start: writeDiscs(discs) };
    remember("editor", written);
    this.#showBoard(discs);
    let sentence = "";
    let game = null;
    try {
      game = await api.game(written);
    } catch (error) {
      if (error instanceof Away) throw error;
      sentence = wordsOf(error);
    }
    if (asked !== this.asked || this.closed) return;
    this.game = game;
    if (game) this.page.board.show(gameBoard(game, 0), { animate: false });
    this.#tell(game ? this.#fine(game.positions[0]) : sentence);
  }

  /** @param {Disc[]} discs */
  #showBoard(discs) {
    const [width, height] = this.size;
    if (width <= 100 && height <= 100) this.page.board.show({ width, height, discs }, { animate: false });
  }

  /** @param {GameMomentView} view */
  #fine(view) {
    const { result } = view;
    if (result) return result.winner ? t("editor.won", { name: t(`name.${result.winner}`) }) : t("result.draw");
    return t("editor.fine", { name: t(`name.${view.side_to_move}`) });
  }

  /** @param {string} sentence */
  #tell(sentence) {
    const wrong = !this.game;
    this.status.textContent = sentence;
    this.status.classList.toggle("bad", wrong);
    this.play.disabled = !this.game || this.game.positions[0].result !== null;
    this.analyse.disabled = wrong;
    this.page.say(sentence);
  }

  #draw() {
    this.page.panel.replaceChildren(
      h("div.stack", h("h1", t("editor.title")), h("p.quiet", t("editor.lead"))),
      choice(
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
      this.#sizes(),
      this.#moves(),
      h("div.status", this.status),
      h(
        "div.row",
        this.play,
        this.analyse,
        button(t("editor.clear"), () => this.#clear()),
      ),
    );
    this.page.panel.querySelectorAll(".choice span").forEach((span, index) => {
      if (index < 2) span.prepend(chip(index ? "second" : "first"));
    });
  }

  #sizes() {
    return sizeField(
      this.size,
      (size) => {
        this.size.splice(0, 3, ...size);
        this.check();
      },
      "oninput",
    );
  }

  #moves() {
    const input = h("input", {
      type: "text",
      "aria-label": t("editor.moves"),
      placeholder: "4453",
      inputmode: "numeric",
      autocomplete: "off",
      onchange: () => this.#play(input.value),
    });
    return field(t("editor.moves"), input);
  }

  /** @param {string} moves */
  async #play(moves) {
    try {
      const game = await api.game({ variant: this.variant, moves });
      this.cells = new Map(
        gameBoard(game, game.columns.length).discs.map((disc) => [`${disc.column},${disc.row}`, disc.side]),
      );
      await this.check();
    } catch (error) {
      this.game = null;
      this.#tell(wordsOf(error));
    }
  }

  #clear() {
    this.cells.clear();
    this.check();
  }

  /** @param {"play" | "analyse"} what */
  #use(what) {
    const path = gamePath({ variant: this.variant, moves: "", start: this.game?.start });
    this.page.go(path, { play: what === "play" });
  }
}
