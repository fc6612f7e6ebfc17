// The games of this device: those in progress, and the last fifty that are finished.
import { remember, remembered } from "../common/memory.js";

const MOST_FINISHED = 50;
const MOST_OPEN = 200;

/** @import { Side } from "../shapes.js"
 *  @import { ResultView } from "../types.js"
 *  @typedef {{ id: string, seq: number, secret: string | null, invitation: string | null, variant: string, start: string, moves: string, ply: number,
 *    names: Record<Side, string>, sides: Side[], previous: string | null, touched: number,
 *    result: ResultView | null }} Kept */

/** @returns {Kept[]} newest first */
export function keptGames() {
  const games = remembered("games", /** @type {Kept[]} */ ([]));
  return Array.isArray(games) ? games : [];
}

/** @param {string} id @returns {Kept | undefined} */
export function keptGame(id) {
  return keptGames().find((game) => game.id === id);
}

/** @param {Kept} game */
export function keepGame(game) {
  const others = keptGames().filter(({ id }) => id !== game.id);
  const all = [game, ...others].toSorted((one, other) => other.touched - one.touched);
  const open = all.filter(({ result }) => !result).slice(0, MOST_OPEN);
  const finished = all.filter(({ result }) => result).slice(0, MOST_FINISHED);
  remember(
    "games",
    [...open, ...finished].toSorted((one, other) => other.touched - one.touched),
  );
}

/** @param {string} id */
export function forgetGame(id) {
  remember(
    "games",
    keptGames().filter((game) => game.id !== id),
  );
}

/** @type {Record<Side, Side>} */
const OTHER = { first: "second", second: "first" };

/** Games won by whoever sits on each side now, over this match and those that it followed; null for a first match.
 * @param {string} id @param {string | null} previous @param {Side | null} winner */
export function seriesScore(id, previous, winner) {
  if (!previous) return null;
  const games = new Map(keptGames().map((game) => [game.id, game]));
  const score = { first: 0, second: 0 };
  if (winner) score[winner] += 1;
  let isSwapped = true; // sides change with every rematch
  for (let game = games.get(previous); game && game.id !== id; game = games.get(game.previous ?? "")) {
    const won = game.result?.winner;
    if (won) score[isSwapped ? OTHER[won] : won] += 1;
    isSwapped = !isSwapped;
  }
  return score;
}
