// How a computer player uses the swap rule in a match without a server. It is the counterpart of connectk.players.swapping.
import { BEST_LEVEL, GUESSING_KINDS } from "../common/constants.js";

/** @import { ScoresAnswer } from "../types.js" */

/** How often a player finds the better choice: from half the time, by chance, to always. @param {string} player */
export function findProbability(player) {
  const [kind, number] = player.split(":");
  if (kind === "level") return 0.5 + (0.5 * Number(number)) / BEST_LEVEL;
  return GUESSING_KINDS.includes(kind) ? 0.5 : 1;
}

/** Whether the player to move takes over the other side, because its own side stands worse. @param {string} player @param {ScoresAnswer} scores */
export function wantsSwap(player, scores, chance = Math.random()) {
  const isWorse = Math.max(...worthsOf(scores).map(([, worth]) => worth)) < 0;
  return isWorse === chance < findProbability(player);
}

/** The column after which both sides have the most equal chances; null if the player does not find it.
 * @param {string} player @param {ScoresAnswer} scores @returns {number | null} */
export function fairColumn(player, scores, chance = Math.random()) {
  const worths = worthsOf(scores);
  if (!worths.length || chance >= findProbability(player)) return null;
  const smallest = Math.min(...worths.map(([, worth]) => Math.abs(worth)));
  const fair = worths.filter(([, worth]) => Math.abs(worth) === smallest);
  return fair[Math.floor(Math.random() * fair.length)][0];
}

/** Each open column with what it is worth to the side to move, exactly or by estimate. @param {ScoresAnswer} scores @returns {[number, number][]} */
const worthsOf = ({ exact, scores, estimates }) =>
  /** @type {[number, number | null][]} */ ([...((exact ? scores : estimates) ?? []).entries()]).flatMap(
    ([column, worth]) => (worth === null ? [] : [[column, worth]]),
  );
