// Maps keys pressed on the board to actions: { move: [columns, rows] }, { go: column } or { choose: { column? } }.
/** @typedef {{ move?: [number, number], go?: number, choose?: { column?: number } }} KeyAction
 *  @typedef {{ text: string, at: number }} TypedDigits */

/** @type {Record<string, [number, number]>} */
const ARROW_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const DIGIT_TIMEOUT_MS = 900;

/** @param {KeyboardEvent} event @param {number} width @param {TypedDigits} typed @returns {KeyAction | null} */
export function keyAction(event, width, typed) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key in ARROW_STEPS) return { move: ARROW_STEPS[event.key] };
  if (event.key === "Home") return { go: 0 };
  if (event.key === "End") return { go: width - 1 };
  if (event.key === "Enter" || event.key === " ") return { choose: {} };
  return /^[0-9]$/.test(event.key) ? digitAction(event.key, event.timeStamp, width, typed) : null;
}

// With up to nine columns a digit drops at once. On a wider board digits form the number of the column to move to, and Enter drops.
/** @param {string} key @param {number} now @param {number} width @param {TypedDigits} typed @returns {KeyAction | null} */
function digitAction(key, now, width, typed) {
  if (width <= 9) return key !== "0" && Number(key) <= width ? { choose: { column: Number(key) - 1 } } : null;
  const text = now - typed.at < DIGIT_TIMEOUT_MS ? typed.text + key : key;
  Object.assign(typed, { text, at: now });
  const column = Number(text) - 1;
  return column >= 0 && column < width ? { go: column } : null;
}

const NON_TEXT_INPUT_TYPES = new Set(["checkbox", "radio", "range", "button", "submit", "file"]);

/** Whether keys go to a field or dialog that has the focus, so that they are no commands for the game.
 * @param {EventTarget | null} target */
export function isTyping(target) {
  const place = target instanceof Element ? target.closest("input, select, textarea, dialog") : null;
  return place !== null && !(place instanceof HTMLInputElement && NON_TEXT_INPUT_TYPES.has(place.type));
}

/** The letter of a key press without modifiers; "" if the key is held or goes into a field.
 * @param {KeyboardEvent} event */
export function pressedLetter(event) {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return "";
  return event.key.length === 1 ? event.key.toLowerCase() : "";
}

// The letter commands of a match.
/** @type {Record<string, import("../page-types.js").Command | undefined>} */
export const COMMAND_KEYS = { u: "undo", r: "redo", h: "hint" };
