// What this device has practised: a rating of one's own (Glicko-2), what was tried, and the mistakes that come back. The same
// as connectk.puzzles.practice and .rating keep for the terminal; tests hold the two to each other.
import {
  CENTRE,
  VOLATILITY_TOLERANCE,
  NEW_DEVIATION,
  NEW_RATING,
  NEW_VOLATILITY,
  PUZZLE_DEVIATION,
  REPEAT_INTERVAL_DAYS,
  SCALE,
  TAU,
} from "../common/constants.js";
import { remember, remembered } from "../common/memory.js";

/** @import { Puzzle } from "./puzzledata.js"
 *  @typedef {{ rating: number, deviation: number, volatility: number }} Rating
 *  @typedef {{ rating: [number, number, number], tried: Record<string, boolean>, due: Record<string, [string, number]>, lessons: Record<string, number> }} Kept */

/** @returns {Kept} */
const fresh = () => ({ rating: [NEW_RATING, NEW_DEVIATION, NEW_VOLATILITY], tried: {}, due: {}, lessons: {} });

export class Practice {
  constructor() {
    /** @type {Kept} */
    this.kept = { ...fresh(), ...remembered("practice", {}) };
  }

  get rating() {
    return Math.round(this.kept.rating[0]);
  }

  get count() {
    return Object.keys(this.kept.tried).length;
  }

  get right() {
    return Object.values(this.kept.tried).filter(Boolean).length;
  }

  /** The first answer to a puzzle that was shown. @param {Puzzle} puzzle @param {boolean} right @param {string} today */
  note(puzzle, right, today) {
    const { tried } = this.kept;
    if (!(puzzle.key in tried)) {
      tried[puzzle.key] = right;
      const [rating, deviation, volatility] = this.kept.rating;
      const after = rate({ rating, deviation, volatility }, [
        { rating: puzzle.rating, deviation: PUZZLE_DEVIATION, score: Number(right) },
      ]);
      this.kept.rating = [after.rating, after.deviation, after.volatility];
    }
    this.#rest(puzzle.key, right, today);
    this.#save();
  }

  /** @param {string} key @param {boolean} right @param {string} today */
  #rest(key, right, today) {
    const before = this.kept.due[key];
    delete this.kept.due[key];
    const rests = !right ? 0 : before ? before[1] + 1 : REPEAT_INTERVAL_DAYS.length;
    if (rests < REPEAT_INTERVAL_DAYS.length) this.kept.due[key] = [later(today, REPEAT_INTERVAL_DAYS[rests]), rests];
  }

  /** A mistake whose day has come, else the untried one nearest to one's own rating. @param {Puzzle[]} puzzles @param {string} today */
  next(puzzles, today) {
    const { due, tried, rating } = this.kept;
    const back = puzzles.filter(({ key }) => due[key] && due[key][0] <= today);
    if (back.length) return least(back, ({ key }) => Date.parse(due[key][0]));
    return least(
      puzzles.filter(({ key }) => !(key in tried)),
      (puzzle) => Math.abs(puzzle.rating - rating[0]),
    );
  }

  /** @param {string} lesson @param {number} cards */
  learned(lesson, cards) {
    this.kept.lessons[lesson] = Math.max(this.kept.lessons[lesson] ?? 0, cards);
    this.#save();
  }

  #save() {
    remember("practice", this.kept);
  }
}

/** The first of the least. @template T @param {T[]} items @param {(item: T) => number} of @returns {T | null} */
function least(items, of) {
  return items.reduce(
    (/** @type {T | null} */ best, item) => (best === null || of(item) < of(best) ? item : best),
    null,
  );
}

/** @param {Date} when a day as 2026-11-16, by the clock on the wall */
export const dayOf = (when) =>
  `${when.getFullYear()}-${String(when.getMonth() + 1).padStart(2, "0")}-${String(when.getDate()).padStart(2, "0")}`;

/** @param {string} day @param {number} days */
const later = (day, days) => new Date(Date.parse(day) + 86_400_000 * days).toISOString().slice(0, 10);

/** Step by step as in Glickman's paper. @param {Rating} before @param {(Omit<Rating, "volatility"> & { score: number })[]} games @returns {Rating} */
export function rate(before, games, tau = TAU) {
  const [mu, phi] = [(before.rating - CENTRE) / SCALE, before.deviation / SCALE];
  const played = games.map(({ rating, deviation, score }) => {
    const g = 1 / Math.sqrt(1 + (3 * (deviation / SCALE) ** 2) / Math.PI ** 2);
    const expected = 1 / (1 + Math.exp(-g * (mu - (rating - CENTRE) / SCALE)));
    return { information: g ** 2 * expected * (1 - expected), surprise: g * (score - expected) };
  });
  const variance = 1 / played.reduce((sum, { information }) => sum + information, 0);
  const surprise = played.reduce((sum, game) => sum + game.surprise, 0);
  const volatility = newVolatility(before.volatility, phi ** 2, variance, (variance * surprise) ** 2, tau);
  const spread = 1 / Math.sqrt(1 / (phi ** 2 + volatility ** 2) + 1 / variance);
  return { rating: CENTRE + SCALE * (mu + spread ** 2 * surprise), deviation: SCALE * spread, volatility };
}

/** @param {number} before @param {number} phi2 @param {number} variance @param {number} delta2 @param {number} tau */
function newVolatility(before, phi2, variance, delta2, tau) {
  const start = Math.log(before ** 2);
  /** @param {number} x */
  const f = (x) => {
    const whole = phi2 + variance + Math.exp(x);
    return (Math.exp(x) * (delta2 - whole)) / (2 * whole ** 2) - (x - start) / tau ** 2;
  };
  let [low, high] = [start, otherEnd(f, start, delta2 - phi2 - variance, tau)];
  let [fLow, fHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > VOLATILITY_TOLERANCE) {
    const middle = low + ((low - high) * fLow) / (fHigh - fLow);
    const fMiddle = f(middle);
    if (fMiddle * fHigh <= 0) [low, fLow] = [high, fHigh];
    else fLow /= 2;
    [high, fHigh] = [middle, fMiddle];
  }
  return Math.exp(low / 2);
}

/** @param {(x: number) => number} f @param {number} start @param {number} excess @param {number} tau */
function otherEnd(f, start, excess, tau) {
  if (excess > 0) return Math.log(excess);
  let steps = 1;
  while (f(start - steps * tau) < 0) steps += 1;
  return start - steps * tau;
}
