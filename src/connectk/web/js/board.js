// <connectk-board>: shows discs, takes a choice of column. It knows no rules: which columns are open, who holds the
// disc and which cells won is told to it.
//
//   board.show({ width, height, discs: [{column, row, side}], open: [columns], hand: side | null, last, lines })
//   board.showScores([{ word, number, kind, best } | null, ...] | null)
//   board.showThreats([{ column, row, side }])
//
// It sends "choose" with { column } when a person picks a column, and "cell" with { column, row } while `editing`.
import { Geometry, disc, fadeIn, fall, moveTo, stillness, svg } from "./drawing.js";
import { keyMeaning } from "./keys.js";
import { CELL, RADIUS } from "./measures.js";

const EMPTY = { width: 7, height: 6, discs: [], open: [], hand: null, last: null, lines: [] };

export class ConnectkBoard extends HTMLElement {
  #geometry = null;
  #state = EMPTY;
  #discs = new Map(); // "column,row" -> { element, side }
  #cells = new Map();
  #cursor = { column: 0, row: 0 };
  #layers = {};
  #words = { board: "", cell: () => "" };
  #typed = { text: "", at: 0 };

  connectedCallback() {
    if (!this.#geometry) this.#build(EMPTY.width, EMPTY.height);
  }

  get state() { return this.#state; }

  get editing() { return this.hasAttribute("editing"); }

  // The words that a screen reader speaks: { board, cell(column, row, side) }.
  set words(words) {
    this.#words = words;
    this.#layers.grid?.setAttribute("aria-label", words.board);
    for (const cell of this.#cells.values()) this.#label(cell);
  }

  show(state, { animate = true } = {}) {
    const next = { ...EMPTY, ...state };
    if (next.width !== this.#geometry?.width || next.height !== this.#geometry?.height) {
      this.#build(next.width, next.height);
    }
    this.#state = next;
    this.#showDiscs(animate);
    this.#showEnd();
    this.#showOpen();
    this.#showGhost(this.#hovered);
  }

  // A disc at once, before anyone confirmed it.
  place(column, side) {
    const row = this.#landingRow(column);
    this.show({ ...this.#state, discs: [...this.#state.discs, { column, row, side }], last: { column, row } });
    return row;
  }

  showScores(scores) {
    this.#layers.scores.replaceChildren(...(scores ?? []).flatMap((score, column) => this.#score(score, column)));
  }

  showThreats(threats) {
    this.#layers.threats.replaceChildren(...threats.map(({ column, row, side }) => svg("circle", {
      class: `threat ${side}`, cx: this.#geometry.x(column), cy: this.#geometry.y(row), r: RADIUS - 12,
    })));
  }

  focusColumn(column) {
    this.#moveCursor(column, Math.min(this.#landingRow(column), this.#geometry.height - 1));
  }

  #build(width, height) {
    const geometry = new Geometry(width, height);
    this.#geometry = geometry;
    this.#discs.clear();
    this.#cells.clear();
    this.#cursor = { column: Math.floor((width - 1) / 2), row: 0 };
    const layers = this.#layers = Object.fromEntries(
      ["discs", "threats", "ends", "numbers", "scores"].map((name) => [name, svg("g", { "aria-hidden": "true" })]));
    layers.ghost = svg("g", { "aria-hidden": "true" });
    layers.focus = svg("g", { "aria-hidden": "true" });
    layers.grid = this.#grid();
    const wall = svg("rect", { class: "wall", x: 4, y: geometry.frameTop + 4, rx: 22,
      width: geometry.frameWidth - 8, height: geometry.frameHeight - 8 });
    const path = { d: geometry.framePath(), "fill-rule": "evenodd" };
    const depth = svg("path", { class: "depth", transform: "translate(0 5)", ...path });
    const frame = svg("path", { class: "frame", ...path });
    this.style.setProperty("--board-ratio", `${geometry.totalWidth} / ${geometry.totalHeight}`);
    this.style.setProperty("--board-aspect", geometry.totalWidth / geometry.totalHeight);
    this.style.setProperty("--board-columns", width);
    const root = svg("svg", { role: "presentation", viewBox: `-2 0 ${geometry.totalWidth + 4} ${geometry.totalHeight}` },
      wall, layers.discs, depth, frame, layers.ghost, layers.threats, layers.ends, layers.numbers, layers.scores,
      layers.focus, layers.grid);
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
    this.#cells.set(`${column},${row}`, cell);
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
      const text = svg("text", { class: "number", x: this.#geometry.x(column),
        y: frameBottom + 1.25 * letter, "font-size": letter });
      text.textContent = column + 1;
      this.#layers.numbers.append(text);
    }
  }

  #score(score, column) {
    if (!score) return [];
    const { letter, frameBottom } = this.#geometry;
    const x = this.#geometry.x(column);
    const line = (words, lines) => {
      const text = svg("text", { class: `score ${score.kind} ${score.best ? "best" : ""}`, x,
        y: frameBottom + lines * letter, "font-size": letter * 0.86 });
      text.textContent = words;
      return text;
    };
    const bar = svg("line", { class: `underline ${score.best ? "best" : ""}`, x1: x - 30, x2: x + 30,
      y1: frameBottom + 3.9 * letter, y2: frameBottom + 3.9 * letter });
    return [line(score.word, 2.45), line(score.number, 3.5), bar];
  }

  #showDiscs(animate) {
    const wanted = new Map(this.#state.discs.map((d) => [`${d.column},${d.row}`, d]));
    const gone = [...this.#discs.keys()].filter((key) => wanted.get(key)?.side !== this.#discs.get(key).side);
    const fresh = (key) => !this.#discs.has(key);
    for (const key of gone) this.#remove(key);
    const added = [...wanted.keys()].filter(fresh);
    for (const key of added) this.#add(key, wanted.get(key), animate && added.length <= 3);
    for (const key of [...gone, ...added]) this.#label(this.#cells.get(key));
  }

  #remove(key) {
    this.#discs.get(key).element.remove();
    this.#discs.delete(key);
  }

  #add(key, { column, row, side }, animate) {
    const element = disc(side);
    const [x, y] = [this.#geometry.x(column), this.#geometry.y(row)];
    moveTo(element, x, y);
    this.#layers.discs.append(element);
    this.#discs.set(key, { element, side });
    if (!animate || this.editing) return;
    if (stillness()) fadeIn(element);
    else fall(element, x, this.#geometry.hoverY, y);
  }

  #showEnd() {
    const { lines, last } = this.#state;
    const g = this.#geometry;
    const circle = (kind, { column, row }, r) => svg("circle", { class: kind, cx: g.x(column), cy: g.y(row), r });
    const stroke = (kind, [from, to]) => svg("line", { class: kind,
      x1: g.x(from.column), y1: g.y(from.row), x2: g.x(to.column), y2: g.y(to.row) });
    const ends = lines.map((line) => [line[0], line[line.length - 1]]);
    this.#layers.ends.replaceChildren(
      ...(last && !lines.length ? [circle("last", last, RADIUS - 2)] : []),
      ...ends.map((pair) => stroke("line-edge", pair)),
      ...lines.flat().map((cell) => circle("won", cell, RADIUS - 1)),
      ...ends.map((pair) => stroke("line", pair)));
  }

  #showOpen() {
    this.toggleAttribute("data-open", this.editing || (this.#state.hand !== null && this.#state.open.length > 0));
  }

  #hovered = null;

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

  #listen(root) {
    root.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.#showGhost(this.#where(event).column);
    });
    root.addEventListener("pointerleave", () => this.#showGhost(null));
    root.addEventListener("click", (event) => this.#chosen(this.#where(event)));
    root.addEventListener("keydown", (event) => this.press(event));
    root.addEventListener("focusin", (event) => this.#focused(event.target));
    root.addEventListener("focusout", () => this.#showGhost(null));
  }

  #where(event) {
    const point = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(this.firstElementChild.getScreenCTM().inverse());
    const { width, height } = this.#geometry;
    const within = (value, last) => Math.max(0, Math.min(last, Math.floor(value)));
    return {
      column: within((point.x - this.#geometry.x(-0.5)) / CELL, width - 1),
      row: within((this.#geometry.y(-0.5) - point.y) / CELL, height - 1),
    };
  }

  #chosen({ column, row }) {
    this.#cursor = this.#tabStop({ column, row });
    const [name, detail] = this.editing ? ["cell", { column, row }] : ["choose", { column }];
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  #tabStop(to) {
    this.#cells.get(`${this.#cursor.column},${this.#cursor.row}`).element.setAttribute("tabindex", -1);
    this.#cells.get(`${to.column},${to.row}`).element.setAttribute("tabindex", 0);
    return to;
  }

  #moveCursor(column, row) {
    const { width, height } = this.#geometry;
    const to = { column: Math.max(0, Math.min(width - 1, column)), row: Math.max(0, Math.min(height - 1, row)) };
    this.#cursor = this.#tabStop(to);
    this.#cells.get(`${to.column},${to.row}`).element.focus();
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

  // What a key does, also when it was pressed elsewhere on the page.
  press(event) {
    const meaning = keyMeaning(event, this.#geometry.width, this.#typed);
    if (!meaning) return;
    event.preventDefault();
    const { column, row } = this.#cursor;
    if (meaning.move) this.#moveCursor(column + meaning.move[0], row + meaning.move[1]);
    if (meaning.go !== undefined) this.#moveCursor(meaning.go, row);
    if (meaning.choose) this.#chosen({ column: meaning.choose.column ?? column, row });
  }
}

customElements.define("connectk-board", ConnectkBoard);
