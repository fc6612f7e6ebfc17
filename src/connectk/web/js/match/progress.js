// What this device remembers of games against the ten opponents: who was beaten, games won, drawn and lost, and a rating.
import { readStorage, writeStorage } from "../common/storage.js";
import { LEVELS } from "../texts/levels.js";

const MAX_COUNTED_GAMES = 200; // how many games are remembered, so that a game is counted once even if its end is seen again

/** @typedef {{ beaten: number[], wins: number, draws: number, losses: number, counted: string[], rating: [number, number, number] | null, rated: number }} Progress */

/** @returns {Progress} */
export function readProgress() {
  const none = { beaten: [], wins: 0, draws: 0, losses: 0, counted: [], rating: null, rated: 0 };
  return { ...none, ...readStorage("progress", {}) };
}

/** The next opponent who is not beaten yet, above a level if there is such an opponent; the last opponent once all are beaten.
 * @param {Progress} progress @param {number} above */
export function nextLevel({ beaten }, above = 0) {
  const open = LEVELS.filter((level) => !beaten.includes(level));
  return open.find((level) => level > above) ?? open[0] ?? LEVELS.length;
}

/** Remembers how a game ended. A game counts once: if its last move is taken back and it ends again, only a win is
 * noted, so that the opponent counts as beaten. A game with help, or on another board than the classic one, is not
 * rated.
 * @param {{ id: string, level: number, score: 0 | 0.5 | 1, isRated: boolean }} game */
export async function recordGame({ id, level, score, isRated }) {
  const before = readProgress();
  const isCounted = before.counted.includes(id);
  const progress = { ...before, ...(isCounted ? {} : counts(before, score)) };
  progress.counted = [...before.counted.filter((one) => one !== id), id].slice(-MAX_COUNTED_GAMES);
  if (score === 1) progress.beaten = [...new Set([...before.beaten, level])].toSorted((one, other) => one - other);
  writeStorage("progress", progress); // stored before the rating is loaded, as the window may be closed meanwhile
  const chosen = readStorage("home", /** @type {{ level?: number }} */ ({}));
  if (score === 1 && (chosen.level ?? level) === level)
    writeStorage("home", { ...chosen, level: nextLevel(progress, level) });
  if (!isRated || isCounted) return;
  const { rateGame } = await import("../learn/practice.js");
  const rating = rateGame(progress.rating, level, score);
  writeStorage("progress", { ...readProgress(), rating, rated: progress.rated + 1 });
}

/** @param {Progress} progress @param {0 | 0.5 | 1} score */
const counts = ({ wins, draws, losses }, score) => ({
  wins: wins + Number(score === 1),
  draws: draws + Number(score === 0.5),
  losses: losses + Number(score === 0),
});
