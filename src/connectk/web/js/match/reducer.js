// The reducer of a match that is played in this browser: it returns the next state after an event as a new object. It is
// the counterpart of connectk.play.match; tests/data/match_scenarios.json tests both.
import { parseStart, SIDES } from "../board/start-position.js";
import { ADDED_DISCS } from "../common/constants.js";

/** @import { Moment } from "../core/numbers.js"
 *  @import { Side } from "../page-types.js"
 *  @import { ClockInput, MatchView, ResultView, SeatsView, ThoughtView, VariantView } from "../types.js"
 *  @typedef {{ variant: VariantView, start: string, seats: SeatsView, clock: ClockInput | null, swap: boolean, swap_discs?: number, previous: string | null }} MatchSettings
 *  @typedef {MatchSettings & { id: string, seq: number, moves: number[], undone: number[], sides: Side[], times: Record<Side, number>[],
 *    began: number, ended: ResultView | null, next: string | null, created: number, seed: [number, number], swapped: boolean, extended?: boolean }} StoredMatch as localStorage has it
 *  @typedef {StoredMatch & { position: Moment & { board: string[] } }} MatchWithBoard with the board that the core computed
 *  @typedef {{ event: "dropped", at: number, side: Side, column: number, thought?: ThoughtView, took?: number }} Dropped
 *  @typedef {{ event: "swapped" | "extended", at: number, side: Side }} Swapped
 *  @typedef {{ event: "taken_back" | "redone", at: number, to_ply: number }} PlyChanged
 *  @typedef {{ event: "ended", at: number, result: ResultView }} Ended
 *  @typedef {{ event: "rematch_made", at: number, match: string, start?: string }} RematchMade
 *  @typedef {Dropped | Swapped | PlyChanged | Ended | RematchMade} Event */

/** @param {string} id @param {MatchSettings} setup @param {number} created @param {[number, number]} seed @returns {StoredMatch} */
export const newMatch = (id, setup, created, seed) => ({
  ...setup,
  id,
  created,
  seed,
  seq: 0,
  moves: [],
  undone: [], // moves that were taken back and can be redone; the next move to redo is last
  sides: sidesHere(setup.seats),
  swapped: false, // whether the second player took over the first player's side
  extended: false, // whether two more discs are placed before the choice of a side
  times: setup.clock ? [{ first: setup.clock.seconds, second: setup.clock.seconds }] : [], // the seconds left at each ply
  began: created, // when the current turn began
  ended: null,
  next: null,
});

/** The sides that people play, and not a computer player. @param {SeatsView} seats */
const sidesHere = (seats) => SIDES.filter((side) => seats[side].kind === "person");

/** The number of discs before the first drop. @param {StoredMatch} match */
export const startPly = ({ start }) => parseStart(start).length;

/** @param {StoredMatch} match */
export const plyOf = (match) => startPly(match) + match.moves.length;

/** The side that has the next disc, also of a match that is over. @param {StoredMatch} match */
export const sideToMove = (match) => SIDES[plyOf(match) % 2];

/** The side whose player drops the next disc. Before the choice of a side the first player places the discs of
 * both. @param {StoredMatch} match */
export const turnOf = (match) => turnAt(match, plyOf(match));

/** @param {StoredMatch} match @param {number} ply */
export const turnAt = (match, ply) => (match.swap && ply < choicePly(match) ? "first" : SIDES[ply % 2]);

/** How many discs are on the board when the second player first chooses a side. The second side is to move
 * then. @param {StoredMatch} match */
const swapPly = (match) => startPly(match) + (match.swap_discs ?? 1) - (startPly(match) % 2);

/** How many discs are on the board when a side is chosen, for the second time if two more discs are placed.
 * @param {StoredMatch} match */
const choicePly = (match) => swapPly(match) + (match.extended ? ADDED_DISCS : 0);

/** Whether the side to move may swap sides instead of dropping a disc. @param {MatchWithBoard} match */
export const canSwap = (match) =>
  Boolean(match.swap) && !match.swapped && !resultOf(match) && plyOf(match) === choicePly(match);

/** Whether the side to move may place two more discs and give the choice of a side back. @param {MatchWithBoard} match */
export const canExtend = (match) => canSwap(match) && (match.swap_discs ?? 1) > 1 && !match.extended;

/** Whether the next disc is dropped before a side is chosen, so that either player may get it. @param {StoredMatch} match */
export const isPlacing = (match) => Boolean(match.swap) && plyOf(match) < choicePly(match);

/** The ply to which moves can be taken back. An exchange of seats is final. @param {StoredMatch} match */
export function firstPlyToKeep(match) {
  if (match.swapped) return choicePly(match);
  return match.extended ? swapPly(match) : startPly(match);
}

/** The same for a match as the server shows it. @param {Pick<MatchView, "swap_discs" | "swapped" | "extended">} view @param {number} first the ply of the start */
export function firstPlyToKeepOf({ swap_discs: discs, swapped, extended }, first) {
  const chosenAt = first + discs - (first % 2);
  if (swapped) return chosenAt + (extended ? ADDED_DISCS : 0);
  return extended ? chosenAt : first;
}

/** @param {MatchWithBoard} match */
export const resultOf = (match) => match.ended ?? match.position.result;

/** Whether the clock of the side to move runs. It does not run before the first drop. @param {MatchWithBoard} match */
export const clockRuns = (match) => match.times.length > 0 && match.moves.length > 0 && !resultOf(match);

/** The time at which the clock of the side to move runs out; null for a computer player, which always has time.
 * @param {MatchWithBoard} match */
export function deadlineOf(match) {
  const side = turnOf(match);
  const left = match.times.at(-1);
  return !left || !clockRuns(match) || match.seats[side].player ? null : match.began + left[side];
}

/** @param {MatchWithBoard} match @param {number} now */
export function isOverdue(match, now) {
  const deadline = deadlineOf(match);
  return deadline !== null && now >= deadline;
}

/** The match after an event, without its board. @param {MatchWithBoard} match @param {Event} event @returns {StoredMatch} */
export function applyEvent(match, event) {
  const { position: _, ...kept } = match;
  return { ...kept, ...changesBy(kept, event), seq: match.seq + 1 };
}

/** @param {StoredMatch} match @param {Event} event @returns {Partial<StoredMatch>} */
function changesBy(match, event) {
  switch (event.event) {
    case "dropped":
      return applyDrop(match, event.column, event.at, event.took);
    case "swapped":
      return { ...withSeatsExchanged(match, event.at), swapped: true };
    case "extended":
      return { ...withSeatsExchanged(match, event.at), extended: true };
    case "taken_back":
      return applyTakeBack(match, event);
    case "redone":
      return applyRedo(match, event);
    case "ended":
      return { ended: event.result, times: stoppedClock(match, event.at), began: event.at };
    case "rematch_made":
      return { next: event.match };
  }
}

/** Charges the given seconds, or else the time since the turn began; the first drop costs nothing. A drop that repeats the next undone move keeps the
 * other undone moves; any other drop clears them. @param {StoredMatch} match @param {number} column @param {number} at @param {number} [took] */
function applyDrop(match, column, at, took = Math.max(0, at - match.began)) {
  const charged = match.moves.length ? took : 0;
  const times = [...match.times, ...chargedTimes(match, charged, match.clock?.increment)];
  const undone = match.undone.at(-1) === column ? match.undone.slice(0, -1) : [];
  return { ...match, moves: [...match.moves, column], undone, times, began: at };
}

/** Exchanges the seats and the clocks. The time since the turn began is taken off the clock of the player who
 * asked for it. @param {StoredMatch} match @param {number} at */
function withSeatsExchanged(match, at) {
  const { first, second } = match.seats;
  const seats = { first: second, second: first };
  const times = stoppedClock(match, at);
  const exchanged = times.slice(-1).map((left) => ({ first: left.second, second: left.first }));
  return { seats, sides: sidesHere(seats), times: [...times.slice(0, -1), ...exchanged], began: at, undone: [] };
}

/** Restores the moves and the clock of an earlier ply; the turn begins anew. @param {StoredMatch} match @param {PlyChanged} event */
function applyTakeBack(match, { to_ply, at }) {
  const kept = to_ply - startPly(match);
  return {
    moves: match.moves.slice(0, kept),
    undone: [...match.undone, ...match.moves.slice(kept).toReversed()],
    times: match.times.slice(0, kept + 1),
    began: at,
  };
}

/** @param {StoredMatch} match @param {PlyChanged} event */
function applyRedo(match, { to_ply, at }) {
  let next = match;
  while (plyOf(next) < to_ply) next = applyDrop(next, next.undone[next.undone.length - 1], at);
  return next;
}

/** Charges the time of the running turn when the match ends. @param {StoredMatch} match @param {number} at */
const stoppedClock = (match, at) => [
  ...match.times.slice(0, -1),
  ...chargedTimes(match, match.moves.length ? Math.max(0, at - match.began) : 0),
];

/** The seconds left after the turn, as a list of one; empty without a clock. @param {StoredMatch} match @param {number} seconds */
function chargedTimes(match, seconds, increment = 0) {
  const side = turnOf(match);
  return match.times.slice(-1).map((left) => ({ ...left, [side]: left[side] - seconds + increment }));
}
