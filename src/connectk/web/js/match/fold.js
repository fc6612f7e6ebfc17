// A match that is played here, as it stands after each of its events, with its clock: values that never change. The
// twin of connectk.play.match; both are held to tests/data/match_scenarios.json.
import { parseStart } from "../board/start.js";

/** @import { Moment } from "../core/numbers.js"
 *  @import { Side } from "../shapes.js"
 *  @import { ClockOrder, ResultView, SeatsView, ThoughtView, VariantView } from "../types.js"
 *  @typedef {{ variant: VariantView, start: string, seats: SeatsView, clock: ClockOrder | null, previous: string | null }} Setup
 *  @typedef {Setup & { id: string, seq: number, moves: number[], undone: number[], sides: Side[], times: Record<Side, number>[],
 *    began: number, ended: ResultView | null, next: string | null, created: number, seed: [number, number] }} Kept as it is stored
 *  @typedef {Kept & { position: Moment & { board: string[] } }} Match with its board, as the core says
 *  @typedef {{ event: "dropped", at: number, side: Side, column: number, thought?: ThoughtView, took?: number }} Dropped
 *  @typedef {{ event: "taken_back" | "redone", at: number, to_ply: number }} Moved
 *  @typedef {{ event: "ended", at: number, result: ResultView }} Ended
 *  @typedef {{ event: "rematch_made", at: number, match: string }} RematchMade
 *  @typedef {Dropped | Moved | Ended | RematchMade} Event */

/** @type {Side[]} */
export const SIDES = ["first", "second"];

/** @param {string} id @param {Setup} setup @param {number} created @param {[number, number]} seed @returns {Kept} */
export const newMatch = (id, setup, created, seed) => ({
  ...setup,
  id,
  created,
  seed,
  seq: 0,
  moves: [],
  undone: [], // taken back, the newest last: what can be played again
  sides: SIDES.filter((side) => setup.seats[side].kind === "person"),
  times: setup.clock ? [{ first: setup.clock.seconds, second: setup.clock.seconds }] : [], // left at each ply
  began: created, // when the turn did
  ended: null,
  next: null,
});

/** How many discs lay there before the first drop. @param {Kept} match */
export const startPly = ({ start }) => parseStart(start).length;

/** @param {Kept} match */
export const plyOf = (match) => startPly(match) + match.moves.length;

/** Whose turn it is, or would be. @param {Kept} match */
export const turnOf = (match) => SIDES[plyOf(match) % 2];

/** @param {Match} match */
export const resultOf = (match) => match.ended ?? match.position.result;

/** When the side to move runs out of time; a computer player never does. @param {Match} match */
export function deadlineOf(match) {
  const side = turnOf(match);
  const left = match.times.at(-1);
  return !left || resultOf(match) || match.seats[side].player ? null : match.began + left[side];
}

/** @param {Match} match @param {number} now */
export function isOverdue(match, now) {
  const deadline = deadlineOf(match);
  return deadline !== null && now >= deadline;
}

/** The match once this has happened, but for its board. @param {Match} match @param {Event} event @returns {Kept} */
export function after(match, event) {
  const { position: _, ...kept } = match;
  return { ...kept, ...changes(kept, event), seq: match.seq + 1 };
}

/** @param {Kept} match @param {Event} event @returns {Partial<Kept>} */
function changes(match, event) {
  switch (event.event) {
    case "dropped":
      return withDrop(match, event.column, event.at, event.took);
    case "taken_back":
      return takenBack(match, event);
    case "redone":
      return redone(match, event);
    case "ended":
      return { ended: event.result, times: stopped(match, event.at), began: event.at };
    case "rematch_made":
      return { next: event.match };
  }
}

/** Who does not say what it took is charged since the turn began. Whoever plays again what was taken back may go on doing
 * so; another move ends that. @param {Kept} match @param {number} column @param {number} at @param {number} [took] */
function withDrop(match, column, at, took = Math.max(0, at - match.began)) {
  const times = [...match.times, ...spent(match, took, match.clock?.increment)];
  const undone = match.undone.at(-1) === column ? match.undone.slice(0, -1) : [];
  return { ...match, moves: [...match.moves, column], undone, times, began: at };
}

/** The moves and the clock are as they were; the turn begins again. @param {Kept} match @param {Moved} event */
function takenBack(match, { to_ply, at }) {
  const kept = to_ply - startPly(match);
  return {
    moves: match.moves.slice(0, kept),
    undone: [...match.undone, ...match.moves.slice(kept).toReversed()],
    times: match.times.slice(0, kept + 1),
    began: at,
  };
}

/** @param {Kept} match @param {Moved} event */
function redone(match, { to_ply, at }) {
  let next = match;
  while (plyOf(next) < to_ply) next = withDrop(next, next.undone[next.undone.length - 1], at);
  return next;
}

/** The clock stops where it was. @param {Kept} match @param {number} at */
const stopped = (match, at) => [...match.times.slice(0, -1), ...spent(match, Math.max(0, at - match.began))];

/** What each side has left after a turn; nothing where there is no clock. @param {Kept} match @param {number} seconds */
function spent(match, seconds, increment = 0) {
  const side = turnOf(match);
  return match.times.slice(-1).map((left) => ({ ...left, [side]: left[side] - seconds + increment }));
}
