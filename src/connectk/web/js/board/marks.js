// What is drawn over the discs: the line that won, threats, hints and scores. Pure functions of a geometry and facts.
import { disc, moveTo, svg } from "./drawing.js";
import { CELL, RADIUS } from "../common/constants.js";

/** @typedef {import("./drawing.js").Geometry} Geometry
 *  @import { Cell, Score, Side, Threat } from "../shapes.js" */

/** @param {Geometry} g @param {string} kind @param {Cell} cell @param {number} r */
const circle = (g, kind, { column, row }, r) => svg("circle", { class: kind, cx: g.x(column), cy: g.y(row), r });

/** @param {Geometry} g @param {string} kind @param {Cell[]} line */
const stroke = (g, kind, line) => {
  const [from, to] = [line[0], line[line.length - 1]];
  return svg("line", { class: kind, x1: g.x(from.column), y1: g.y(from.row), x2: g.x(to.column), y2: g.y(to.row) });
};

/** @param {Geometry} g @param {Cell[][]} lines @param {Cell | null} last */
export function ending(g, lines, last) {
  return [
    ...(last && !lines.length ? [circle(g, "last", last, RADIUS - 2)] : []),
    ...lines.map((line) => stroke(g, "line-edge", line)),
    ...lines.flat().map((cell) => circle(g, "won", cell, RADIUS - 1)),
    ...lines.map((line) => stroke(g, "line", line)),
  ];
}

/** A line through the cells that it would need, and a ring where the last disc is missing.
 * @param {Geometry} g @param {Threat} threat */
export function threat(g, { column, row, side, line }) {
  return [
    ...(line && line.length > 1 ? [stroke(g, "threat-edge", line), stroke(g, `threat-line ${side}`, line)] : []),
    circle(g, `threat ${side}`, { column, row }, RADIUS - 12),
  ];
}

/** The disc in the hand above a column, and where it would lie.
 * @param {Geometry} g @param {number} column @param {number} row @param {Side} side */
export function ghost(g, column, row, side) {
  const held = disc(side);
  held.classList.add("ghost", "seen");
  moveTo(held, g.x(column), g.hoverY);
  return [held, circle(g, `landing seen ${side}`, { column, row }, RADIUS - 8)];
}

/** Where the keyboard stands.
 * @param {Geometry} g @param {Cell} cell */
export function focus(g, cell) {
  return [
    svg("rect", {
      class: "focus-column",
      x: g.x(cell.column) - CELL / 2,
      y: g.frameTop,
      width: CELL,
      height: g.frameHeight,
    }),
    circle(g, "focus", cell, RADIUS + 4),
  ];
}

/** A lit column with an arrow above it.
 * @param {Geometry} g @param {number} column */
export function hint(g, column) {
  const x = g.x(column);
  return [
    svg("rect", { class: "hint-column", x: x - CELL / 2, y: g.frameTop, width: CELL, height: g.frameHeight }),
    svg("path", { class: "hint-arrow", d: `M${x - 24} ${g.frameTop - 46}h48l-24 34Z` }),
  ];
}

/** @param {Geometry} g @param {Score} score @param {number} column @param {boolean} narrow */
export function score(g, { word, number, short, kind, best }, column, narrow) {
  const x = g.x(column);
  /** @param {string} words @param {number} lines @param {number} size */
  const line = (words, lines, size) => {
    const text = svg("text", {
      class: `score ${kind} ${best ? "best" : ""}`,
      x,
      y: g.frameBottom + lines * g.letter,
      "font-size": size,
    });
    text.textContent = words;
    return text;
  };
  const bar = svg("line", {
    class: `underline ${best ? "best" : ""}`,
    x1: x - 30,
    x2: x + 30,
    y1: g.frameBottom + 3.9 * g.letter,
    y2: g.frameBottom + 3.9 * g.letter,
  });
  if (narrow) return [line(short, 2.9, g.letter * 1.25), bar];
  return [
    line(word, 2.45, Math.min(g.letter * 0.86, (1.78 * CELL) / Math.max(1, word.length))),
    line(number, 3.5, g.letter * 0.95),
    bar,
  ];
}

/** A line of play over the empty cells, its drops numbered; the sides take turns.
 * @param {Geometry} g @param {Cell[]} cells @param {Side} first the side that begins */
export function play(g, cells, first) {
  const other = first === "first" ? "second" : "first";
  return cells.flatMap((cell, index) => {
    const number = svg("text", { class: "drop-number", x: g.x(cell.column), y: g.y(cell.row) + 13, "font-size": 38 });
    number.textContent = String(index + 1);
    return [circle(g, `drop ${index % 2 ? other : first}`, cell, RADIUS - 8), number];
  });
}
