// Names and descriptions of the computer players.
import { BEST_LEVEL } from "../common/constants.js";
import { SELECTABLE_PLAYERS, isCompiled, parsePlayer } from "../common/players.js";
import { t } from "./texts.js";

export const LEVELS = Array.from({ length: BEST_LEVEL }, (_, index) => index + 1);

/** @param {number | string} level */
export const levelName = (level) => t(`level.name.${level}`);

/** @param {number | string} level */
export const levelDescription = (level) => t(`level.words.${level}`);

/** The name of the opponent who plays at this level. @param {number | string} level */
export const opponentName = (level) => t(`opponent.${level}`);

/** The level of a computer player, or null for any other player. @param {string | null | undefined} player such as level:3 */
export function levelOf(player) {
  const level = /^level:(\d+)$/.exec(player ?? "");
  return level && Number(level[1]);
}

/** @param {string} player such as level:3 */
export function playerName(player) {
  const level = levelOf(player);
  if (level) return opponentName(level);
  const { name, kind } = parsePlayer(player);
  return kind ? t(`player.${name}`) : player;
}

/** The players that can be chosen for a demo. @param {boolean} hasServer without a server, the compiled core plays @returns {string[][]} */
export function playerOptions(hasServer) {
  const others = SELECTABLE_PLAYERS.filter((player) => hasServer || isCompiled(player));
  return [
    ...LEVELS.map((level) => [`level:${level}`, t("opponent.level", { name: opponentName(level), level })]),
    ...others.map((player) => [player, playerName(player)]),
  ];
}
