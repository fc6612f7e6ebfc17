// What a key pressed on the board means: { move: [columns, rows] }, { go: column } or { choose: { column? } }.
/** @typedef {{ move?: [number, number], go?: number, choose?: { column?: number } }} Meaning
 *  @typedef {{ text: string, at: number }} Typed */

/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const TOGETHER_MS = 900;

/** @param {KeyboardEvent} event @param {number} width @param {Typed} typed @returns {Meaning | null} */
export function keyMeaning(event, width, typed) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key in MOVES) return { move: MOVES[event.key] };
  if (event.key === "Home") return { go: 0 };
  if (event.key === "End") return { go: width - 1 };
  if (event.key === "Enter" || event.key === " ") return { choose: {} };
  return /^[0-9]$/.test(event.key) ? digit(event.key, event.timeStamp, width, typed) : null;
}

// Up to nine columns a digit drops at once; on a wider board digits type a column to go to, and Enter drops.
/** @param {string} key @param {number} now @param {number} width @param {Typed} typed @returns {Meaning | null} */
function digit(key, now, width, typed) {
  if (width <= 9) return key !== "0" && Number(key) <= width ? { choose: { column: Number(key) - 1 } } : null;
  const text = now - typed.at < TOGETHER_MS ? typed.text + key : key;
  Object.assign(typed, { text, at: now });
  const column = Number(text) - 1;
  return column >= 0 && column < width ? { go: column } : null;
}

const PRESSED = new Set(["checkbox", "radio", "range", "button", "submit", "file"]);

/** Whether keys pressed here write or choose something, so that they are no commands for the game.
 * @param {EventTarget | null} target */
export function isTyping(target) {
  const place = target instanceof Element ? target.closest("input, select, textarea, dialog") : null;
  return place !== null && !(place instanceof HTMLInputElement && PRESSED.has(place.type));
}

/** A letter pressed alone, once: not held, not with Ctrl, not while typing.
 * @param {KeyboardEvent} event */
export function letterOf(event) {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return "";
  return event.key.length === 1 ? event.key.toLowerCase() : "";
}

// Letters that mean something during a match.
/** @type {Record<string, import("../shapes.js").Act | undefined>} */
export const COMMANDS = { u: "undo", r: "redo", h: "hint" };
