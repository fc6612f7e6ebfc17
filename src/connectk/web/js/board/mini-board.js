// A small board that is only looked at: in the help and in lists.
import { Geometry, drawDisc, drawFrame, setPosition, svg } from "./drawing.js";

const EDGE = 8; // the room around the frame

/** @import { Disc } from "../page-types.js"
 *  @typedef {{ width: number, height: number, discs: Disc[] }} Board */

/** @param {Board} board @param {(g: Geometry) => SVGElement[]} [marks] what lies over the discs; above the frame there is room for it */
export function drawMiniBoard({ width, height, discs }, marks) {
  const g = new Geometry(width, height);
  const { wall, frame } = drawFrame(g);
  return svg(
    "svg",
    { class: "mini", "aria-hidden": "true", viewBox: g.viewBox(marks ? 0 : g.frameTop - EDGE, g.frameBottom + EDGE) },
    wall,
    ...discs.map(({ side, column, row }) => discAt(side, g.x(column), g.y(row))),
    frame,
    ...(marks?.(g) ?? []),
  );
}

/** @param {import("../page-types.js").Side} side @param {number} x @param {number} y */
export function discAt(side, x, y) {
  const disc = drawDisc(side);
  setPosition(disc, x, y);
  return disc;
}
