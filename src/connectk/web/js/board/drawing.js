// How a board looks, in units of one hundredth of a cell. Nothing here knows a rule.
import {
  CELL,
  CORE,
  CORNER,
  LETTER,
  LETTER_WIDE,
  MARGIN,
  MAX_NUMBERED_COLUMNS,
  RADIUS,
  RIM,
  RING,
  WIDE_BOARD,
} from "../common/constants.js";

const SVG = "http://www.w3.org/2000/svg";
const EDGE = 4; // beside the frame, so that its outline is whole wherever a pixel begins
const GAP = 4; // between the frame and the disc in the hand
const INSET = 4; // of the wall behind the frame, which hides its edges
const DEPTH = 5; // of the frame's shadow
const LARGER = 1.2; // a page is read on a phone and from the back of a room: its letters are larger than a picture's

/** @template {keyof SVGElementTagNameMap} T
 *  @param {T} name @param {Record<string, string | number>} attributes @param {...(Node | string)} children @returns {SVGElementTagNameMap[T]} */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

// Where things stand: a row for the hovering disc, the frame, the numbers and the scores.
export class Geometry {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.letter = width > WIDE_BOARD ? LETTER_WIDE : LARGER * LETTER;
    this.frameTop = CELL;
    this.frameWidth = width * CELL + 2 * MARGIN;
    this.frameHeight = height * CELL + 2 * MARGIN;
    this.frameBottom = this.frameTop + this.frameHeight;
    this.totalWidth = this.frameWidth + 2 * EDGE;
    this.totalHeight = this.frameBottom + 4.1 * this.letter;
  }

  /** @param {number} column */
  x(column) {
    return MARGIN + (column + 0.5) * CELL;
  }

  /** @param {number} row */
  y(row) {
    return this.frameTop + MARGIN + (this.height - row - 0.5) * CELL;
  }

  /** What is shown of it. @param {number} top @param {number} bottom */
  viewBox(top = 0, bottom = this.totalHeight) {
    return `${-EDGE} ${top} ${this.totalWidth} ${bottom - top}`;
  }

  get hoverY() {
    return this.frameTop - RADIUS - GAP;
  }

  // Outer shape and every hole as one path: with the even-odd rule the holes are really open.
  framePath() {
    const { frameWidth: w, frameHeight: h, frameTop: top } = this;
    const c = CORNER;
    const parts = [
      `M${c} ${top}H${w - c}a${c} ${c} 0 0 1 ${c} ${c}V${top + h - c}a${c} ${c} 0 0 1 ${-c} ${c}`,
      `H${c}a${c} ${c} 0 0 1 ${-c} ${-c}V${top + c}a${c} ${c} 0 0 1 ${c} ${-c}Z`,
    ];
    for (let column = 0; column < this.width; column++) {
      for (let row = 0; row < this.height; row++) parts.push(hole(this.x(column), this.y(row)));
    }
    return parts.join("");
  }
}

/** @param {number} x @param {number} y */
function hole(x, y) {
  const r = RADIUS;
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/** First: a raised ring. Second: a solid core. The shapes differ as well as the colours. The frame lies over its discs here, so that a rim
 * goes on behind it, and no light comes between. @param {import("../shapes.js").Side} side */
export function disc(side) {
  const mark = { r: side === "first" ? RING : CORE };
  return svg(
    "g",
    { class: `disc ${side}` },
    svg("circle", { class: "rim", r: RADIUS + RIM }),
    svg("circle", { class: "face", r: RADIUS - RIM, cy: 1 }),
    svg("circle", { class: "mark", cy: 2, ...mark }),
  );
}

/** @param {SVGElement} element @param {number} x @param {number} y */
export function moveTo(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

/** The wall behind the discs, and the frame before them with the depth that it casts.
 * @param {Geometry} g */
export function frameOf(g) {
  const path = { d: g.framePath(), "fill-rule": "evenodd" };
  return {
    wall: svg("rect", {
      class: "wall",
      x: INSET,
      y: g.frameTop + INSET,
      rx: CORNER - INSET,
      width: g.frameWidth - 2 * INSET,
      height: g.frameHeight - 2 * INSET,
    }),
    depth: svg("path", { class: "depth", transform: `translate(0 ${DEPTH})`, ...path }),
    frame: svg("path", { class: "frame", ...path }),
  };
}

/** The numbers of the columns; on a wide board not every one.
 * @param {Geometry} g */
export function numbers(g) {
  const every = g.width > MAX_NUMBERED_COLUMNS ? 10 : 1;
  const shown = Array.from({ length: g.width }, (_, column) => column).filter((column) => (column + 1) % every === 0);
  return shown.map((column) =>
    svg(
      "text",
      { class: "number", x: g.x(column), y: g.frameBottom + 1.25 * g.letter, "font-size": g.letter },
      String(column + 1),
    ),
  );
}

/** The cell under a pointer, or the nearest one.
 * @param {SVGSVGElement} root @param {Geometry} g @param {MouseEvent} event */
export function cellAt(root, g, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM()?.inverse());
  /** @param {number} value @param {number} last */
  const within = (value, last) => Math.max(0, Math.min(last, Math.floor(value)));
  return {
    column: within((point.x - g.x(-0.5)) / CELL, g.width - 1),
    row: within((g.y(-0.5) - point.y) / CELL, g.height - 1),
  };
}

const ROW_MS = 90;
const LONGEST_MS = 600; // however high the board
const GRAVITY = "cubic-bezier(0.333, 0, 0.667, 0.333)"; // exactly t squared
const RISING = "cubic-bezier(0.333, 0.667, 0.667, 1)";

// A disc falls: time grows with the square root of the height, then one small bounce.
/** @param {Element} element @param {number} x @param {number} from @param {number} to */
export function fall(element, x, from, to) {
  const rows = Math.max(1, (to - from) / CELL);
  const falling = Math.min(ROW_MS * Math.sqrt(rows), LONGEST_MS);
  const bounce = Math.min(14, 4 + 2 * rows);
  const rising = ROW_MS * Math.sqrt(bounce / CELL);
  const total = falling + 2 * rising;
  /** @param {number} y */
  const at = (y) => `translate(${x}px, ${y}px)`;
  return element.animate(
    [
      { transform: at(from), easing: GRAVITY, offset: 0 },
      { transform: at(to), easing: RISING, offset: falling / total },
      { transform: at(to - bounce), easing: GRAVITY, offset: (falling + rising) / total },
      { transform: at(to), offset: 1 },
    ],
    { duration: total },
  );
}

/** @param {Element} element */
export function fadeIn(element) {
  return element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
}

export function stillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** On a board larger than its place, what just happened is brought into sight.
 * @param {Element} element @param {Element} place that scrolls */
export function bringIntoSight(element, place) {
  if (place.scrollWidth <= place.clientWidth && place.scrollHeight <= place.clientHeight) return;
  const [own, seen] = [element.getBoundingClientRect(), place.getBoundingClientRect()];
  const isIn = own.left >= seen.left && own.right <= seen.right && own.top >= seen.top && own.bottom <= seen.bottom;
  if (isIn) return;
  place.scrollBy({
    left: (own.left + own.right - seen.left - seen.right) / 2,
    top: (own.top + own.bottom - seen.top - seen.bottom) / 2,
  });
}
