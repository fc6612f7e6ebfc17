// What the screen of a review shows, and the functions that change it.

/** @import { ReviewAnswer, WholeGameAnswer } from "../types.js"
 *  @typedef {{ from: number, game: WholeGameAnswer }} Variation other moves from a ply of the game on: `game` has the moves before, too
 *  @typedef {ReturnType<typeof newReviewState>} ReviewState */

export const newReviewState = () => ({
  /** @type {WholeGameAnswer | null} */
  mainGame: null, // null until it is loaded
  isEditable: false, // whether the game began as an empty board, so that drops extend it
  /** @type {Variation | null} */
  variation: null, // the variation that is shown instead of the game
  ply: 0, // the ply of the game or the variation
  /** @type {ReviewAnswer | null} */
  analysis: null, // null until every move is judged
});

/** A new game, not yet analysed. @param {ReviewState} state @param {WholeGameAnswer} game */
export function setGame(state, game) {
  Object.assign(state, { mainGame: game, isEditable: !game.columns.length, variation: null, analysis: null });
}

/** @param {ReviewState} state @param {Variation | null} variation @param {number} ply */
export function showVariation(state, variation, ply) {
  state.variation = variation;
  setPly(state, ply);
}

/** Goes to a ply, or to the nearest ply of the shown moves. @param {ReviewState} state @param {number} ply */
export function setPly(state, ply) {
  state.ply = Math.max(0, Math.min(lastPlyOf(state), ply));
}

/** @param {ReviewState} state */
export function mainGameOf({ mainGame }) {
  if (!mainGame) throw new Error("the game is not loaded yet");
  return mainGame;
}

/** The moves that are shown: the game, or the variation. @param {ReviewState} state */
export const shownGameOf = (state) => state.variation?.game ?? mainGameOf(state);

/** @param {ReviewState} state */
export const lastPlyOf = (state) => shownGameOf(state).columns.length;

/** The ply of the game. While a variation is shown, the ply at which it leaves the game. @param {ReviewState} state */
export const mainPlyOf = ({ variation, ply }) => (variation ? variation.from : ply);

/** Whether a drop extends the game instead of starting a variation. @param {ReviewState} state */
export const extendsGame = (state) => state.isEditable && !state.variation && state.ply === lastPlyOf(state);
