// Errors for refused requests, with messages in the page's language.
import { MAX_QUOTE_CHARS } from "../common/constants.js";
import { plainText, t } from "./texts.js";

/** @import { RefusedAnswer } from "../types.js" */

// The text keys of reasons whose text is not under `refused.` and the reason.
const TEXT_KEYS = new Map([
  ["nothing_to_take_back", "error.NothingToUndo"],
  ["nothing_to_redo", "error.NothingToRedo"],
  ["column_full", "error.ColumnFull"],
  ["column_out_of_range", "error.ColumnOutOfRange"],
]);

/** @param {string} reason */
const textKey = (reason) => TEXT_KEYS.get(reason) ?? `refused.${reason}`;

export class RefusedError extends Error {
  /** @param {RefusedAnswer} refusal */
  constructor({ reason, message }) {
    super(plainText(textKey(reason)) ?? message);
    this.reason = reason;
  }
}

/** A refusal made in this page. @param {string} reason @param {Record<string, unknown>} [facts] */
export const refusal = (reason, facts) => new RefusedError({ reason, message: t(textKey(reason), facts) });

/** An error for input that cannot be read. @param {string} key @param {Record<string, unknown>} facts */
export const invalidInput = (key, facts = {}) => new RefusedError({ reason: "wrong", message: t(key, facts) });

/** Shortens a text for a quotation in an error message. @param {string} text */
export const shortened = (text) => (text.length <= MAX_QUOTE_CHARS ? text : `${text.slice(0, MAX_QUOTE_CHARS - 3)}...`);

/** The message of anything that was thrown. @param {unknown} error */
export const errorMessage = (error) => (error instanceof Error ? error.message : String(error));

/** Runs an action and shows its error in the status element. @param {HTMLElement} status @param {() => unknown} act */
export async function runOrShowError(status, act) {
  try {
    await act();
  } catch (error) {
    status.textContent = errorMessage(error);
  }
}
