// <connectk-board>: shows a board and lets a person choose a column. It knows no rules: the open columns, the side to
// move and the winning cells are passed in (`BoardState` in page-types.d.ts).
// It dispatches "choose" with { column } when a person picks a column, "cell" with { column, row } while `editing`, "land"
// when a disc has fallen and "settled" when the last disc has. The winning line is drawn only after "settled".
import {
  Geometry,
  scrollIntoViewWithin,
  cellAt,
  drawDisc,
  drawFrame,
  setPosition,
  drawColumnNumbers,
  addGradients,
  svg,
} from "./drawing.js";
import { FallQueue } from "./fall-queue.js";
import { addGestureListeners } from "./gestures.js";
import { keyAction } from "./keyboard.js";
import * as marks from "./overlays.js";
import { CELL_SIZE } from "../common/constants.js";

/** @import { BoardState, Cell, Disc, ColumnLabel, Side, Threat } from "../page-types.js"
 *  @typedef {{ element: SVGGElement | null, side: Side }} DrawnDisc a disc that still waits to fall has no element
 *  @typedef {Cell & { element: SVGElement }} GridCell
 *  @typedef {{ board: string, cell: (column: number, row: number, side: Side | null) => string }} BoardLabels */

/** @type {BoardState} */
const EMPTY_STATE = { width: 7, height: 6, discs: [], open: [], hand: null, last: null, lines: [] };
const MAX_FALLING_DISCS = 3; // more new discs at once are not moves but another board
const NARROW_COLUMN_PIXELS = 52; // narrower columns show scores as numbers without words
const MAX_WHOLE_ROWS = 14; // a higher board is drawn with the rows that have discs and a few more
const MIN_VISIBLE_ROWS = 8;
const SPARE_ROWS = 4;
const MIN_WIDE_WINDOW_PIXELS = 960; // a wider window, if it is not upright, has room for more rows ...
const PIXELS_AROUND_BOARD = 288; // ... less the head, names, map and foot
const MAX_BOARD_SHARE = 0.56; // of the window's width, as in css/page.css
const MIN_COLUMN_PIXELS = 20;
const LAYERS = ["discs", "hint", "threats", "line", "ends", "numbers", "scores", "ghost", "focus"];
/** How many rows of a large board fit beside the panel; 0 where the panel is below the board. @param {number} width */
function rowsThatFit(width) {
  if (innerWidth < MIN_WIDE_WINDOW_PIXELS || innerWidth <= innerHeight) return 0;
  const cell = Math.max(MIN_COLUMN_PIXELS, (MAX_BOARD_SHARE * innerWidth) / width);
  return Math.floor((innerHeight - PIXELS_AROUND_BOARD) / cell) - 2; // a disc hovers in one row, numbers are in another
}

/** @param {Cell} cell */
const cellKey = ({ column, row }) => `${column},${row}`;

export class ConnectkBoard extends HTMLElement {
  #geometry = new Geometry(0, 0); // until the first #build
  #state = EMPTY_STATE;
  /** @type {Map<string, DrawnDisc>} */
  #discs = new Map(); // by "column,row"
  /** @type {Map<string, GridCell>} */
  #cells = new Map();
  /** @type {Cell} */
  #cursor = { column: 0, row: 0 };
  #layers = /** @type {Record<string, SVGElement>} */ ({});
  /** @type {BoardLabels} */
  #labels = { board: "", cell: () => "" };
  #typedDigits = { text: "", at: 0 };
  /** @type {number | null} */
  #hoveredColumn = null;
  #drawnEnding = "";
  #scale = 1; // pixels per unit of the drawing
  #fallQueue = new FallQueue({
    landed: () => this.#dispatch("land"),
    settled: () => {
      this.#drawEnding();
      this.#dispatch("settled");
    },
  });

  constructor() {
    super();
    // The listener is on this element, as the drawing would become a tab stop of its own.
    /** While arrow keys step through a game (`stepping`), they move between cells only after keyboard focus. @param {KeyboardEvent} event */
    const steps = ({ key, target }) =>
      this.hasAttribute("stepping") && ["ArrowLeft", "ArrowRight"].includes(key) && !hasVisibleFocus(target);
    this.addEventListener("keydown", (event) => {
      if (!steps(event)) this.handleKey(event);
    });
    this.addEventListener("focusin", (event) => this.#onFocusIn(event.target));
    this.addEventListener("focusout", () => this.#drawGhost(null));
  }

  connectedCallback() {
    addGradients(this.getRootNode());
    if (!this.#geometry.width) this.#build(EMPTY_STATE.width, EMPTY_STATE.height, EMPTY_STATE.height);
    new ResizeObserver(() => this.#onResize()).observe(this);
  }

  #onResize() {
    this.toggleAttribute("data-wide", this.#overflows());
    this.#scale = this.clientWidth / this.#geometry.totalWidth || 1;
    const lengths = {
      cell: CELL_SIZE, // the height of the place of a large board ends between two rows
      beside: this.#geometry.y(this.drawnRows - 0.5),
      scores: this.#geometry.scoresHeight,
    };
    /** @type {HTMLElement | null} */
    const table = this.closest(".table");
    for (const [name, length] of Object.entries(lengths))
      table?.style.setProperty(`--${name}`, `${length * this.#scale}px`);
    this.#layers.numbers.replaceChildren(...drawColumnNumbers(this.#geometry, this.#scale));
  }

  get state() {
    return this.#state;
  }

  get editing() {
    return this.hasAttribute("editing");
  }

  /** Whether a disc is still falling. */
  get busy() {
    return this.#fallQueue.busy;
  }

  /** Of a high board only the lower rows are drawn. */
  get drawnRows() {
    return this.#geometry.height;
  }

  /** Whether the board is too large to be seen whole at its normal scale. */
  get isLarge() {
    return this.#overflows() || this.drawnRows < this.#state.height || this.hasAttribute("fit");
  }

  /** Switches between the whole board, drawn small, and a part of it that can be read. */
  toggleWhole() {
    this.toggleAttribute("fit");
    this.#geometry = new Geometry(0, 0);
    this.show(this.#state, { animate: false });
  }

  /** Sets the texts for screen readers: { board, cell(column, row, side) }. @param {BoardLabels} labels */
  set labels(labels) {
    this.#labels = labels;
    this.#layers.grid?.setAttribute("aria-label", labels.board);
    for (const cell of this.#cells.values()) this.#updateLabel(cell);
  }

  /** @param {Partial<BoardState>} state */
  show(state, { animate = true } = {}) {
    const next = { ...EMPTY_STATE, ...state };
    const rows = this.#rowsToDraw(next);
    if (next.width !== this.#geometry.width || rows !== this.#geometry.height || next.height !== this.#state.height)
      this.#build(next.width, rows, next.height);
    this.#state = next;
    this.#updateDiscs(animate && !this.editing);
    this.#drawEnding();
    if (next.last && this.parentElement) scrollIntoViewWithin(this.#gridCell(next.last).element, this.parentElement);
    this.toggleAttribute("data-open", this.editing || (next.hand !== null && next.open.length > 0));
    this.#drawGhost(this.#hoveredColumn);
    this.#dispatch("shown");
  }

  /** The number of rows to draw: the rows with discs and a few more. It never falls while the board stays the same, so that the board does not jump.
   * @param {BoardState} next */
  #rowsToDraw({ width, height, discs }) {
    if (height <= MAX_WHOLE_ROWS || this.editing || this.hasAttribute("fit")) return height;
    const occupied = discs.reduce((rows, disc) => Math.max(rows, disc.row + 1), 0);
    const wanted = Math.max(
      MIN_VISIBLE_ROWS,
      rowsThatFit(width),
      SPARE_ROWS * Math.ceil((occupied + SPARE_ROWS) / SPARE_ROWS),
    );
    const isSame = width === this.#geometry.width && height === this.#state.height;
    return Math.min(height, isSame ? Math.max(wanted, this.drawnRows) : wanted);
  }

  /** Shows a disc at once, before the server confirms the drop. @param {number} column @param {Side} side */
  place(column, side) {
    const row = this.#landingRow(column);
    this.show({ ...this.#state, discs: [...this.#state.discs, { column, row, side }], last: { column, row } });
    return row;
  }

  /** Shows the columns' scores below the board; with the attribute `signs` also as large signs in the cells.
   * @param {(ColumnLabel | null)[] | null} scores */
  showScores(scores) {
    const signs = this.hasAttribute("signs");
    const narrow = this.clientWidth / this.#geometry.width < NARROW_COLUMN_PIXELS;
    this.#layers.scores.replaceChildren(
      ...(scores ?? []).flatMap((score, column) =>
        score
          ? [
              ...marks.drawColumnLabel(this.#geometry, score, column, narrow),
              ...(signs ? marks.drawColumnSign(this.#geometry, score, { column, row: this.#landingRow(column) }) : []),
            ]
          : [],
      ),
    );
  }

  /** @param {Threat[]} threats */
  showThreats(threats) {
    this.#layers.threats.replaceChildren(...threats.flatMap((threat) => marks.drawThreat(this.#geometry, threat)));
  }

  /** Shows a sequence of drops as numbered rings in their cells. @param {Cell[]} cells @param {Side} side */
  showLine(cells, side = "first") {
    this.#layers.line.replaceChildren(...marks.drawVariation(this.#geometry, cells, side));
  }

  /** @param {number[]} columns */
  showHint(columns) {
    this.#layers.hint.replaceChildren(...columns.flatMap((column) => marks.drawHint(this.#geometry, column)));
  }

  /** @param {number} column */
  focusColumn(column) {
    this.#moveCursor(column, 0); // the focus may end a demo, which removes its discs
    this.#moveCursor(column, Math.min(this.#landingRow(column), this.#geometry.height - 1));
  }

  /** @param {string} name @param {Partial<Cell> | null} detail */
  #dispatch(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  /** @param {number} width @param {number} height the rows that are drawn @param {number} rowCount */
  #build(width, height, rowCount) {
    const geometry = (this.#geometry = new Geometry(width, height));
    this.#fallQueue.finishAll();
    this.#discs.clear();
    this.#cells.clear();
    this.#drawnEnding = "";
    this.#cursor = { column: Math.floor((width - 1) / 2), row: 0 };
    const layers = (this.#layers = Object.fromEntries(
      LAYERS.map((name) => [name, svg("g", { "aria-hidden": "true" })]),
    ));
    layers.grid = this.#buildGrid(rowCount);
    const { wall, frame } = drawFrame(geometry);
    this.style.setProperty("--board-ratio", `${geometry.totalWidth} / ${geometry.totalHeight}`);
    this.style.setProperty("--board-aspect", String(geometry.totalWidth / geometry.totalHeight));
    this.style.setProperty("--board-columns", String(width));
    const root = svg(
      "svg",
      { role: "presentation", viewBox: geometry.viewBox() },
      wall,
      layers.discs,
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
    this.#addListeners(root);
    this.replaceChildren(root);
    this.#onResize();
    this.#scrollToMiddle();
  }

  // Scrolls a board that is wider than its place to the middle, where games begin.
  #scrollToMiddle() {
    const place = this.parentElement;
    if (place && this.#overflows()) place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2;
  }

  /** @param {number} rowCount */
  #buildGrid(rowCount) {
    const { width, height } = this.#geometry;
    const grid = svg("g", {
      role: "grid",
      "aria-label": this.#labels.board,
      "aria-colcount": width,
      "aria-rowcount": rowCount,
    });
    for (let row = height - 1; row >= 0; row--) {
      const line = svg("g", { role: "row", "aria-rowindex": rowCount - row });
      for (let column = 0; column < width; column++) line.append(this.#buildCell(column, row));
      grid.append(line);
    }
    return grid;
  }

  /** @param {number} column @param {number} row */
  #buildCell(column, row) {
    const g = this.#geometry;
    const element = svg("rect", {
      class: "cell",
      role: "gridcell",
      "aria-colindex": column + 1,
      x: g.x(column) - CELL_SIZE / 2,
      y: g.y(row) - CELL_SIZE / 2,
      width: CELL_SIZE,
      height: CELL_SIZE,
      tabindex: column === this.#cursor.column && row === this.#cursor.row ? 0 : -1,
    });
    /** @type {GridCell} */
    const cell = { element, column, row };
    this.#cells.set(cellKey(cell), cell);
    this.#updateLabel(cell);
    return element;
  }

  /** @param {GridCell | undefined} place */
  #updateLabel(place) {
    if (!place) return;
    const { element, column, row } = place;
    const side = this.#discs.get(`${column},${row}`)?.side ?? null;
    element.setAttribute("aria-label", this.#labels.cell(column, row, side));
  }

  /** @param {boolean} animate */
  #updateDiscs(animate) {
    const wanted = new Map(this.#state.discs.map((d) => [cellKey(d), d]));
    const gone = [...this.#discs.keys()].filter((key) => wanted.get(key)?.side !== this.#discs.get(key)?.side);
    for (const key of gone) this.#removeDisc(key);
    const added = [...wanted.values()].filter((one) => !this.#discs.has(cellKey(one)));
    const falls = animate && added.length <= MAX_FALLING_DISCS;
    if (added.length && !falls) this.#fallQueue.finishAll();
    for (const one of added) this.#addDisc(one, falls);
    for (const key of [...gone, ...added.map(cellKey)]) this.#updateLabel(this.#cells.get(key));
  }

  /** @param {string} key */
  #removeDisc(key) {
    const element = this.#discs.get(key)?.element;
    this.#discs.delete(key);
    this.#fallQueue.remove(key);
    element?.remove();
  }

  /** @param {Disc} disc @param {boolean} falls */
  #addDisc({ column, row, side }, falls) {
    const key = cellKey({ column, row });
    const [x, y] = [this.#geometry.x(column), this.#geometry.y(row)];
    /** @type {DrawnDisc} */
    const entry = { element: null, side };
    this.#discs.set(key, entry);
    const start = () => {
      const element = (entry.element = drawDisc(side));
      setPosition(element, x, y);
      this.#layers.discs.append(element);
      return element;
    };
    if (falls) this.#fallQueue.add({ key, start, x, from: this.#geometry.hoverY, to: y });
    else start();
  }

  // Marks the winning lines or the last disc, once no disc falls any more. Nothing is drawn again without a change,
  // because the line is animated.
  #drawEnding() {
    const { lines, last } = this.#state;
    const ended = this.busy ? "" : JSON.stringify([lines, last]);
    if (ended === this.#drawnEnding) return;
    this.#drawnEnding = ended;
    this.#layers.ends.replaceChildren(...(ended ? marks.drawEnding(this.#geometry, lines, last) : []));
  }

  /** @param {number | null} column */
  #drawGhost(column) {
    this.#hoveredColumn = column;
    const { hand, open } = this.#state;
    if (column === null || hand === null || this.editing || !open.includes(column))
      return this.#layers.ghost.replaceChildren();
    return this.#layers.ghost.replaceChildren(
      ...marks.drawGhost(this.#geometry, column, this.#landingRow(column), hand),
    );
  }

  /** @param {Cell} cell */
  #gridCell(cell) {
    return /** @type {GridCell} */ (this.#cells.get(cellKey(cell)));
  }

  /** The row above the highest disc shown in a column. @param {number} column */
  #landingRow(column) {
    return this.#state.discs.reduce((row, d) => (d.column === column ? Math.max(row, d.row + 1) : row), 0);
  }

  #overflows() {
    return this.clientWidth > (this.parentElement?.clientWidth ?? Infinity) + 1;
  }

  /** @param {SVGSVGElement} root */
  #addListeners(root) {
    addGestureListeners(root, {
      cellAt: (event) => cellAt(/** @type {SVGSVGElement} */ (this.firstElementChild), this.#geometry, event),
      onPoint: (cell) => this.#drawGhost(cell ? cell.column : null),
      onChoose: (cell) => this.#onCellChosen(cell),
      canSlide: () => !this.editing && !this.#overflows(),
    });
  }

  /** @param {Cell} cell */
  #onCellChosen({ column, row }) {
    this.#cursor = this.#setTabStop({ column, row });
    if (this.editing) this.#dispatch("cell", { column, row });
    else this.#dispatch("choose", { column });
  }

  /** @param {Cell} to */
  #setTabStop(to) {
    this.#gridCell(this.#cursor).element.setAttribute("tabindex", "-1");
    this.#gridCell(to).element.setAttribute("tabindex", "0");
    return to;
  }

  /** @param {number} column @param {number} row */
  #moveCursor(column, row) {
    const { width, height } = this.#geometry;
    const to = { column: Math.max(0, Math.min(width - 1, column)), row: Math.max(0, Math.min(height - 1, row)) };
    this.#cursor = this.#setTabStop(to);
    this.#gridCell(to).element.focus();
  }

  /** @param {EventTarget | null} target */
  #onFocusIn(target) {
    const cell = [...this.#cells.values()].find(({ element }) => element === target);
    if (!cell) return;
    this.#layers.focus.replaceChildren(...marks.drawFocus(this.#geometry, cell));
    if (hasVisibleFocus(target)) this.#drawGhost(cell.column);
  }

  /** Handles a key, even if it was pressed elsewhere on the page. A held key moves the cursor but drops nothing. @param {KeyboardEvent} event */
  handleKey(event) {
    const meaning = keyAction(event, this.#geometry.width, this.#typedDigits);
    if (!meaning) return;
    event.preventDefault();
    const { column, row } = this.#cursor;
    if (meaning.move) this.#moveCursor(column + meaning.move[0], row + meaning.move[1]);
    if (meaning.go !== undefined) this.#moveCursor(meaning.go, row);
    if (meaning.choose && !event.repeat) this.#onCellChosen({ column: meaning.choose.column ?? column, row });
  }
}

/** The detail of a "choose" or "cell" event. @param {Event} event @returns {Cell} */
export const eventDetail = (event) => /** @type {CustomEvent<Cell>} */ (event).detail;

/** @param {EventTarget | null} target */
const hasVisibleFocus = (target) => target instanceof Element && target.matches(":focus-visible");
