// Draws a board as SVG, in units of a hundredth of a cell. This module does not know the rules.
import {
  CELL_SIZE,
  FRAME_CORNER_RADIUS,
  SHADE_HEIGHT,
  EMBOSS_SHIFT,
  GLINT_HEIGHT,
  GRADIENTS,
  COLUMN_NUMBER_HEIGHT,
  WIDE_BOARD_NUMBER_HEIGHT,
  FRAME_MARGIN,
  DISC_PLATE_RADIUS,
  DISC_RADIUS,
  DISC_RIM_WIDTH,
  RING_RADIUS,
  STAR_POINTS,
  WIDE_BOARD_COLUMNS,
} from "../common/constants.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const MIN_NUMBER_PIXELS = 11;
const DIGIT_WIDTH = 0.7; // the width of a digit as a share of its height, with a gap
const VIEW_MARGIN = 4; // the margin beside the frame, so that the frame's outline is never clipped
const HOVER_GAP = 4; // between the frame and the hovering disc
const WALL_INSET = 4; // how much smaller the wall is than the frame, which hides the wall's edges
const MAX_GRAINED_CELLS = 400; // the frame of a larger board shows no grain
const GRADIENTS_ID = "gradients";
const GRAIN_PATH = "M0 9q90 7 180 0t180 0M0 31q60 -9 150 -2t210 2M0 52q110 6 190 -1t170 1M0 74q80 -5 160 2t200 -2";
const NUMBERS_LETTERS = 1.6; // the height of the column numbers with their gaps, in letters
const SCORES_LETTERS = 2.5; // the height of the scores below them, in letters
const LETTER_SCALE = 1.2; // letters are larger than in pictures, as the page is also read on phones and from the back of a room

/** @template {keyof SVGElementTagNameMap} T
 *  @param {T} name @param {Record<string, string | number>} attributes @param {...(Node | string)} children @returns {SVGElementTagNameMap[T]} */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

// Where everything of the drawing is. From the top: a row for the hovering disc, the frame, the column numbers and
// the scores.
export class Geometry {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.letter = width > WIDE_BOARD_COLUMNS ? WIDE_BOARD_NUMBER_HEIGHT : LETTER_SCALE * COLUMN_NUMBER_HEIGHT;
    this.frameTop = CELL_SIZE;
    this.frameWidth = width * CELL_SIZE + 2 * FRAME_MARGIN;
    this.frameHeight = height * CELL_SIZE + 2 * FRAME_MARGIN;
    this.frameBottom = this.frameTop + this.frameHeight;
    this.totalWidth = this.frameWidth + 2 * VIEW_MARGIN;
    this.totalHeight = this.frameBottom + NUMBERS_LETTERS * this.letter + this.scoresHeight;
  }

  /** The height of the two lines of scores below the column numbers. */
  get scoresHeight() {
    return SCORES_LETTERS * this.letter;
  }

  /** @param {number} column */
  x(column) {
    return FRAME_MARGIN + (column + 0.5) * CELL_SIZE;
  }

  /** @param {number} row */
  y(row) {
    return this.frameTop + FRAME_MARGIN + (this.height - row - 0.5) * CELL_SIZE;
  }

  /** @param {number} top @param {number} bottom */
  viewBox(top = 0, bottom = this.totalHeight) {
    return `${-VIEW_MARGIN} ${top} ${this.totalWidth} ${bottom - top}`;
  }

  get hoverY() {
    return this.frameTop - DISC_RADIUS - HOVER_GAP;
  }

  // The outline and every hole as one path: the even-odd rule leaves the holes open.
  framePath() {
    const { frameWidth: w, frameHeight: h, frameTop: top } = this;
    const c = FRAME_CORNER_RADIUS;
    const parts = [
      `M${c} ${top}H${w - c}a${c} ${c} 0 0 1 ${c} ${c}V${top + h - c}a${c} ${c} 0 0 1 ${-c} ${c}`,
      `H${c}a${c} ${c} 0 0 1 ${-c} ${-c}V${top + c}a${c} ${c} 0 0 1 ${c} ${-c}Z`,
    ];
    for (let column = 0; column < this.width; column++) {
      for (let row = 0; row < this.height; row++) parts.push(holePath(this.x(column), this.y(row)));
    }
    return parts.join("");
  }

  /** The part of the frame around the holes of one column. @param {number} column */
  columnPath(column) {
    const holes = Array.from({ length: this.height }, (_, row) => holePath(this.x(column), this.y(row)));
    return `M${this.x(column - 0.5)} ${this.frameTop}h${CELL_SIZE}v${this.frameHeight}h${-CELL_SIZE}Z${holes.join("")}`;
  }
}

/** @param {number} x @param {number} y */
function holePath(x, y) {
  const r = DISC_RADIUS;
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/** A disc. First's disc has an embossed ring, second's a star, so that shape and colour differ. The rim is wider than the hole and continues
 * behind the frame, so that no gap shows. @param {import("../page-types.js").Side} side */
export function drawDisc(side) {
  return svg(
    "g",
    { class: `disc ${side}` },
    svg("circle", { class: "rim", r: DISC_RADIUS + DISC_RIM_WIDTH }),
    svg("circle", { class: "face", r: DISC_RADIUS - DISC_RIM_WIDTH, fill: `url(#${side}-face)` }),
    svg("circle", { class: "plate", r: DISC_PLATE_RADIUS, fill: `url(#${side}-plate)` }),
    drawMark(side, { class: "mark edge", transform: `translate(0 ${EMBOSS_SHIFT})` }),
    drawMark(side),
  );
}

const STAR_PATH = `M${STAR_POINTS.map((point) => point.join(" ")).join("L")}Z`;

/** The mark on a disc, which distinguishes the sides without colours.
 * @param {import("../page-types.js").Side} side @param {Record<string, string>} attributes */
export const drawMark = (side, attributes = { class: "mark" }) =>
  side === "first" ? svg("circle", { r: RING_RADIUS, ...attributes }) : svg("path", { d: STAR_PATH, ...attributes });

/** The gradients that all boards of the page share; a shape names one in its `fill`. Light falls from above. */
export function drawGradients() {
  /** @param {string} id @param {(string | number)[][]} stops */
  const gradient = (id, stops) =>
    svg(
      "linearGradient",
      { id, x2: 0, y2: 1, ...(id === "hole-face" ? WALL_GRADIENT : {}) },
      ...stops.map(([offset, colour]) => {
        const stop = svg("stop", { offset });
        stop.style.stopColor = `var(--${colour})`;
        return stop;
      }),
    );
  const grain = svg("pattern", { id: "grain", patternUnits: "userSpaceOnUse", width: 360, height: 87 });
  grain.append(svg("path", { class: "grain-lines", d: GRAIN_PATH }));
  return svg("defs", {}, ...Object.entries(GRADIENTS).map(([id, stops]) => gradient(id, stops)), grain);
}

// The gradient repeats for each row of holes, as all holes share one wall.
const WALL_GRADIENT = {
  gradientUnits: "userSpaceOnUse",
  y1: CELL_SIZE + FRAME_MARGIN,
  y2: 2 * CELL_SIZE + FRAME_MARGIN,
  spreadMethod: "repeat",
};

/** Adds the gradients once to a page or a shadow tree, as shapes can name those of their own tree only. @param {Node} root */
export function addGradients(root) {
  if (!(root instanceof Document || root instanceof ShadowRoot) || root.getElementById(GRADIENTS_ID)) return;
  const place = root instanceof Document ? root.body : (root.firstElementChild ?? root); // where the colours are known
  place.append(svg("svg", { id: GRADIENTS_ID, class: "unseen", "aria-hidden": "true" }, drawGradients()));
}

/** @param {SVGElement} element @param {number} x @param {number} y */
export function setPosition(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

/** The wall behind the discs, and the frame in front of them with the light on its edges, its thickness and its face.
 * @param {Geometry} g */
export function drawFrame(g) {
  const path = { d: g.framePath(), "fill-rule": "evenodd" };
  const hasGrain = g.width * g.height <= MAX_GRAINED_CELLS;
  return {
    wall: svg("rect", {
      class: "wall",
      x: WALL_INSET,
      y: g.frameTop + WALL_INSET,
      rx: FRAME_CORNER_RADIUS - WALL_INSET,
      width: g.frameWidth - 2 * WALL_INSET,
      height: g.frameHeight - 2 * WALL_INSET,
      fill: "url(#hole-face)",
    }),
    frame: svg(
      "g",
      { "aria-hidden": "true" },
      svg("path", { class: "glint", transform: `translate(0 ${-GLINT_HEIGHT})`, ...path }),
      svg("path", { class: "depth", transform: `translate(0 ${SHADE_HEIGHT})`, ...path }),
      svg("path", { class: "frame", fill: "url(#frame-face)", ...path }),
      ...(hasGrain ? [svg("path", { class: "grain", fill: "url(#grain)", ...path })] : []),
    ),
  };
}

/** The column numbers, large enough to be read. If they do not all fit, only every fifth or tenth number is drawn.
 * @param {Geometry} g @param {number} scale pixels per unit */
export function drawColumnNumbers(g, scale = 1) {
  const size = Math.max(g.letter, MIN_NUMBER_PIXELS / scale);
  const room = DIGIT_WIDTH * size * String(g.width).length;
  const every = [1, 5, 10].find((step) => room < step * CELL_SIZE) ?? 10;
  const shown = Array.from({ length: g.width }, (_, column) => column).filter((column) => (column + 1) % every === 0);
  return shown.map((column) =>
    svg(
      "text",
      { class: "number", x: g.x(column), y: g.frameBottom + 0.25 * g.letter + size, "font-size": size },
      String(column + 1),
    ),
  );
}

/** The cell under a pointer, or the nearest cell.
 * @param {SVGSVGElement} root @param {Geometry} g @param {MouseEvent} event */
export function cellAt(root, g, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM()?.inverse());
  /** @param {number} value @param {number} last */
  const within = (value, last) => Math.max(0, Math.min(last, Math.floor(value)));
  return {
    column: within((point.x - g.x(-0.5)) / CELL_SIZE, g.width - 1),
    row: within((g.y(-0.5) - point.y) / CELL_SIZE, g.height - 1),
  };
}

const MS_PER_ROW = 90;
const MAX_FALL_MS = 600; // the longest fall, however high the board is
const FALL_EASING = "cubic-bezier(0.333, 0, 0.667, 0.333)"; // exactly t squared
const RISE_EASING = "cubic-bezier(0.333, 0.667, 0.667, 1)";

// Lets a disc fall and bounce once. The duration grows with the square root of the height.
/** @param {Element} element @param {number} x @param {number} from @param {number} to */
export function animateFall(element, x, from, to) {
  const rows = Math.max(1, (to - from) / CELL_SIZE);
  const falling = Math.min(MS_PER_ROW * Math.sqrt(rows), MAX_FALL_MS);
  const bounce = Math.min(14, 4 + 2 * rows);
  const rising = MS_PER_ROW * Math.sqrt(bounce / CELL_SIZE);
  const total = falling + 2 * rising;
  /** @param {number} y */
  const at = (y) => `translate(${x}px, ${y}px)`;
  return element.animate(
    [
      { transform: at(from), easing: FALL_EASING, offset: 0 },
      { transform: at(to), easing: RISE_EASING, offset: falling / total },
      { transform: at(to - bounce), easing: FALL_EASING, offset: (falling + rising) / total },
      { transform: at(to), offset: 1 },
    ],
    { duration: total },
  );
}

/** @param {Element} element */
export function fadeIn(element) {
  return element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
}

export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Scrolls a board that is larger than its container so that the element is visible.
 * @param {Element} element @param {Element} container */
export function scrollIntoViewWithin(element, container) {
  if (container.scrollWidth <= container.clientWidth && container.scrollHeight <= container.clientHeight) return;
  const [own, seen] = [element.getBoundingClientRect(), container.getBoundingClientRect()];
  const isIn = own.left >= seen.left && own.right <= seen.right && own.top >= seen.top && own.bottom <= seen.bottom;
  if (isIn) return;
  container.scrollBy({
    left: (own.left + own.right - seen.left - seen.right) / 2,
    top: (own.top + own.bottom - seen.top - seen.bottom) / 2,
  });
}
