// <connectk-board>: shows discs, takes a choice of column. It knows no rules: which columns are open, who holds the
// disc and which cells won is told to it (`BoardState` in shapes.d.ts).
// It sends "choose" with { column } when a person picks a column, "cell" with { column, row } while `editing`, "land" when
// a disc lies and "settled" when the last one does; only then the line that won is drawn.
import { Geometry, bringIntoSight, cellAt, disc, frameOf, moveTo, numbers, svg } from "./drawing.js";
import { Falls } from "./falling.js";
import { listenTo } from "./gestures.js";
import { keyMeaning } from "./keys.js";
import * as marks from "./marks.js";
import { CELL } from "../common/constants.js";

/** @import { BoardState, Cell, Disc, Score, Side, Threat } from "../shapes.js"
 *  @typedef {{ element: SVGGElement | null, side: Side }} Shown a disc; one that waits to fall has no element yet
 *  @typedef {Cell & { element: SVGElement }} Place
 *  @typedef {{ board: string, cell: (column: number, row: number, side: Side | null) => string }} Words */

/** @type {BoardState} */
const EMPTY = { width: 7, height: 6, discs: [], open: [], hand: null, last: null, lines: [] };
const MOST_FALLING = 3; // more new discs than this are a new board, not moves
const NARROW = 52; // pixels of a column below which scores are only numbers
const LAYERS = ["discs", "hint", "threats", "line", "ends", "numbers", "scores", "ghost", "focus"];
/** @param {Cell} cell */
const keyOf = ({ column, row }) => `${column},${row}`;

export class ConnectkBoard extends HTMLElement {
  #geometry = new Geometry(0, 0); // until it is built
  #state = EMPTY;
  /** @type {Map<string, Shown>} */
  #discs = new Map(); // by "column,row"
  /** @type {Map<string, Place>} */
  #cells = new Map();
  /** @type {Cell} */
  #cursor = { column: 0, row: 0 };
  #layers = /** @type {Record<string, SVGElement>} */ ({});
  /** @type {Words} */
  #words = { board: "", cell: () => "" };
  #typed = { text: "", at: 0 };
  /** @type {number | null} */
  #hovered = null;
  #ended = "";
  #falls = new Falls({
    landed: () => this.#tell("land"),
    settled: () => {
      this.#showEnd();
      this.#tell("settled");
    },
  });

  connectedCallback() {
    if (!this.#geometry.width) this.#build(EMPTY.width, EMPTY.height);
    new ResizeObserver(() => this.toggleAttribute("data-wide", this.#isWide())).observe(this);
  }

  get state() {
    return this.#state;
  }

  get editing() {
    return this.hasAttribute("editing");
  }

  // Whether a disc is still on its way down.
  get busy() {
    return this.#falls.busy;
  }

  /** The words that a screen reader speaks: { board, cell(column, row, side) }. @param {Words} words */
  set words(words) {
    this.#words = words;
    this.#layers.grid?.setAttribute("aria-label", words.board);
    for (const cell of this.#cells.values()) this.#label(cell);
  }

  /** @param {Partial<BoardState>} state */
  show(state, { animate = true } = {}) {
    const next = { ...EMPTY, ...state };
    if (next.width !== this.#geometry.width || next.height !== this.#geometry.height)
      this.#build(next.width, next.height);
    this.#state = next;
    this.#showDiscs(animate && !this.editing);
    this.#showEnd();
    if (next.last && this.parentElement) bringIntoSight(this.#place(next.last).element, this.parentElement);
    this.toggleAttribute("data-open", this.editing || (next.hand !== null && next.open.length > 0));
    this.#showGhost(this.#hovered);
  }

  /** A disc at once, before anyone confirmed it. @param {number} column @param {Side} side */
  place(column, side) {
    const row = this.#landingRow(column);
    this.show({ ...this.#state, discs: [...this.#state.discs, { column, row, side }], last: { column, row } });
    return row;
  }

  /** @param {(Score | null)[] | null} scores */
  showScores(scores) {
    const narrow = this.clientWidth / this.#geometry.width < NARROW;
    this.#layers.scores.replaceChildren(
      ...(scores ?? []).flatMap((score, column) => (score ? marks.score(this.#geometry, score, column, narrow) : [])),
    );
  }

  /** @param {Threat[]} threats */
  showThreats(threats) {
    this.#layers.threats.replaceChildren(...threats.flatMap((threat) => marks.threat(this.#geometry, threat)));
  }

  /** A line of play: numbered rings in the cells where its discs would lie. @param {Cell[]} cells @param {Side} side */
  showLine(cells, side = "first") {
    this.#layers.line.replaceChildren(...marks.play(this.#geometry, cells, side));
  }

  /** @param {number[]} columns */
  showHint(columns) {
    this.#layers.hint.replaceChildren(...columns.flatMap((column) => marks.hint(this.#geometry, column)));
  }

  /** @param {number} column */
  focusColumn(column) {
    this.#moveCursor(column, Math.min(this.#landingRow(column), this.#geometry.height - 1));
  }

  /** @param {string} name @param {Partial<Cell> | null} detail */
  #tell(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  /** @param {number} width @param {number} height */
  #build(width, height) {
    const geometry = (this.#geometry = new Geometry(width, height));
    this.#falls.finish();
    this.#discs.clear();
    this.#cells.clear();
    this.#ended = "";
    this.#cursor = { column: Math.floor((width - 1) / 2), row: 0 };
    const layers = (this.#layers = Object.fromEntries(
      LAYERS.map((name) => [name, svg("g", { "aria-hidden": "true" })]),
    ));
    layers.grid = this.#grid();
    const { wall, depth, frame } = frameOf(geometry);
    this.style.setProperty("--board-ratio", `${geometry.totalWidth} / ${geometry.totalHeight}`);
    this.style.setProperty("--board-aspect", String(geometry.totalWidth / geometry.totalHeight));
    this.style.setProperty("--board-columns", String(width));
    const root = svg(
      "svg",
      { role: "presentation", viewBox: geometry.viewBox() },
      wall,
      layers.discs,
      depth,
      frame,
      layers.hint,
      layers.ghost,
      layers.threats,
      layers.line,
      layers.ends,
      layers.numbers,
      layers.scores,
      layers.focus,
      layers.grid,
    );
    layers.numbers.append(...numbers(geometry));
    this.#listen(root);
    this.replaceChildren(root);
  }

  #grid() {
    const { width, height } = this.#geometry;
    const grid = svg("g", {
      role: "grid",
      "aria-label": this.#words.board,
      "aria-colcount": width,
      "aria-rowcount": height,
    });
    for (let row = height - 1; row >= 0; row--) {
      const line = svg("g", { role: "row", "aria-rowindex": height - row });
      for (let column = 0; column < width; column++) line.append(this.#cell(column, row));
      grid.append(line);
    }
    return grid;
  }

  /** @param {number} column @param {number} row */
  #cell(column, row) {
    const g = this.#geometry;
    const element = svg("rect", {
      class: "cell",
      role: "gridcell",
      "aria-colindex": column + 1,
      x: g.x(column) - CELL / 2,
      y: g.y(row) - CELL / 2,
      width: CELL,
      height: CELL,
      tabindex: column === this.#cursor.column && row === this.#cursor.row ? 0 : -1,
    });
    /** @type {Place} */
    const cell = { element, column, row };
    this.#cells.set(keyOf(cell), cell);
    this.#label(cell);
    return element;
  }

  /** @param {Place | undefined} place */
  #label(place) {
    if (!place) return;
    const { element, column, row } = place;
    const side = this.#discs.get(`${column},${row}`)?.side ?? null;
    element.setAttribute("aria-label", this.#words.cell(column, row, side));
  }

  /** @param {boolean} animate */
  #showDiscs(animate) {
    const wanted = new Map(this.#state.discs.map((d) => [keyOf(d), d]));
    const gone = [...this.#discs.keys()].filter((key) => wanted.get(key)?.side !== this.#discs.get(key)?.side);
    for (const key of gone) this.#remove(key);
    const added = [...wanted.values()].filter((one) => !this.#discs.has(keyOf(one)));
    const falls = animate && added.length <= MOST_FALLING;
    if (added.length && !falls) this.#falls.finish();
    for (const one of added) this.#add(one, falls);
    for (const key of [...gone, ...added.map(keyOf)]) this.#label(this.#cells.get(key));
  }

  /** @param {string} key */
  #remove(key) {
    const element = this.#discs.get(key)?.element;
    this.#discs.delete(key);
    this.#falls.remove(key);
    element?.remove();
  }

  /** @param {Disc} disc @param {boolean} falls */
  #add({ column, row, side }, falls) {
    const key = keyOf({ column, row });
    const [x, y] = [this.#geometry.x(column), this.#geometry.y(row)];
    /** @type {Shown} */
    const entry = { element: null, side };
    this.#discs.set(key, entry);
    const start = () => {
      const element = (entry.element = disc(side));
      moveTo(element, x, y);
      this.#layers.discs.append(element);
      return element;
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

  /** @param {number | null} column */
  #showGhost(column) {
    this.#hovered = column;
    const { hand, open } = this.#state;
    if (column === null || hand === null || this.editing || !open.includes(column))
      return this.#layers.ghost.replaceChildren();
    return this.#layers.ghost.replaceChildren(...marks.ghost(this.#geometry, column, this.#landingRow(column), hand));
  }

  /** The place of a cell that is on the board. @param {Cell} cell */
  #place(cell) {
    return /** @type {Place} */ (this.#cells.get(keyOf(cell)));
  }

  /** The cell above the highest disc shown in a column. @param {number} column */
  #landingRow(column) {
    return this.#state.discs.reduce((row, d) => (d.column === column ? Math.max(row, d.row + 1) : row), 0);
  }

  #isWide() {
    return this.clientWidth > (this.parentElement?.clientWidth ?? Infinity) + 1;
  }

  /** @param {SVGSVGElement} root */
  #listen(root) {
    listenTo(root, {
      where: (event) => cellAt(/** @type {SVGSVGElement} */ (this.firstElementChild), this.#geometry, event),
      point: (cell) => this.#showGhost(cell ? cell.column : null),
      choose: (cell) => this.#chosen(cell),
      slides: () => !this.editing && !this.#isWide(),
    });
    /** Where arrows step a game, they walk the cells only for whoever came to the board with the keyboard. @param {KeyboardEvent} event */
    const steps = ({ key, target }) =>
      this.hasAttribute("stepping") && ["ArrowLeft", "ArrowRight"].includes(key) && !isFocusSeen(target);
    root.addEventListener("keydown", (event) => {
      if (!steps(event)) this.press(event);
    });
    root.addEventListener("focusin", (event) => this.#focused(event.target));
    root.addEventListener("focusout", () => this.#showGhost(null));
  }

  /** @param {Cell} cell */
  #chosen({ column, row }) {
    this.#cursor = this.#tabStop({ column, row });
    if (this.editing) this.#tell("cell", { column, row });
    else this.#tell("choose", { column });
  }

  /** @param {Cell} to */
  #tabStop(to) {
    this.#place(this.#cursor).element.setAttribute("tabindex", "-1");
    this.#place(to).element.setAttribute("tabindex", "0");
    return to;
  }

  /** @param {number} column @param {number} row */
  #moveCursor(column, row) {
    const { width, height } = this.#geometry;
    const to = { column: Math.max(0, Math.min(width - 1, column)), row: Math.max(0, Math.min(height - 1, row)) };
    this.#cursor = this.#tabStop(to);
    this.#place(to).element.focus();
  }

  /** @param {EventTarget | null} target */
  #focused(target) {
    const cell = [...this.#cells.values()].find(({ element }) => element === target);
    if (!cell) return;
    this.#layers.focus.replaceChildren(...marks.focus(this.#geometry, cell));
    if (isFocusSeen(target)) this.#showGhost(cell.column);
  }

  /** What a key does, also when it was pressed elsewhere on the page. A held key walks, but drops nothing. @param {KeyboardEvent} event */
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

/** What a "choose" or a "cell" of the board tells. @param {Event} event @returns {Cell} */
export const detailOf = (event) => /** @type {CustomEvent<Cell>} */ (event).detail;

/** @param {EventTarget | null} target */
const isFocusSeen = (target) => target instanceof Element && target.matches(":focus-visible");

customElements.define("connectk-board", ConnectkBoard);
