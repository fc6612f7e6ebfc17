// Computer players in a person's words; how the program names them stays inside.
import { BEST_LEVEL } from "../common/constants.js";
import { OFFERED, isCompiled, kindOf } from "../common/players.js";
import { t } from "./texts.js";

export const LEVELS = Array.from({ length: BEST_LEVEL }, (_, index) => index + 1);

/** @param {number | string} level */
export const levelName = (level) => t(`level.name.${level}`);

/** @param {number | string} level */
export const levelWords = (level) => t(`level.words.${level}`);

/** @param {string} player such as level:3 */
export function playerName(player) {
  const level = /^level:(\d+)$/.exec(player);
  if (level) return t("name.computer", { level: levelName(level[1]) });
  const { name, kind } = kindOf(player);
  return kind ? t(`player.${name}`) : player;
}

/** Everyone who can play in a demo. @param {boolean} hasServer without one, the compiled core plays @returns {string[][]} */
export function playerOptions(hasServer) {
  const others = OFFERED.filter((player) => hasServer || isCompiled(player));
  return [
    ...LEVELS.map((level) => [`level:${level}`, levelName(level)]),
    ...others.map((player) => [player, playerName(player)]),
  ];
}
