// What a finger or a mouse means on the board. A second click of a double click, a palm and a second finger mean nothing.
const DOUBLE_MS = 400; // a second tap sooner than this at the same place belongs to the first
const COUNTED_MS = 2000; // so does a click that the system counts as the second, however late a busy page hears of it
const SLIDE = 10; // pixels after which a touch is a slide
const PALM = 60; // pixels: a touch wider than this is no finger

/** @import { Cell } from "../shapes.js"
 *  @typedef {{ where: (event: MouseEvent) => Cell, point: (cell: Cell | null, lifted?: boolean) => void,
 *    choose: (cell: Cell) => void, slides: () => boolean }} Hands */

/** @param {SVGElement} root @param {Hands} hands */
export function listenTo(root, hands) {
  const touch = new Touch(hands);
  let last = { at: -Infinity, column: -1 };
  /** @param {MouseEvent} event @param {Cell} cell */
  const once = (event, cell) => {
    const within = event.detail > 1 ? COUNTED_MS : touch.justUsed(event) ? DOUBLE_MS : 0;
    const again = event.timeStamp - last.at < within && cell.column === last.column;
    last = { at: event.timeStamp, column: cell.column };
    if (!again) hands.choose(cell);
  };
  root.addEventListener("pointerdown", (event) => touch.down(event));
  root.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") touch.move(event);
    else hands.point(hands.where(event));
  });
  root.addEventListener("pointerup", (event) => {
    const cell = touch.up(event);
    if (cell) once(event, cell);
  });
  root.addEventListener("pointercancel", () => touch.cancel());
  root.addEventListener("pointerleave", () => hands.point(null));
  root.addEventListener("click", (event) => {
    if (!touch.swallows(event)) once(event, hands.where(event));
  });
}

// Sliding chooses a column, lifting drops.
class Touch {
  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
    /** @type {number | null} */
    this.id = null; // of the finger that counts
    this.start = { x: 0, y: 0 };
    this.slid = false;
    this.spoiled = false; // by a palm or a second finger
    this.lifted = -Infinity; // when a finger last left
    this.ended = -Infinity; // when a slide, or something that means nothing, ended
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.pointerType !== "touch") return;
    if (!event.isPrimary || Math.max(event.width, event.height) > PALM) {
      this.spoiled = true;
      this.hands.point(null);
      return;
    }
    Object.assign(this, {
      id: event.pointerId,
      start: { x: event.clientX, y: event.clientY },
      slid: false,
      spoiled: false,
    });
    this.hands.point(this.hands.where(event));
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (event.pointerId !== this.id || this.spoiled || !this.hands.slides()) return;
    this.slid ||= Math.abs(event.clientX - this.start.x) > SLIDE;
    if (this.slid) this.hands.point(this.hands.where(event));
  }

  /** The cell that a slide ended on; a tap comes as a click. @param {PointerEvent} event */
  up(event) {
    if (event.pointerType !== "touch") return null;
    this.lifted = event.timeStamp;
    const chosen = event.pointerId === this.id && this.slid && !this.spoiled;
    if (this.slid || this.spoiled) this.ended = event.timeStamp;
    this.hands.point(null);
    this.id = null;
    return chosen ? this.hands.where(event) : null;
  }

  cancel() {
    this.id = null;
    this.hands.point(null);
  }

  /** The click that some browsers send after a slide. @param {MouseEvent} event */
  swallows(event) {
    return event.timeStamp - this.ended < DOUBLE_MS;
  }

  /** @param {MouseEvent} event */
  justUsed(event) {
    return event.timeStamp - this.lifted < DOUBLE_MS;
  }
}
