// Computer players in a person's words; how the program names them stays inside.
import { t } from "./texts.js";

export const LEVELS = Array.from({ length: 10 }, (_, index) => index + 1);
const OTHERS = ["random", "greedy", "minimax:4", "mcts:1000", "engine:500ms", "perfect"];

/** @param {number | string} level */
export const levelName = (level) => t(`level.name.${level}`);

/** @param {number | string} level */
export const levelWords = (level) => t(`level.words.${level}`);

/** @param {string} player such as level:3 */
export function playerName(player) {
  const level = /^level:(\d+)$/.exec(player);
  if (level) return t("name.computer", { level: levelName(level[1]) });
  const kind = player.split(":")[0];
  return OTHERS.some((other) => other.split(":")[0] === kind) ? t(`player.${kind}`) : player;
}

/** Everyone who can play in a demo. @returns {string[][]} */
export function playerOptions() {
  return [
    ...LEVELS.map((level) => [`level:${level}`, levelName(level)]),
    ...OTHERS.map((player) => [player, t(`player.${player.split(":")[0]}`)]),
  ];
}
