// The editor: put discs anywhere, read at once what is wrong, then play or analyse from there.
import { api } from "./api.js";
import { gameBoard } from "./boards.js";
import { button, chip, choice, field, h } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { gamePath } from "./paths.js";
import { sizeField } from "./setup.js";
import { t } from "./texts.js";

export async function open(page, [variant], handed) {
  const kept = remembered("editor", { variant: "7x6x4", discs: [] }); // a reload loses nothing
  const screen = new Editor(page, variant ?? kept.variant, handed?.discs ?? (variant && variant !== kept.variant ? [] : kept.discs));
  await screen.check();
  return screen;
}

class Editor {
  constructor(page, variant, discs) {
    this.page = page;
    this.size = variant.split("x").map(Number);
    this.cells = new Map(discs.map((disc) => [`${disc.column},${disc.row}`, disc.side]));
    this.brush = "first";
    this.game = null;
    this.cell = (event) => this.#paint(event.detail);
    page.opens(this);
    page.board.addEventListener("cell", this.cell);
    page.board.setAttribute("editing", "");
    this.#draw();
  }

  close() {
    this.closed = true;
    this.page.board.removeEventListener("cell", this.cell);
  }

  get variant() { return this.size.join("x"); }

  #paint({ column, row }) {
    const key = `${column},${row}`;
    if (this.brush === "erase" || this.cells.get(key) === this.brush) this.cells.delete(key);
    else this.cells.set(key, this.brush);
    this.check();
  }

  #discs() {
    return [...this.cells].map(([key, side]) => {
      const [column, row] = key.split(",").map(Number);
      return { column, row, side };
    }).filter(({ column, row }) => column < this.size[0] && row < this.size[1]);
  }

  // Ask the rules about the board as it is now; the answer is shown beside it.
  async check() {
    const asked = this.asked = {};
    const discs = this.#discs();
    remember("editor", { variant: this.variant, discs });
    this.#showBoard(discs);
    let sentence = "";
    let game = null;
    try {
      game = await api.game({ variant: this.variant, discs });
    } catch (error) {
      if (error.away) throw error;
      sentence = error.message;
    }
    if (asked !== this.asked || this.closed) return;
    this.game = game;
    if (game) this.page.board.show(gameBoard(game, 0), { animate: false });
    this.#tell(sentence || this.#fine(game.positions[0]), !game);
  }

  #showBoard(discs) {
    const [width, height] = this.size;
    if (width <= 100 && height <= 100) this.page.board.show({ width, height, discs }, { animate: false });
  }

  #fine(view) {
    const { result } = view;
    if (result) return result.winner ? t("editor.won", { name: t(`name.${result.winner}`) }) : t("result.draw");
    return t("editor.fine", { name: t(`name.${view.side_to_move}`) });
  }

  #tell(sentence, wrong) {
    this.status.textContent = sentence;
    this.status.classList.toggle("bad", wrong);
    this.play.disabled = wrong || this.game.positions[0].result !== null;
    this.analyse.disabled = wrong;
    this.page.say(sentence);
  }

  #draw() {
    this.status = h("p", { id: "editor-status" });
    this.play = button(t("editor.play"), () => this.#use("play"), { class: "main", disabled: true });
    this.analyse = button(t("editor.analyse"), () => this.#use("analyse"), { disabled: true });
    this.page.panel.replaceChildren(
      h("div", { class: "stack" }, h("h1", {}, t("editor.title")), h("p", { class: "quiet" }, t("editor.lead"))),
      choice(t("editor.brush"), "brush", [["first", t("side.first")], ["second", t("side.second")], ["erase", t("editor.erase")]],
        this.brush, (value) => { this.brush = value; }, "large"),
      this.#sizes(), this.#moves(),
      h("div", { class: "status" }, this.status),
      h("div", { class: "row" }, this.play, this.analyse, button(t("editor.clear"), () => this.#clear())));
    this.page.panel.querySelectorAll(".choice span").forEach((span, index) => {
      if (index < 2) span.prepend(chip(index ? "second" : "first"));
    });
  }

  #sizes() {
    return sizeField(this.size, (size) => { this.size.splice(0, 3, ...size); this.check(); }, "oninput");
  }

  #moves() {
    const input = h("input", { type: "text", "aria-label": t("editor.moves"), placeholder: "4453", inputmode: "numeric",
      autocomplete: "off", onchange: () => this.#play(input.value) });
    return field(t("editor.moves"), input);
  }

  async #play(moves) {
    try {
      const game = await api.game({ variant: this.variant, moves });
      this.cells = new Map(gameBoard(game, game.columns.length).discs.map((disc) => [`${disc.column},${disc.row}`, disc.side]));
      await this.check();
    } catch (error) {
      this.#tell(error.message, true);
    }
  }

  #clear() {
    this.cells.clear();
    this.check();
  }

  #use(what) {
    const path = gamePath({ variant: this.variant, moves: "", start: this.game.start });
    this.page.go(path, { play: what === "play" });
  }
}
