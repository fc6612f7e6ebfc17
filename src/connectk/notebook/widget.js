// The front end of a notebook's board: the page's board, and buttons that change the traits of the widget in Python. It knows
// no rules and computes nothing; Python answers each change with the trait `view`.
import { ConnectkBoard, eventDetail } from "./board/board.js";
import { moveSeparator } from "./board/convert.js";
import { labelBoard } from "./board/labels.js";
import { startDiscs, writeDiscs } from "./board/start-position.js";
import { button, checkbox, h, radioGroup, select } from "./common/dom.js";
import { AdvantageGraph } from "./review/advantage-graph.js";
import { columnLabels } from "./texts/score-labels.js";
import { setTexts, t } from "./texts/texts.js";

/** @import { BoardState, Cell, Disc, Side } from "./page-types.js"
 *  @import { ScoresAnswer } from "./types.js"
 *  @import { GraphMark } from "./review/advantage-graph.js"
 *  @typedef {{ get(name: string): any, set(name: string, value: unknown): void, save_changes(): void,
 *    on(event: string, listener: () => void): void, off(event: string, listener: () => void): void }} Model
 *  @typedef {{ board: BoardState, moves: string, ply: number, length: number, undo: string | null, status: string, wrong: boolean,
 *    scores: ScoresAnswer | null, advantage: number[] | null, marks: GraphMark[], comment: string, best: number[] }} View */

const LEVELS = 10;
const DARK_LUMINANCE = 0.4;

/** @param {{ model: Model, el: HTMLElement }} context @param {{ css: string, tag: string }} parts */
export function render({ model, el }, { css, tag }) {
  if (!customElements.get(tag)) customElements.define(tag, class extends ConnectkBoard {});
  const host = h("div");
  el.append(host);
  const root = host.attachShadow({ mode: "open" });
  const style = new CSSStyleSheet();
  style.replaceSync(css);
  root.adoptedStyleSheets = [style];
  const widget = new NotebookBoard(model, host, /** @type {ConnectkBoard} */ (document.createElement(tag)));
  root.append(widget.element);
  widget.showAll();
  return () => {
    widget.close();
    host.remove();
  };
}

class NotebookBoard {
  /** @param {Model} model @param {HTMLElement} host @param {ConnectkBoard} board */
  constructor(model, host, board) {
    this.model = model;
    this.host = host;
    this.board = board;
    this.isWaiting = false; // for Python's answer to a drop
    /** @type {Side | "erase"} */
    this.brush = "first";
    setTexts(model.get("language"), model.get("texts"));
    this.status = h("p", { role: "status", "aria-live": "polite" });
    this.comment = h("p.quiet");
    this.controls = h("div.stack");
    this.graph = new AdvantageGraph({
      label: t("review.graph"),
      describePly: () => this.view.comment,
      onMove: (ply) => this.#set({ ply }),
    });
    this.element = h(
      "div.sheet.stack",
      h("div.place", board),
      this.status,
      this.graph.element,
      this.comment,
      this.controls,
    );
    board.addEventListener("choose", (event) => this.#onChoose(eventDetail(event).column));
    board.addEventListener("cell", (event) => this.#onCell(eventDetail(event)));
    /** @type {[string, () => void][]} */
    this.listeners = [
      ["change:view", () => this.#onView()],
      ["change:texts", () => this.showAll()],
      ["change:theme", () => this.#showTheme()],
      ["change:editing", () => this.#onEditing()],
      ...["draft", "level", "readonly", "show_scores", "show_review"].map(
        (name) => /** @type {[string, () => void]} */ ([`change:${name}`, () => this.#showView({ animate: false })]),
      ),
    ];
    for (const [event, listener] of this.listeners) model.on(event, listener);
  }

  close() {
    for (const [event, listener] of this.listeners) this.model.off(event, listener);
  }

  /** @returns {View} */
  get view() {
    return this.model.get("view");
  }

  showAll() {
    setTexts(this.model.get("language"), this.model.get("texts"));
    this.host.lang = this.model.get("language");
    labelBoard(this.board);
    this.#showTheme();
    this.#onEditing();
  }

  /** @param {Record<string, unknown>} changes */
  #set(changes) {
    for (const [name, value] of Object.entries(changes)) this.model.set(name, value);
    this.model.save_changes();
  }

  /** @param {number} column */
  #onChoose(column) {
    const { board, moves } = this.view;
    if (this.isWaiting || !board.hand || !board.open.includes(column)) return;
    this.isWaiting = true;
    this.board.place(column, board.hand);
    this.#set({ ply: -1, moves: [moves, String(column + 1)].filter(Boolean).join(moveSeparator(board.width)) });
  }

  /** Paints a cell while a position is set up. @param {Cell} cell */
  #onCell({ column, row }) {
    const discs = this.#draftDiscs();
    const there = discs.find((disc) => disc.column === column && disc.row === row);
    const others = discs.filter((disc) => disc !== there);
    if (this.brush !== "erase" && there?.side !== this.brush) others.push({ column, row, side: this.brush });
    this.#set({ draft: writeDiscs(others) });
  }

  /** @returns {Disc[]} */
  #draftDiscs() {
    return startDiscs(this.model.get("draft"));
  }

  #onView() {
    this.isWaiting = false;
    this.#showView();
  }

  #onEditing() {
    const isEditing = this.model.get("editing");
    this.board.toggleAttribute("editing", isEditing);
    this.controls.replaceChildren(...(isEditing ? this.#editorControls() : this.#gameControls()));
    this.#showView({ animate: false });
  }

  #showView({ animate = true } = {}) {
    const { board, scores, status, wrong, advantage, marks, comment, best, ply } = this.view;
    const isEditing = this.model.get("editing");
    this.board.show(isEditing ? { width: board.width, height: board.height, discs: this.#draftDiscs() } : board, {
      animate,
    });
    this.board.showScores(scores && columnLabels(scores));
    this.board.showHint(best);
    this.status.textContent = status;
    this.status.classList.toggle("bad", wrong);
    this.comment.textContent = comment;
    this.comment.hidden = !comment;
    this.graph.element.toggleAttribute("hidden", !advantage);
    if (advantage) {
      this.graph.show(advantage, marks);
      this.graph.moveTo(ply);
    }
    this.controls.hidden = this.model.get("readonly");
    if (!isEditing) this.#updateControls();
  }

  #editorControls() {
    const names = { first: t("side.first"), second: t("side.second"), erase: t("editor.erase") };
    const options = Object.entries(names);
    return [
      radioGroup(t("editor.brush"), "brush", options, this.brush, (value) => {
        this.brush = value === "first" || value === "second" ? value : "erase";
      }),
      h(
        "div.row",
        button(t("notebook.done"), () => this.#set({ editing: false }), { class: "main" }),
        button(t("editor.clear"), () => this.#set({ draft: "" })),
      ),
    ];
  }

  #gameControls() {
    /** @param {string} sign @param {string} label @param {() => number} ply */
    const step = (sign, label, ply) => button(sign, () => this.#set({ ply: ply() }), { "aria-label": label });
    const levels = Array.from({ length: LEVELS }, (_, at) => [String(at + 1), t("name.level", { level: at + 1 })]);
    const controls = (this.gameControls = {
      undo: button(t("play.undo"), () => this.#set({ ply: -1, moves: this.view.undo })),
      back: [step("«", t("review.first"), () => 0), step("‹", t("review.back"), () => this.view.ply - 1)],
      forward: [
        step("›", t("review.next"), () => this.view.ply + 1),
        step("»", t("review.last"), () => this.view.length),
      ],
      opponent: select(t("home.opponents"), [["0", t("home.friend")], ...levels], "0", (value) =>
        this.#set({ level: Number(value) }),
      ),
      scores: checkbox(t("play.scores"), false, (on) => this.#set({ show_scores: on })),
      review: checkbox(t("play.review"), false, (on) => this.#set({ show_review: on })),
    });
    return [
      h("div.row", controls.undo, ...controls.back, ...controls.forward),
      h(
        "div.row",
        controls.opponent,
        button(t("play.restart"), () => this.#set({ ply: -1, moves: "" })),
        button(t("editor.title"), () => this.#set({ editing: true })),
      ),
      h("div.row", controls.scores, controls.review),
    ];
  }

  #updateControls() {
    const { model, gameControls: controls, view } = this;
    if (!controls) return;
    controls.undo.disabled = view.undo === null;
    for (const one of controls.back) one.disabled = view.ply === 0;
    for (const one of controls.forward) one.disabled = view.ply === view.length;
    controls.opponent.value = String(model.get("level"));
    checkIf(controls.scores, model.get("show_scores"));
    checkIf(controls.review, model.get("show_review"));
  }

  /** A notebook's theme is not the system's: what is behind the board says whether it is dark. */
  #showTheme() {
    const wanted = this.model.get("theme");
    this.host.dataset.theme = wanted === "auto" ? (isDarkBehind(this.host) ? "dark" : "light") : wanted;
  }
}

/** @param {Element} element */
function isDarkBehind(element) {
  for (let place = element.parentElement; place; place = place.parentElement) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(place).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    if (alpha > 0 && blue !== undefined) return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255 < DARK_LUMINANCE;
  }
  return false;
}

/** @param {HTMLElement} label @param {boolean} checked */
function checkIf(label, checked) {
  const box = label.querySelector("input");
  if (box) box.checked = checked;
}
