// The computer players, as in connectk.players.registry.
import { PLAYER_KINDS } from "./constants.js";

/** @typedef {{ example: string, default: number, heavy: boolean | number, compiled: boolean }} PlayerKind */

/** @type {Record<string, PlayerKind>} */
const KINDS = PLAYER_KINDS;

/** The players that can be chosen besides the levels, such as minimax:5. */
export const SELECTABLE_PLAYERS = Object.entries(KINDS).flatMap(([kind, { example }]) =>
  kind === "level" ? [] : [example],
);

/** Reads the kind of a player and the number in the player's name. @param {string} player such as level:3 */
export function parsePlayer(player) {
  const [name, parameter = ""] = player.split(":");
  const kind = /** @type {PlayerKind | undefined} */ (KINDS[name]);
  return { name, kind, number: Number.parseInt(parameter, 10) || (kind?.default ?? 0) };
}

/** Whether the compiled core has this player. @param {string} player */
export const isCompiled = (player) => parsePlayer(player).kind?.compiled === true;

/** Whether the player uses all the time that it is given. @param {string} player */
export function isHeavy(player) {
  const { kind, number } = parsePlayer(player);
  return kind?.heavy === true || kind?.heavy === number;
}
