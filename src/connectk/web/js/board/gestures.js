// Turns touches and mouse events on the board into chosen columns. It ignores the second click of a double click, palms and a second finger.
const DOUBLE_TAP_MS = 400; // a second tap on the same column within this time is ignored
const DOUBLE_CLICK_MS = 2000; // the limit for clicks that the system counts as a double click, as a busy page may receive them late
const MIN_SLIDE_PIXELS = 10; // a touch that moves further is a slide
const MIN_PALM_PIXELS = 60; // a wider touch is no finger

/** @import { Cell } from "../page-types.js"
 *  @typedef {{ cellAt: (event: MouseEvent) => Cell, onPoint: (cell: Cell | null, lifted?: boolean) => void,
 *    onChoose: (cell: Cell) => void, canSlide: () => boolean }} GestureHandlers */

/** @param {SVGElement} root @param {GestureHandlers} hands */
export function addGestureListeners(root, hands) {
  const touch = new TouchTracker(hands);
  let last = { at: -Infinity, column: -1 };
  /** @param {MouseEvent} event @param {Cell} cell */
  const chooseOnce = (event, cell) => {
    const within = event.detail > 1 ? DOUBLE_CLICK_MS : touch.isRecentTouch(event) ? DOUBLE_TAP_MS : 0;
    const again = event.timeStamp - last.at < within && cell.column === last.column;
    last = { at: event.timeStamp, column: cell.column };
    if (!again) hands.onChoose(cell);
  };
  root.addEventListener("pointerdown", (event) => touch.down(event));
  root.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") touch.move(event);
    else hands.onPoint(hands.cellAt(event));
  });
  root.addEventListener("pointerup", (event) => {
    const cell = touch.up(event);
    if (cell) chooseOnce(event, cell);
  });
  root.addEventListener("pointercancel", () => touch.cancel());
  root.addEventListener("pointerleave", () => hands.onPoint(null));
  root.addEventListener("click", (event) => {
    if (!touch.isFollowUpClick(event)) chooseOnce(event, hands.cellAt(event));
  });
}

// A slide points at a column; lifting the finger chooses it.
class TouchTracker {
  /** @param {GestureHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {number | null} */
    this.pointerId = null; // the pointer of the first finger
    this.start = { x: 0, y: 0 };
    this.isSliding = false;
    this.isIgnored = false; // whether the touch is ignored because of a palm or a second finger
    this.liftedAt = -Infinity;
    this.endedAt = -Infinity; // when the last slide or ignored touch ended
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.pointerType !== "touch") return;
    if (!event.isPrimary || Math.max(event.width, event.height) > MIN_PALM_PIXELS) {
      this.isIgnored = true;
      this.handlers.onPoint(null);
      return;
    }
    Object.assign(this, {
      pointerId: event.pointerId,
      start: { x: event.clientX, y: event.clientY },
      isSliding: false,
      isIgnored: false,
    });
    this.handlers.onPoint(this.handlers.cellAt(event));
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (event.pointerId !== this.pointerId || this.isIgnored || !this.handlers.canSlide()) return;
    this.isSliding ||= Math.abs(event.clientX - this.start.x) > MIN_SLIDE_PIXELS;
    if (this.isSliding) this.handlers.onPoint(this.handlers.cellAt(event));
  }

  /** Chooses the cell on which a slide ended; a tap arrives as a click. @param {PointerEvent} event */
  up(event) {
    if (event.pointerType !== "touch") return null;
    this.liftedAt = event.timeStamp;
    const chosen = event.pointerId === this.pointerId && this.isSliding && !this.isIgnored;
    if (this.isSliding || this.isIgnored) this.endedAt = event.timeStamp;
    this.handlers.onPoint(null);
    this.pointerId = null;
    return chosen ? this.handlers.cellAt(event) : null;
  }

  cancel() {
    this.pointerId = null;
    this.handlers.onPoint(null);
  }

  /** Whether this is the click that some browsers send after a slide. @param {MouseEvent} event */
  isFollowUpClick(event) {
    return event.timeStamp - this.endedAt < DOUBLE_TAP_MS;
  }

  /** @param {MouseEvent} event */
  isRecentTouch(event) {
    return event.timeStamp - this.liftedAt < DOUBLE_TAP_MS;
  }
}
