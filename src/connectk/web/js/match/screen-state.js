// The state of the screen of a match, besides the match itself, and the functions that change it.

/** @import { QueuedInput } from "../page-types.js"
 *  @import { Match } from "./match.js"
 *  @typedef {ReturnType<typeof newState>} ScreenState */

/** @param {QueuedInput[]} queue */
export const newState = (queue = []) => ({
  detail: "", // the sentence under the headline
  withdrawal: "", // why an offer made here is being withdrawn
  pendingAnnouncement: "", // the text for screen readers once no disc falls
  isDisconnected: false,
  showsThinking: false, // whether the computer has been thinking for a noticeable time
  isEndAnnounced: false,
  isRequestPending: false, // whether an undo or redo is not answered yet
  queue, // columns and commands that wait for their turn, oldest first
});

/** Queues a column. Against the computer a new column replaces the queued column; two people at one screen may each have one.
 * @param {ScreenState} state @param {number} column @param {boolean} bothHere */
export function queueColumn(state, column, bothHere) {
  state.queue = bothHere ? [...state.queue, { column }] : [{ column }];
}

/** @param {ScreenState} state */
export function queueHint(state) {
  dropHint(state);
  state.queue.push({ act: "hint" });
}

/** Removes a queued hint, which a chosen column makes pointless. @param {ScreenState} state */
export function dropHint(state) {
  state.queue = state.queue.filter((wish) => wish.act !== "hint");
}

/** Removes and returns the next input that can be handled: drops and hints wait for the turn. @param {ScreenState} state @param {Match} match */
export function takeQueued(state, match) {
  const [wish] = state.queue;
  if (!wish || match.pendingDrop || state.isRequestPending) return undefined;
  const waits = wish.column !== undefined || wish.act === "hint";
  return waits && !match.isMyTurn ? undefined : state.queue.shift();
}

/** @param {ScreenState} state */
export function takeAnnouncement(state) {
  const { pendingAnnouncement } = state;
  state.pendingAnnouncement = "";
  return pendingAnnouncement;
}

/** Whether to announce the end now, and remembers that. It is announced once, and again if a move is taken back after
 * it.
 * @param {ScreenState} state @param {boolean} isOver */
export function markEndAnnounced(state, isOver) {
  const isNew = isOver && !state.isEndAnnounced;
  state.isEndAnnounced = isOver;
  return isNew;
}
