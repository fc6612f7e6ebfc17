// Draws what lies over the discs: winning lines, threats, hints and scores.
import { drawDisc, setPosition, svg } from "./drawing.js";
import { CELL_SIZE, DISC_RADIUS, WIN_LINK_START } from "../common/constants.js";
import { otherSide } from "./start-position.js";

/** @typedef {import("./drawing.js").Geometry} Geometry
 *  @import { Cell, ColumnLabel, Side, Threat } from "../page-types.js" */

/** @param {Geometry} g @param {string} kind @param {Cell} cell @param {number} r */
const circle = (g, kind, { column, row }, r) => svg("circle", { class: kind, cx: g.x(column), cy: g.y(row), r });

/** @param {Geometry} g @param {string} kind @param {Cell[]} line */
const stroke = (g, kind, line) => {
  const [from, to] = [line[0], line[line.length - 1]];
  return svg("line", { class: kind, x1: g.x(from.column), y1: g.y(from.row), x2: g.x(to.column), y2: g.y(to.row) });
};

/** A light that runs along the line from disc to disc. @param {Geometry} g @param {Cell} cell @param {number} index */
function shine(g, cell, index) {
  const light = circle(g, "shine", cell, DISC_RADIUS - 5);
  light.style.animationDelay = `${450 + 110 * index}ms`;
  return light;
}

/** Outlines of a line's cells, and links between them that leave the discs' marks free. @param {Geometry} g @param {Cell[]} line */
export function drawLine(g, line) {
  const links = line.slice(1).map((cell, index) => linkPath(g, line[index], cell));
  return [
    svg("path", { class: "line", d: links.join("") }),
    ...line.map((cell) => circle(g, "won", cell, DISC_RADIUS - 1)),
  ];
}

/** @param {Geometry} g @param {Cell} one @param {Cell} other */
function linkPath(g, one, other) {
  const [x, y] = [g.x(one.column), g.y(one.row)];
  const [right, down] = [g.x(other.column) - x, g.y(other.row) - y];
  const start = WIN_LINK_START / Math.hypot(right, down);
  return `M${x + start * right} ${y + start * down}l${(1 - 2 * start) * right} ${(1 - 2 * start) * down}`;
}

/** @param {Geometry} g @param {Cell[][]} lines @param {Cell | null} last */
export function drawEnding(g, lines, last) {
  return [
    ...(last && !lines.length ? [circle(g, "last", last, DISC_RADIUS - 2)] : []),
    ...lines.flatMap((line) => drawLine(g, line)),
    ...lines.flatMap((line) => line.map((cell, index) => shine(g, cell, index))),
  ];
}

/** A stroke through the cells of the line, and a ring in the empty cell.
 * @param {Geometry} g @param {Threat} threat */
export function drawThreat(g, { column, row, side, line }) {
  return [
    ...(line && line.length > 1 ? [stroke(g, "threat-edge", line), stroke(g, `threat-line ${side}`, line)] : []),
    circle(g, `threat ${side}`, { column, row }, DISC_RADIUS - 12),
  ];
}

/** A disc hovering above a column, and a ring where it would land.
 * @param {Geometry} g @param {number} column @param {number} row @param {Side} side */
export function drawGhost(g, column, row, side) {
  const held = drawDisc(side);
  held.classList.add("ghost", "seen");
  setPosition(held, g.x(column), g.hoverY);
  return [held, circle(g, `landing seen ${side}`, { column, row }, DISC_RADIUS - 8)];
}

/** The cell that has keyboard focus.
 * @param {Geometry} g @param {Cell} cell */
export function drawFocus(g, cell) {
  return [
    svg("rect", {
      class: "focus-column",
      x: g.x(cell.column) - CELL_SIZE / 2,
      y: g.frameTop,
      width: CELL_SIZE,
      height: g.frameHeight,
    }),
    circle(g, "focus", cell, DISC_RADIUS + 4),
  ];
}

/** A highlighted column with an arrow above it.
 * @param {Geometry} g @param {number} column */
export function drawHint(g, column) {
  const x = g.x(column);
  return [
    svg("path", { class: "hint-column", d: g.columnPath(column), "fill-rule": "evenodd" }),
    svg("path", { class: "hint-arrow", d: `M${x - 24} ${g.frameTop - 46}h48l-24 34Z` }),
  ];
}

/** @param {Geometry} g @param {ColumnLabel} score @param {number} column @param {boolean} narrow */
export function drawColumnLabel(g, { word, number, short, kind, best }, column, narrow) {
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
    line(word, 2.45, Math.min(g.letter * 0.86, (1.78 * CELL_SIZE) / Math.max(1, word.length))),
    line(number, 3.5, g.letter * 0.95),
    bar,
  ];
}

const SIGN_RADIUS = 26;

/** A large sign in the cell that a disc would take: up for a win, two bars for a draw, down for a loss. It needs no colour.
 * @param {Geometry} g @param {ColumnLabel} score @param {Cell} cell */
export function drawColumnSign(g, { kind, best }, cell) {
  const [x, y, r] = [g.x(cell.column), g.y(cell.row), SIGN_RADIUS];
  const bars = `M${x - r} ${y - 22}h${2 * r}v14h${-2 * r}ZM${x - r} ${y + 8}h${2 * r}v14h${-2 * r}Z`;
  const shape = {
    win: `M${x} ${y - r}L${x + r} ${y + 0.8 * r}H${x - r}Z`,
    loss: `M${x} ${y + r}L${x + r} ${y - 0.8 * r}H${x - r}Z`,
    draw: bars,
  }[kind];
  return shape ? [svg("path", { class: `sign ${best ? "best" : ""}`, d: shape })] : [];
}

/** A sequence of drops as numbered rings; the sides alternate.
 * @param {Geometry} g @param {Cell[]} cells @param {Side} first the side that drops first */
export function drawVariation(g, cells, first) {
  const other = otherSide(first);
  return cells.flatMap((cell, index) => {
    const number = svg("text", { class: "drop-number", x: g.x(cell.column), y: g.y(cell.row) + 13, "font-size": 38 });
    number.textContent = String(index + 1);
    return [circle(g, `drop ${index % 2 ? other : first}`, cell, DISC_RADIUS - 8), number];
  });
}
