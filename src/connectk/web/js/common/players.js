// The computer players: what the page knows of each, as connectk.players.registry has it.
import { PLAYERS } from "./constants.js";

/** @typedef {{ example: string, default: number, heavy: boolean | number, compiled: boolean }} PlayerKind */

/** @type {Record<string, PlayerKind>} */
const KINDS = PLAYERS;

/** The players to choose from beside the levels, such as minimax:5. */
export const OFFERED = Object.entries(KINDS).flatMap(([kind, { example }]) => (kind === "level" ? [] : [example]));

/** The kind of a player, and the number that its name says. @param {string} player such as level:3 */
export function kindOf(player) {
  const [name, parameter = ""] = player.split(":");
  const kind = /** @type {PlayerKind | undefined} */ (KINDS[name]);
  return { name, kind, number: Number.parseInt(parameter, 10) || (kind?.default ?? 0) };
}

/** Whether the compiled core has this player. @param {string} player */
export const isCompiled = (player) => kindOf(player).kind?.compiled === true;

/** Whether it thinks for as long as it may. @param {string} player */
export function isHeavy(player) {
  const { kind, number } = kindOf(player);
  return kind?.heavy === true || kind?.heavy === number;
}
