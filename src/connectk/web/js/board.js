// <connectk-board>: shows discs, takes a choice of column. It knows no rules: which columns are open, who holds the
// disc and which cells won is told to it.
//
//   board.show({ width, height, discs: [{column, row, side}], open: [columns], hand: side | null, last, lines })
//   board.showScores([{ word, number, short, kind, best } | null, ...] | null)
//   board.showThreats([{ column, row, side, line }])
//   board.showHint([columns])
//
// It sends "choose" with { column } when a person picks a column, "cell" with { column, row } while `editing`, "land" when
// a disc lies and "settled" when the last one does; only then the line that won is drawn.
import { Geometry, bringIntoSight, disc, moveTo, svg } from "./drawing.js";
import { Falls } from "./falling.js";
import { listenTo } from "./gestures.js";
import { keyMeaning } from "./keys.js";
import * as marks from "./marks.js";
import { CELL, RADIUS } from "./measures.js";

/** @typedef {"first" | "second"} Side
 *  @typedef {{ column: number, row: number }} Cell
 *  @typedef {{ width: number, height: number, discs: (Cell & { side: Side })[], open: number[], hand: Side | null,
 *    last: Cell | null, lines: Cell[][] }} State */

/** @type {State} */
const EMPTY = { width: 7, height: 6, discs: [], open: [], hand: null, last: null, lines: [] };
const MOST_FALLING = 3; // more new discs than this are a new board, not moves
const NARROW = 52; // pixels of a column below which scores are only numbers
const LAYERS = ["discs", "hint", "threats", "line", "ends", "numbers", "scores", "ghost", "focus"];
const keyOf = ({ column, row }) => `${column},${row}`;

export class ConnectkBoard extends HTMLElement {
  /** @type {Geometry} */
  #geometry = null;
  #state = EMPTY;
  #discs = new Map(); // "column,row" -> { element, side }; one that waits to fall has no element yet
  #cells = new Map();
  #cursor = { column: 0, row: 0 };
  #layers = /** @type {Record<string, SVGElement>} */ ({});
  #words = { board: "", cell: (_column, _row, _side) => "" };
  #typed = { text: "", at: 0 };
  #hovered = null;
  #ended = "";
  #falls = new Falls({ landed: () => this.#tell("land"), settled: () => { this.#showEnd(); this.#tell("settled"); } });

  connectedCallback() {
    if (!this.#geometry) this.#build(EMPTY.width, EMPTY.height);
    new ResizeObserver(() => this.toggleAttribute("data-wide", this.#isWide())).observe(this);
  }

  get state() { return this.#state; }

  get editing() { return this.hasAttribute("editing"); }

  // Whether a disc is still on its way down.
  get busy() { return this.#falls.busy; }

  // The words that a screen reader speaks: { board, cell(column, row, side) }.
  set words(words) {
    this.#words = words;
    this.#layers.grid?.setAttribute("aria-label", words.board);
    for (const cell of this.#cells.values()) this.#label(cell);
  }

  /** @param {Partial<State>} state */
  show(state, { animate = true } = {}) {
    const next = { ...EMPTY, ...state };
    if (next.width !== this.#geometry?.width || next.height !== this.#geometry?.height) this.#build(next.width, next.height);
    this.#state = next;
    this.#showDiscs(animate && !this.editing);
    this.#showEnd();
    if (next.last && this.parentElement) bringIntoSight(this.#cells.get(keyOf(next.last)).element, this.parentElement);
    this.toggleAttribute("data-open", this.editing || (next.hand !== null && next.open.length > 0));
    this.#showGhost(this.#hovered);
  }

  // A disc at once, before anyone confirmed it.
  place(column, side) {
    const row = this.#landingRow(column);
    this.show({ ...this.#state, discs: [...this.#state.discs, { column, row, side }], last: { column, row } });
    return row;
  }

  showScores(scores) {
    const narrow = this.clientWidth / this.#geometry.width < NARROW;
    this.#layers.scores.replaceChildren(...(scores ?? []).flatMap((score, column) =>
      (score ? marks.score(this.#geometry, score, column, narrow) : [])));
  }

  showThreats(threats) {
    this.#layers.threats.replaceChildren(...threats.flatMap((threat) => marks.threat(this.#geometry, threat)));
  }

  // A line of play: numbered rings in the cells where its discs would lie.
  showLine(cells, side = "first") {
    this.#layers.line.replaceChildren(...marks.play(this.#geometry, cells, side));
  }

  showHint(columns) {
    this.#layers.hint.replaceChildren(...columns.flatMap((column) => marks.hint(this.#geometry, column)));
  }

  focusColumn(column) {
    this.#moveCursor(column, Math.min(this.#landingRow(column), this.#geometry.height - 1));
  }

  #tell(name, detail = null) { this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true })); }

  #build(width, height) {
    const geometry = this.#geometry = new Geometry(width, height);
    this.#falls.finish();
    this.#discs.clear();
    this.#cells.clear();
    this.#ended = "";
    this.#cursor = { column: Math.floor((width - 1) / 2), row: 0 };
    const layers = this.#layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { "aria-hidden": "true" })]));
    layers.grid = this.#grid();
    const wall = svg("rect", { class: "wall", x: 4, y: geometry.frameTop + 4, rx: 22,
      width: geometry.frameWidth - 8, height: geometry.frameHeight - 8 });
    const path = { d: geometry.framePath(), "fill-rule": "evenodd" };
    this.style.setProperty("--board-ratio", `${geometry.totalWidth} / ${geometry.totalHeight}`);
    this.style.setProperty("--board-aspect", String(geometry.totalWidth / geometry.totalHeight));
    this.style.setProperty("--board-columns", width);
    const root = svg("svg", { role: "presentation", viewBox: `-2 0 ${geometry.totalWidth + 4} ${geometry.totalHeight}` },
      wall, layers.discs, svg("path", { class: "depth", transform: "translate(0 5)", ...path }), svg("path", { class: "frame", ...path }),
      layers.hint, layers.ghost, layers.threats, layers.line, layers.ends, layers.numbers, layers.scores, layers.focus, layers.grid);
    this.#drawNumbers();
    this.#listen(root);
    this.replaceChildren(root);
  }

  #grid() {
    const { width, height } = this.#geometry;
    const grid = svg("g", { role: "grid", "aria-label": this.#words.board, "aria-colcount": width, "aria-rowcount": height });
    for (let row = height - 1; row >= 0; row--) {
      const line = svg("g", { role: "row", "aria-rowindex": height - row });
      for (let column = 0; column < width; column++) line.append(this.#cell(column, row));
      grid.append(line);
    }
    return grid;
  }

  #cell(column, row) {
    const g = this.#geometry;
    const element = svg("rect", { class: "cell", role: "gridcell", "aria-colindex": column + 1,
      x: g.x(column) - CELL / 2, y: g.y(row) - CELL / 2, width: CELL, height: CELL,
      tabindex: column === this.#cursor.column && row === this.#cursor.row ? 0 : -1 });
    const cell = { element, column, row };
    this.#cells.set(keyOf(cell), cell);
    this.#label(cell);
    return element;
  }

  #label({ element, column, row }) {
    const side = this.#discs.get(`${column},${row}`)?.side ?? null;
    element.setAttribute("aria-label", this.#words.cell(column, row, side));
  }

  #drawNumbers() {
    const { width, letter, frameBottom } = this.#geometry;
    const every = width > 30 ? 10 : width > 20 ? 2 : 1;
    for (let column = 0; column < width; column++) {
      if ((column + 1) % every) continue;
      const text = svg("text", { class: "number", x: this.#geometry.x(column), y: frameBottom + 1.25 * letter, "font-size": letter });
      text.textContent = String(column + 1);
      this.#layers.numbers.append(text);
    }
  }

  #showDiscs(animate) {
    const wanted = new Map(this.#state.discs.map((d) => [keyOf(d), d]));
    const gone = [...this.#discs.keys()].filter((key) => wanted.get(key)?.side !== this.#discs.get(key).side);
    for (const key of gone) this.#remove(key);
    const added = [...wanted.keys()].filter((key) => !this.#discs.has(key));
    const falls = animate && added.length <= MOST_FALLING;
    if (added.length && !falls) this.#falls.finish();
    for (const key of added) this.#add(key, wanted.get(key), falls);
    for (const key of [...gone, ...added]) this.#label(this.#cells.get(key));
  }

  #remove(key) {
    const { element } = this.#discs.get(key);
    this.#discs.delete(key);
    this.#falls.remove(key);
    element?.remove();
  }

  #add(key, { column, row, side }, falls) {
    const [x, y] = [this.#geometry.x(column), this.#geometry.y(row)];
    const entry = { element: null, side };
    this.#discs.set(key, entry);
    const start = () => {
      entry.element = disc(side);
      moveTo(entry.element, x, y);
      this.#layers.discs.append(entry.element);
      return entry.element;
    };
    if (falls) this.#falls.add({ key, start, x, from: this.#geometry.hoverY, to: y });
    else start();
  }

  // What won, or the last disc, once it lies. Drawn anew only when it changes, for the line pulses as it comes.
  #showEnd() {
    const { lines, last } = this.#state;
    const ended = this.busy ? "" : JSON.stringify([lines, last]);
    if (ended === this.#ended) return;
    this.#ended = ended;
    this.#layers.ends.replaceChildren(...(ended ? marks.ending(this.#geometry, lines, last) : []));
  }

  #showGhost(column) {
    this.#hovered = column;
    const { hand, open } = this.#state;
    const shown = column !== null && hand !== null && !this.editing && open.includes(column);
    if (!shown) return this.#layers.ghost.replaceChildren();
    const [x, row] = [this.#geometry.x(column), this.#landingRow(column)];
    const ghost = disc(hand);
    ghost.classList.add("ghost", "seen");
    moveTo(ghost, x, this.#geometry.hoverY);
    const landing = svg("circle", { class: `landing seen ${hand}`, cx: x, cy: this.#geometry.y(row), r: RADIUS - 8 });
    return this.#layers.ghost.replaceChildren(ghost, landing);
  }

  // The cell above the highest disc shown in a column.
  #landingRow(column) {
    return this.#state.discs.reduce((row, d) => (d.column === column ? Math.max(row, d.row + 1) : row), 0);
  }

  #isWide() { return this.clientWidth > (this.parentElement?.clientWidth ?? Infinity) + 1; }

  #listen(root) {
    listenTo(root, {
      where: (event) => this.#where(event),
      point: (cell) => this.#showGhost(cell ? cell.column : null),
      choose: (cell) => this.#chosen(cell),
      slides: () => !this.editing && !this.#isWide(),
    });
    // Where arrows step a game, they walk the cells only for whoever came to the board with the keyboard.
    const steps = ({ key, target }) => this.hasAttribute("stepping") && ["ArrowLeft", "ArrowRight"].includes(key) && !target.matches(":focus-visible");
    root.addEventListener("keydown", (event) => { if (!steps(event)) this.press(event); });
    root.addEventListener("focusin", (event) => this.#focused(event.target));
    root.addEventListener("focusout", () => this.#showGhost(null));
  }

  #where(event) {
    const root = /** @type {SVGSVGElement} */ (this.firstElementChild);
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM().inverse());
    const { width, height } = this.#geometry;
    const within = (value, last) => Math.max(0, Math.min(last, Math.floor(value)));
    return {
      column: within((point.x - this.#geometry.x(-0.5)) / CELL, width - 1),
      row: within((this.#geometry.y(-0.5) - point.y) / CELL, height - 1),
    };
  }

  #chosen({ column, row }) {
    this.#cursor = this.#tabStop({ column, row });
    if (this.editing) this.#tell("cell", { column, row });
    else this.#tell("choose", { column });
  }

  #tabStop(to) {
    this.#cells.get(keyOf(this.#cursor)).element.setAttribute("tabindex", -1);
    this.#cells.get(keyOf(to)).element.setAttribute("tabindex", 0);
    return to;
  }

  #moveCursor(column, row) {
    const { width, height } = this.#geometry;
    const to = { column: Math.max(0, Math.min(width - 1, column)), row: Math.max(0, Math.min(height - 1, row)) };
    this.#cursor = this.#tabStop(to);
    this.#cells.get(keyOf(to)).element.focus();
  }

  #focused(target) {
    const cell = [...this.#cells.values()].find(({ element }) => element === target);
    if (!cell) return;
    const g = this.#geometry;
    this.#layers.focus.replaceChildren(
      svg("rect", { class: "focus-column", x: g.x(cell.column) - 50, y: g.frameTop, width: CELL, height: g.frameHeight }),
      svg("circle", { class: "focus", cx: g.x(cell.column), cy: g.y(cell.row), r: RADIUS + 4 }));
    if (target.matches(":focus-visible")) this.#showGhost(cell.column);
  }

  // What a key does, also when it was pressed elsewhere on the page. A held key walks, but drops nothing.
  press(event) {
    const meaning = keyMeaning(event, this.#geometry.width, this.#typed);
    if (!meaning) return;
    event.preventDefault();
    const { column, row } = this.#cursor;
    if (meaning.move) this.#moveCursor(column + meaning.move[0], row + meaning.move[1]);
    if (meaning.go !== undefined) this.#moveCursor(meaning.go, row);
    if (meaning.choose && !event.repeat) this.#chosen({ column: meaning.choose.column ?? column, row });
  }
}

customElements.define("connectk-board", ConnectkBoard);
