// The list of games on this device: the games in progress and the latest finished games.
import { otherSide } from "../board/start-position.js";
import { writeStorage, readStorage } from "../common/storage.js";

const MAX_FINISHED_GAMES = 50;
const MAX_OPEN_GAMES = 200;

/** @import { Side } from "../page-types.js"
 *  @import { ResultView } from "../types.js"
 *  @typedef {{ id: string, seq: number, secret: string | null, invitation: string | null, variant: string, start: string, moves: string, ply: number,
 *    names: Record<Side, string>, sides: Side[], previous: string | null, touched: number, helped?: boolean,
 *    result: ResultView | null }} SavedGame */

/** @returns {SavedGame[]} newest first */
export function savedGames() {
  const games = readStorage("games", /** @type {SavedGame[]} */ ([]));
  return Array.isArray(games) ? games : [];
}

/** @param {string} id @returns {SavedGame | undefined} */
export function savedGame(id) {
  return savedGames().find((game) => game.id === id);
}

/** @param {SavedGame} game */
export function saveGame(game) {
  const others = savedGames().filter(({ id }) => id !== game.id);
  const all = [game, ...others].toSorted((one, other) => other.touched - one.touched);
  const open = all.filter(({ result }) => !result).slice(0, MAX_OPEN_GAMES);
  const finished = all.filter(({ result }) => result).slice(0, MAX_FINISHED_GAMES);
  writeStorage(
    "games",
    [...open, ...finished].toSorted((one, other) => other.touched - one.touched),
  );
}

/** @param {string} id */
export function deleteGame(id) {
  writeStorage(
    "games",
    savedGames().filter((game) => game.id !== id),
  );
}

/** The games won by each side's player over a series of rematches; null for a first match.
 * @param {string} id @param {string | null} previous @param {Side | null} winner */
export function seriesScore(id, previous, winner) {
  if (!previous) return null;
  const games = new Map(savedGames().map((game) => [game.id, game]));
  const score = { first: 0, second: 0 };
  if (winner) score[winner] += 1;
  let isSwapped = true; // sides change with every rematch
  for (let game = games.get(previous); game && game.id !== id; game = games.get(game.previous ?? "")) {
    const won = game.result?.winner;
    if (won) score[isSwapped ? otherSide(won) : won] += 1;
    isSwapped = !isSwapped;
  }
  return score;
}
