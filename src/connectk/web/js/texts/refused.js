// What is refused, by a server or here, in the page's words.
import { plain, t } from "./texts.js";

/** @import { RefusedAnswer } from "../types.js" */

const LONGEST_QUOTE = 40;

// A reason that has no text under its own name.
const NAMED = new Map([
  ["nothing_to_take_back", "error.NothingToUndo"],
  ["nothing_to_redo", "error.NothingToRedo"],
  ["column_full", "error.ColumnFull"],
  ["column_out_of_range", "error.ColumnOutOfRange"],
]);

/** @param {string} reason */
const keyOf = (reason) => NAMED.get(reason) ?? `refused.${reason}`;

export class Refused extends Error {
  /** @param {RefusedAnswer} refusal */
  constructor({ reason, message }) {
    super(plain(keyOf(reason)) ?? message);
    this.reason = reason;
  }
}

/** What is refused here. @param {string} reason @param {Record<string, unknown>} [facts] */
export const refusal = (reason, facts) => new Refused({ reason, message: t(keyOf(reason), facts) });

/** @param {string} key @param {Record<string, unknown>} facts */
export const wrong = (key, facts = {}) => new Refused({ reason: "wrong", message: t(key, facts) });

/** As much of a text as a refusal repeats. @param {string} text */
export const quoted = (text) => (text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE - 3)}...`);
