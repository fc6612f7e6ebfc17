// Saves the board of a game as an SVG or PNG picture: the board that the page draws, with its styles written into the file.
import { ConnectkBoard } from "../board/board.js";
import { boardAtPly, writeMoves, writeVariant } from "../board/convert.js";
import { Geometry, drawGradients, svg } from "../board/drawing.js";
import { PICTURE_PIXELS } from "../common/constants.js";

/** @import { WholeGameAnswer } from "../types.js" */

/** The styles that are written into a file, with the default values that are left out. @type {Record<string, string>} */
const INITIAL_STYLES = {
  fill: "rgb(0, 0, 0)",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-opacity": "1",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "stroke-dasharray": "none",
  opacity: "1",
  filter: "none",
  "clip-path": "none",
  "stop-color": "rgb(0, 0, 0)",
  "stop-opacity": "1",
  "text-anchor": "start",
  "font-weight": "400",
};
const TOP_MARGIN = 4; // the margin above the frame, the same as beside the frame
const NUMBERS_HEIGHT = 1.6; // the height of the row of numbers, in letter heights

/** @param {WholeGameAnswer} game @param {number} ply @param {string} format */
export async function drawPicture(game, ply, format) {
  const { drawing, paper } = drawBoard(game, ply);
  frame(drawing, game, ply);
  const file = new Blob([new XMLSerializer().serializeToString(drawing)], { type: "image/svg+xml" });
  return format === "svg" ? file : paint(file, drawing, paper);
}

/** Returns the page's drawing of the board, and the colour behind it. The board is in the page only until its styles are read, and never
 * seen there. @param {WholeGameAnswer} game @param {number} ply */
function drawBoard(game, ply) {
  const board = new ConnectkBoard();
  board.setAttribute("fit", ""); // draws every row
  Object.assign(board.style, { colorScheme: "light", background: "var(--paper)" });
  document.body.append(board);
  try {
    board.show({ ...boardAtPly(game, ply), last: null }, { animate: false });
    board.firstElementChild?.prepend(drawGradients()); // the page's own gradients may be for the dark theme
    for (const animation of board.getAnimations({ subtree: true })) animation.cancel();
    const drawing = copyDrawing(/** @type {SVGSVGElement} */ (board.firstElementChild));
    return { drawing, paper: getComputedStyle(board).backgroundColor };
  } finally {
    board.remove();
  }
}

/** Copies the visible elements of a drawing with the styles of the page. @param {SVGSVGElement} shown */
function copyDrawing(shown) {
  const copy = /** @type {SVGSVGElement} */ (shown.cloneNode(true));
  const all = shown.querySelectorAll("*");
  const copies = /** @type {NodeListOf<SVGElement>} */ (copy.querySelectorAll("*"));
  const hidden = [...copies].filter((_, index) => writeStyles(getComputedStyle(all[index]), copies[index]) === "none");
  for (const unseen of [...hidden, ...copy.querySelectorAll("[role=grid], g:empty")]) unseen.remove();
  copy.setAttribute("font-family", getComputedStyle(shown).fontFamily);
  return copy;
}

/** Writes the styles into the element and returns its `display` value. @param {CSSStyleDeclaration} styles @param {SVGElement} element */
function writeStyles(styles, element) {
  for (const [name, initial] of Object.entries(INITIAL_STYLES)) {
    const value = styles.getPropertyValue(name);
    if (value !== initial) element.setAttribute(name, value);
  }
  const { transform } = element.style; // the style is in pixels, which an attribute cannot have
  if (transform) element.setAttribute("transform", new DOMMatrix(transform).toString());
  for (const name of ["style", "class", "aria-hidden"]) element.removeAttribute(name);
  return styles.display;
}

/** Crops the drawing to the frame and the column numbers, without the rows for a hovering disc and for scores. @param {SVGSVGElement} drawing
 * @param {WholeGameAnswer} game @param {number} ply */
function frame(drawing, { variant, start, columns }, ply) {
  const geometry = new Geometry(variant.width, variant.height);
  const [top, bottom] = [geometry.frameTop - TOP_MARGIN, geometry.frameBottom + NUMBERS_HEIGHT * geometry.letter];
  const scale = PICTURE_PIXELS / Math.max(geometry.totalWidth, bottom - top);
  drawing.setAttribute("role", "img");
  drawing.setAttribute("viewBox", geometry.viewBox(top, bottom));
  drawing.setAttribute("width", String(Math.round(scale * geometry.totalWidth)));
  drawing.setAttribute("height", String(Math.round(scale * (bottom - top))));
  const moves = writeMoves(columns.slice(0, ply), variant.width);
  drawing.prepend(svg("title", {}, [writeVariant(variant), start, moves].filter(Boolean).join(" ")));
}

/** @param {Blob} file @param {SVGSVGElement} drawing @param {string} paper @returns {Promise<Blob>} */
async function paint(file, drawing, paper) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = ["width", "height"].map((side) => Number(drawing.getAttribute(side)));
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas here");
  pen.fillStyle = paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  } finally {
    URL.revokeObjectURL(image.src);
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))),
  );
}
