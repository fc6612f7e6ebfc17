// The graph of the first player's advantage over a game. The graph is also a slider: press, drag, use the arrow keys or click a dot to move through the game.
import { svg } from "../board/drawing.js";
import {
  GRAPH_DOT_RADIUS,
  GRAPH_MARGIN as EDGE,
  GRAPH_HEIGHT as HEIGHT,
  GRAPH_KNOB_RADIUS,
} from "../common/constants.js";

/** @type {Record<string, number>} */
const KEY_STEPS = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 5,
  PageDown: -5,
  Home: -Infinity,
  End: Infinity,
};

/** @typedef {{ ply: number, kind: string, label: string }} GraphMark
 *  @typedef {[number, number | null]} Point */

export class AdvantageGraph {
  /** @param {{ label: string, describePly: (ply: number) => string, onMove: (ply: number) => void }} options */
  constructor({ label, describePly, onMove }) {
    this.onMove = onMove;
    this.describePly = describePly;
    this.last = 0;
    this.ply = 0;
    this.width = 400;
    /** @type {(number | null)[]} */
    this.values = [0];
    /** @type {GraphMark[]} */
    this.marks = [];
    this.zero = svg("line", { class: "graph-zero", x1: 0, y1: HEIGHT / 2, y2: HEIGHT / 2 });
    this.line = svg("path", { class: "graph-line" });
    this.area = svg("path", { class: "graph-area", fill: "url(#graph-sides)" });
    this.cursor = svg("line", { class: "graph-cursor", y1: 0, y2: HEIGHT });
    this.knob = svg("circle", { class: "graph-knob", r: GRAPH_KNOB_RADIUS });
    this.dots = svg("g");
    this.element = svg(
      "svg",
      { class: "graph", role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": 0 },
      sidesGradient(),
      this.zero,
      this.area,
      this.line,
      this.dots,
      this.cursor,
      this.knob,
    );
    this.#listen();
    new ResizeObserver(() => this.#resize()).observe(this.element);
  }

  #resize() {
    this.width = Math.max(100, this.element.clientWidth);
    this.element.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.zero.setAttribute("x2", String(this.width));
    this.show(this.values, this.marks);
  }

  // Shows the values: one for each ply, from -1 to 1 as the first player sees it; null if unknown.
  /** @param {(number | null)[]} values @param {GraphMark[]} marks */
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
    this.element.setAttribute("aria-valuetext", this.describePly(ply));
  }

  /** @param {number} ply */
  #x(ply) {
    return EDGE + (this.width - 2 * EDGE) * (this.last ? ply / this.last : 0);
  }

  /** @param {number} value */
  #y(value) {
    return HEIGHT / 2 - value * (HEIGHT / 2 - EDGE);
  }

  /** @param {GraphMark} mark */
  #dot({ ply, kind, label }) {
    const circle = svg("circle", {
      class: `graph-dot ${kind}`,
      cx: this.#x(ply),
      cy: this.#y(this.values[ply] ?? 0),
      r: GRAPH_DOT_RADIUS,
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
      this.onMove(ply ? Number(ply) : at(event));
    });
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) this.onMove(at(event)); // only while dragging
    });
    this.element.addEventListener("keydown", (event) => {
      const by = KEY_STEPS[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.onMove(Math.max(0, Math.min(this.last, this.ply + by)));
    });
  }
}

/** A gradient with the first player's colour above the middle and the second player's colour below it. */
function sidesGradient() {
  const where = { gradientUnits: "userSpaceOnUse", x1: 0, x2: 0, y1: 0, y2: HEIGHT };
  const stops = ["first", "second"].map((side) => svg("stop", { class: `graph-${side}`, offset: 0.5 }));
  return svg("linearGradient", { id: "graph-sides", ...where }, ...stops);
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
