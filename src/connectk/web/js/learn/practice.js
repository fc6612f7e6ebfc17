// The practice record of this device: a Glicko-2 rating, the tried puzzles, and mistakes to repeat. The counterpart of
// connectk.puzzles.practice and .rating; tests compare the two.
import {
  BASE_PUZZLE_RATING,
  BEGINNER_RATING,
  GLICKO_CENTRE,
  LEVEL_DEVIATION,
  LEVEL_RATINGS,
  VOLATILITY_TOLERANCE,
  NEW_DEVIATION,
  NEW_RATING,
  NEW_VOLATILITY,
  PLACEMENT_PUZZLES,
  PUZZLE_DEVIATION,
  REPEAT_INTERVAL_DAYS,
  GLICKO_SCALE,
  GLICKO_TAU,
} from "../common/constants.js";
import { writeStorage, readStorage } from "../common/storage.js";

export { dayOf } from "./puzzle-files.js";

/** @import { Puzzle } from "./puzzle-files.js"
 *  @typedef {{ rating: number, deviation: number, volatility: number }} Rating
 *  @typedef {{ rating: [number, number, number], tried: Record<string, boolean>, due: Record<string, [string, number]>, lessons: Record<string, number>, own: Record<string, OwnMistake>, streak: [string, number] | null }} PracticeRecord
 *  @typedef {{ variant: string, start: string, answers: number[], label: string }} OwnMistake */

/** @returns {PracticeRecord} */
const emptyRecord = () => ({
  rating: [BEGINNER_RATING, NEW_DEVIATION, NEW_VOLATILITY],
  tried: {},
  due: {},
  lessons: {},
  own: {},
  streak: null,
});

export class Practice {
  constructor() {
    /** @type {PracticeRecord} */
    this.record = { ...emptyRecord(), ...readStorage("practice", {}) };
  }

  get rating() {
    return Math.round(this.record.rating[0]);
  }

  get triedCount() {
    return Object.keys(this.record.tried).length;
  }

  get correctCount() {
    return Object.values(this.record.tried).filter(Boolean).length;
  }

  /** How many more answers are needed to place a beginner. */
  get placementLeft() {
    return Math.max(0, PLACEMENT_PUZZLES - this.triedCount);
  }

  /** Records the first answer to a puzzle that was shown; `score` is the result for the rating.
   * @param {Puzzle} puzzle @param {boolean} isCorrect @param {string} today */
  recordAnswer(puzzle, isCorrect, today, score = Number(isCorrect)) {
    const { tried, due, own } = this.record;
    if (!puzzle.label && !(puzzle.key in tried)) {
      tried[puzzle.key] = isCorrect;
      const [rating, deviation, volatility] = this.record.rating;
      const after = updateRating({ rating, deviation, volatility }, [
        { rating: puzzle.rating, deviation: PUZZLE_DEVIATION, score },
      ]);
      this.record.rating = [after.rating, after.deviation, after.volatility];
    }
    if (isCorrect) this.#continueStreak(today);
    this.#scheduleRepeat(puzzle.key, isCorrect, today);
    if (!(puzzle.key in due)) delete own[puzzle.key];
    this.#save();
  }

  /** Adds a mistake that the person has made in a game, to be practised from today on.
   * @param {OwnMistake} mistake @param {string} today */
  addOwn(mistake, today) {
    const key = `${mistake.variant}:${mistake.start}`;
    this.record.own[key] = mistake;
    this.record.due[key] = [today, -1];
    this.#save();
  }

  /** Counts today among the days in a row on which a puzzle was solved at the first attempt. @param {string} today */
  #continueStreak(today) {
    const { streak } = this.record;
    if (streak?.[0] === today) return;
    const days = streak && addDays(streak[0], 1) === today ? streak[1] : 0;
    this.record.streak = [today, days + 1];
  }

  /** The length of the streak in days. It ends today, or yesterday if today's puzzle is still to be solved. @param {string} today */
  streakDays(today) {
    const { streak } = this.record;
    return streak && [today, addDays(today, -1)].includes(streak[0]) ? streak[1] : 0;
  }

  /** @param {string} key @param {boolean} isCorrect @param {string} today */
  #scheduleRepeat(key, isCorrect, today) {
    const before = this.record.due[key];
    delete this.record.due[key];
    const rests = !isCorrect ? 0 : before ? before[1] + 1 : REPEAT_INTERVAL_DAYS.length;
    if (rests < REPEAT_INTERVAL_DAYS.length)
      this.record.due[key] = [addDays(today, REPEAT_INTERVAL_DAYS[rests]), rests];
  }

  /** The next puzzle: a mistake that is due, or else the untried puzzle nearest to the rating. @param {Puzzle[]} puzzles @param {string} today */
  nextPuzzle(puzzles, today) {
    const { due, tried, rating } = this.record;
    const back = [...Object.values(this.record.own).map(ownPuzzle), ...puzzles].filter(
      ({ key }) => due[key] && due[key][0] <= today,
    );
    if (back.length) return minBy(back, ({ key }) => Date.parse(due[key][0]));
    return minBy(
      puzzles.filter(({ key }) => !(key in tried)),
      (puzzle) => Math.abs(puzzle.rating - rating[0]),
    );
  }

  /** @param {string} lesson @param {number} cards */
  recordLesson(lesson, cards) {
    this.record.lessons[lesson] = Math.max(this.record.lessons[lesson] ?? 0, cards);
    this.#save();
  }

  #save() {
    writeStorage("practice", this.record);
  }
}

/** A rating after a game against one of the ten opponents, whose ratings stay as they are.
 * @param {[number, number, number] | null} before @param {number} level @param {number} score @returns {[number, number, number]} */
export function rateGame(before, level, score) {
  const [rating, deviation, volatility] = before ?? [NEW_RATING, NEW_DEVIATION, NEW_VOLATILITY];
  const opponent = { rating: LEVEL_RATINGS[level - 1], deviation: LEVEL_DEVIATION, score };
  const after = updateRating({ rating, deviation, volatility }, [opponent]);
  return [after.rating, after.deviation, after.volatility];
}

/** @param {OwnMistake} mistake @returns {Puzzle} */
const ownPuzzle = ({ variant, start, answers: [answer, ...others], label }) => ({
  key: `${variant}:${start}`,
  variant,
  start,
  answer,
  others,
  label,
  aim: "better",
  theme: "",
  rating: BASE_PUZZLE_RATING,
  difficulty: 1,
});

/** The first item with the smallest value. @template T @param {T[]} items @param {(item: T) => number} of @returns {T | null} */
function minBy(items, of) {
  return items.reduce(
    (/** @type {T | null} */ best, item) => (best === null || of(item) < of(best) ? item : best),
    null,
  );
}

/** @param {string} day @param {number} days */
const addDays = (day, days) => new Date(Date.parse(day) + 86_400_000 * days).toISOString().slice(0, 10);

/** The Glicko-2 update, with the steps of Glickman's paper. @param {Rating} before @param {(Omit<Rating, "volatility"> & { score: number })[]} games @returns {Rating} */
export function updateRating(before, games, tau = GLICKO_TAU) {
  const [mu, phi] = [(before.rating - GLICKO_CENTRE) / GLICKO_SCALE, before.deviation / GLICKO_SCALE];
  const played = games.map(({ rating, deviation, score }) => {
    const g = 1 / Math.sqrt(1 + (3 * (deviation / GLICKO_SCALE) ** 2) / Math.PI ** 2);
    const expected = 1 / (1 + Math.exp(-g * (mu - (rating - GLICKO_CENTRE) / GLICKO_SCALE)));
    return { information: g ** 2 * expected * (1 - expected), surprise: g * (score - expected) };
  });
  const variance = 1 / played.reduce((sum, { information }) => sum + information, 0);
  const surprise = played.reduce((sum, game) => sum + game.surprise, 0);
  const volatility = newVolatility(before.volatility, phi ** 2, variance, (variance * surprise) ** 2, tau);
  const spread = 1 / Math.sqrt(1 / (phi ** 2 + volatility ** 2) + 1 / variance);
  return {
    rating: GLICKO_CENTRE + GLICKO_SCALE * (mu + spread ** 2 * surprise),
    deviation: GLICKO_SCALE * spread,
    volatility,
  };
}

/** @param {number} before @param {number} phi2 @param {number} variance @param {number} delta2 @param {number} tau */
function newVolatility(before, phi2, variance, delta2, tau) {
  const start = Math.log(before ** 2);
  /** @param {number} x */
  const f = (x) => {
    const whole = phi2 + variance + Math.exp(x);
    return (Math.exp(x) * (delta2 - whole)) / (2 * whole ** 2) - (x - start) / tau ** 2;
  };
  let [low, high] = [start, upperBracket(f, start, delta2 - phi2 - variance, tau)];
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
function upperBracket(f, start, excess, tau) {
  if (excess > 0) return Math.log(excess);
  let steps = 1;
  while (f(start - steps * tau) < 0) steps += 1;
  return start - steps * tau;
}
