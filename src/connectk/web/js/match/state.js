// What the screen of a match remembers beside the match itself, and the functions that change it.

/** @import { Wish } from "../shapes.js"
 *  @import { Match } from "./match.js"
 *  @typedef {ReturnType<typeof newState>} State */

/** @param {Wish[]} queue */
export const newState = (queue = []) => ({
  detail: "", // the sentence under the headline
  unsaid: "", // what is said when the last disc lies
  isAway: false, // the connection is lost
  isThinkingLong: false, // so long that it is said that the computer thinks
  isEndTold: false, // it is not while the last disc falls
  isAsking: false, // something is taken back or played again, and not answered yet
  queue, // columns and commands that wait for their turn, in the order in which they were pressed
});

/** A column chosen while the computer thinks replaces the last one; two people at one screen may both be quick.
 * @param {State} state @param {number} column @param {boolean} bothHere */
export function queueColumn(state, column, bothHere) {
  state.queue = bothHere ? [...state.queue, { column }] : [{ column }];
}

/** @param {State} state */
export function queueHint(state) {
  dropHint(state);
  state.queue.push({ act: "hint" });
}

/** Whoever chooses a column needs no hint any more. @param {State} state */
export function dropHint(state) {
  state.queue = state.queue.filter((wish) => wish.act !== "hint");
}

/** The next wish, if its time has come: a drop and a hint wait for the turn. @param {State} state @param {Match} match */
export function nextWish(state, match) {
  const [wish] = state.queue;
  if (!wish || match.pending || state.isAsking) return undefined;
  const waits = wish.column !== undefined || wish.act === "hint";
  return waits && !match.isMyTurn ? undefined : state.queue.shift();
}

/** The words that waited for the last disc. @param {State} state */
export function takeUnsaid(state) {
  const { unsaid } = state;
  state.unsaid = "";
  return unsaid;
}

/** Whether the end is to be told now: once, and again after it was taken back. @param {State} state @param {boolean} isOver */
export function noteEnd(state, isOver) {
  const isNew = isOver && !state.isEndTold;
  state.isEndTold = isOver;
  return isNew;
}
