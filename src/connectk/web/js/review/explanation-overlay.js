// Drawings of an explanation over a board: which cell answers which, stopped lines, and deciding threats.
import { Geometry, svg } from "../board/drawing.js";
import { DISC_RADIUS } from "../common/constants.js";
import { otherSide } from "../board/start-position.js";

/** @import { Side, Size } from "../page-types.js"
 *  @import { WhyStepView } from "../types.js"
 *  @typedef {[number, number]} Place */

export class ExplanationOverlay {
  element = svg("svg", { class: "why-marks", "aria-hidden": "true" });

  /** An answer is drawn as a line from a small ring at the rival's cell to a dot at the answering cell.
   * @param {Pick<WhyStepView, "kind" | "lines" | "pairs" | "threats" | "replies">} step @param {Size} size @param {Side} keeper */
  show(step, { width, height }, keeper) {
    const g = new Geometry(width, height);
    const rival = otherSide(keeper);
    this.element.setAttribute("viewBox", g.viewBox());
    this.element.parentElement?.style.setProperty("--board-aspect", String(g.totalWidth / g.totalHeight));
    const owner = ["win", "coach"].includes(step.kind) ? keeper : rival;
    this.element.replaceChildren(
      ...step.lines.map((line) => stroke(g, `stopped ${owner}`, line[0], line[line.length - 1])),
      ...step.pairs.flatMap(([from, to]) => [
        stroke(g, "answer-edge", from, to),
        stroke(g, from[0] === to[0] ? "answer" : "answer far", from, to),
      ]),
      ...step.pairs.map(([, to]) => circle(g, "answer-dot", to, 18)),
      ...step.pairs.map(([from]) => circle(g, "answer-from", from, 9)),
      ...step.threats.map((at) => circle(g, `why-threat ${keeper}`, at, DISC_RADIUS - 6)),
      ...step.replies.map(({ column }) => arrow(g, column)),
    );
  }
}

/** @param {Geometry} g @param {string} kind @param {Place} from @param {Place} to */
function stroke(g, kind, from, to) {
  return svg("line", { class: kind, x1: g.x(from[0]), y1: g.y(from[1]), x2: g.x(to[0]), y2: g.y(to[1]) });
}

/** @param {Geometry} g @param {string} kind @param {Place} at @param {number} r */
function circle(g, kind, at, r) {
  return svg("circle", { class: kind, cx: g.x(at[0]), cy: g.y(at[1]), r });
}

/** An arrow above a column whose reply has a board of its own. @param {Geometry} g @param {number} column */
function arrow(g, column) {
  const x = g.x(column);
  return svg("path", { class: "why-arrow", d: `M${x - 24} ${g.frameTop - 46}h48l-24 34Z` });
}
