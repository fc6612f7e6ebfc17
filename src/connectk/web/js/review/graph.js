// The game as one line, time left to right, first player up. It is the scrub bar, too: press, drag, arrow keys, or click a dot.
import { svg } from "../board/drawing.js";
import { GRAPH_DOT, GRAPH_EDGE as EDGE, GRAPH_HEIGHT as HEIGHT, GRAPH_KNOB } from "../common/constants.js";

/** @type {Record<string, number>} */
const STEPS = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 5,
  PageDown: -5,
  Home: -Infinity,
  End: Infinity,
};

/** @typedef {{ ply: number, kind: string, label: string }} Mark
 *  @typedef {[number, number | null]} Point */

export class Graph {
  /** @param {{ label: string, tellPly: (ply: number) => string, onmove: (ply: number) => void }} how */
  constructor({ label, tellPly, onmove }) {
    this.onmove = onmove;
    this.tellPly = tellPly;
    this.last = 0;
    this.ply = 0;
    this.width = 400;
    /** @type {(number | null)[]} */
    this.values = [0];
    /** @type {Mark[]} */
    this.marks = [];
    this.zero = svg("line", { class: "graph-zero", x1: 0, y1: HEIGHT / 2, y2: HEIGHT / 2 });
    this.line = svg("path", { class: "graph-line" });
    this.area = svg("path", { class: "graph-area" });
    this.cursor = svg("line", { class: "graph-cursor", y1: 0, y2: HEIGHT });
    this.knob = svg("circle", { class: "graph-knob", r: GRAPH_KNOB });
    this.dots = svg("g");
    this.element = svg(
      "svg",
      { class: "graph", role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": 0 },
      this.zero,
      this.area,
      this.line,
      this.dots,
      this.cursor,
      this.knob,
    );
    this.#listen();
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  #fit() {
    this.width = Math.max(100, this.element.clientWidth);
    this.element.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.zero.setAttribute("x2", String(this.width));
    this.show(this.values, this.marks);
  }

  // values: one for each ply from 0, between -1 and 1 from the first player's side; null where it is not known.
  /** @param {(number | null)[]} values @param {Mark[]} marks */
  show(values, marks = []) {
    this.values = values;
    this.marks = marks;
    this.last = values.length - 1;
    this.element.setAttribute("aria-valuemax", String(this.last));
    /** @type {Point[]} */
    const points = values.map((value, ply) => [this.#x(ply), value === null ? null : this.#y(value)]);
    this.line.setAttribute("d", pathOf(points));
    this.area.setAttribute("d", areaOf(points));
    this.dots.replaceChildren(...marks.map((mark) => this.#dot(mark)));
    this.moveTo(Math.min(this.ply, this.last));
  }

  /** @param {number} ply */
  moveTo(ply) {
    this.ply = ply;
    const x = String(this.#x(ply));
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.knob.setAttribute("cx", x);
    this.knob.setAttribute("cy", String(this.#y(this.values[ply] ?? 0)));
    this.element.setAttribute("aria-valuenow", String(ply));
    this.element.setAttribute("aria-valuetext", this.tellPly(ply));
  }

  /** @param {number} ply */
  #x(ply) {
    return EDGE + (this.width - 2 * EDGE) * (this.last ? ply / this.last : 0);
  }

  /** @param {number} value */
  #y(value) {
    return HEIGHT / 2 - value * (HEIGHT / 2 - EDGE);
  }

  /** @param {Mark} mark */
  #dot({ ply, kind, label }) {
    const circle = svg("circle", {
      class: `graph-dot ${kind}`,
      cx: this.#x(ply),
      cy: this.#y(this.values[ply] ?? 0),
      r: GRAPH_DOT,
      "data-ply": ply,
    });
    const title = svg("title");
    title.textContent = label;
    circle.append(title);
    return circle;
  }

  #listen() {
    /** @param {PointerEvent} event */
    const at = (event) => {
      const box = this.element.getBoundingClientRect();
      const share = (((event.clientX - box.left) / box.width) * this.width - EDGE) / (this.width - 2 * EDGE);
      return Math.round(Math.max(0, Math.min(1, share)) * this.last);
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      const { ply } = /** @type {SVGElement} */ (event.target).dataset;
      this.onmove(ply ? Number(ply) : at(event));
    });
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) this.onmove(at(event)); // pressed here, not passing by
    });
    this.element.addEventListener("keydown", (event) => {
      const by = STEPS[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.onmove(Math.max(0, Math.min(this.last, this.ply + by)));
    });
  }
}

/** @param {Point[]} points */
function pathOf(points) {
  let pen = "M";
  return points
    .map(([x, y]) => {
      if (y === null) {
        pen = "M";
        return "";
      }
      const part = `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = "L";
      return part;
    })
    .join("");
}

/** @param {Point[]} points */
function areaOf(points) {
  const known = points.flatMap(([x, y]) => (y === null ? [] : [{ x, y }]));
  if (known.length < 2) return "";
  const ways = known.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  return `M${known[0].x} ${HEIGHT / 2}L${ways}L${known[known.length - 1].x} ${HEIGHT / 2}Z`;
}
