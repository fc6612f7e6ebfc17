// What may be done to a match that is played here: each function answers with the event that follows, or throws a
// refusal. The twin of connectk.play.ruling, under the same names as JavaScript writes them (take_back is takeBack);
// what needs a server is left out: joining, offers to another person, rooms, ending a match from outside. Both are held
// to tests/data/match_scenarios.json.
import { refusal } from "../texts/refused.js";
import { isOverdue, plyOf, resultOf, startPly, turnOf } from "./fold.js";

/** @import { Side } from "../shapes.js"
 *  @import { ThoughtView } from "../types.js"
 *  @import { Dropped, Ended, Match, Moved, RematchMade } from "./fold.js"
 *  @typedef {typeof REASONS[number]} Reason */

/** Everything that is refused here. */
export const REASONS = /** @type {const} */ ([
  "no_seat",
  "not_your_turn",
  "stale",
  "match_over",
  "match_open",
  "column_full",
  "column_out_of_range",
  "nothing_to_take_back",
  "nothing_to_redo",
  "declined",
  "no_offer",
]);

/** @type {Record<Side, Side>} */
const OTHER = { first: "second", second: "first" };

/** Only what is listed. @param {Reason} reason @param {Record<string, unknown>} [facts] */
const refused = (reason, facts) => refusal(reason, facts);

/** The side that drops: whoever holds both seats plays whoever's turn it is. @param {Match} match @param {Side[]} sides */
export function seatToPlay(match, sides) {
  requireSeat(sides);
  const turn = turnOf(match);
  return sides.includes(turn) ? turn : sides[0];
}

/** A disc, if the match is open, the moment is the one that was meant, the turn is right and the column has room. `now`
 * is when it was dropped: one that was dropped before the flag counts, however late it is judged.
 * @param {Match} match @param {Side} side @param {number} column @param {number} atPly @param {number} now
 * @param {ThoughtView} [thought] @param {number} [took] how long a computer player says it thought, which is what its clock is charged
 * @returns {Dropped} */
export function drop(match, side, column, atPly, now, thought, took) {
  requireRunning(match, now);
  if (atPly !== plyOf(match)) throw refused("stale");
  if (side !== turnOf(match)) throw refused("not_your_turn");
  requireRoom(match, column);
  return { event: "dropped", at: now, side, column, thought, took: match.clock ? took : undefined };
}

/** At once, as nobody else need be asked. @param {Match} match @param {Side[]} sides @param {number | null} toPly @param {number} now
 * @returns {Moved} */
export function takeBack(match, sides, toPly, now) {
  requireSeat(sides);
  requireInTime(match, now);
  if (match.next) throw refused("match_over");
  const target = toPly ?? ownLastTurn(match, sides);
  if (target < startPly(match) || target >= plyOf(match)) throw refused("nothing_to_take_back");
  return { event: "taken_back", at: now, to_ply: target };
}

/** The last ply before now at which the asker was to move. @param {Match} match @param {Side[]} sides */
const ownLastTurn = (match, sides) => plyOf(match) - (sides.length === 2 || !sides.includes(turnOf(match)) ? 1 : 2);

/** Play again what was taken back, as far as the asker's next turn. @param {Match} match @param {Side[]} sides @param {number | null} toPly
 * @param {number} now @returns {Moved} */
export function redo(match, sides, toPly, now) {
  requireSeat(sides);
  requireInTime(match, now);
  const ply = plyOf(match);
  const newest = ply + match.undone.length;
  const target = toPly ?? Math.min(ply + (sides.length === 2 ? 1 : 2), newest);
  if (target <= ply || target > newest) throw refused("nothing_to_redo");
  return { event: "redone", at: now, to_ply: target };
}

/** Whoever holds both seats agrees; a computer plays on. @param {Match} match @param {Side[]} sides @param {number} now @returns {Ended} */
export function offerDraw(match, sides, now) {
  requireSeat(sides);
  requireRunning(match, now);
  if (sides.length < 2) throw refused("declined");
  return { event: "ended", at: now, result: { winner: null, reason: "agreed" } };
}

/** Whoever holds both seats resigns for the side to move. @param {Match} match @param {Side[]} sides @param {number} now @returns {Ended} */
export function resign(match, sides, now) {
  requireSeat(sides);
  requireRunning(match, now);
  const loser = sides.length === 2 ? turnOf(match) : sides[0];
  return { event: "ended", at: now, result: { winner: OTHER[loser], reason: "resigned" } };
}

/** Null where it has begun already. @param {Match} match @param {Side[]} sides @param {string} made @param {number} now
 * @returns {RematchMade | null} */
export function rematch(match, sides, made, now) {
  requireSeat(sides);
  if (match.next) return null;
  if (!resultOf(match)) throw refused("match_open");
  return { event: "rematch_made", at: now, match: made };
}

/** Nobody here offers anything that another one could accept. @param {Match} _match @param {Side[]} sides @returns {never} */
export function accept(_match, sides) {
  requireSeat(sides);
  throw refused("no_offer");
}

export const decline = accept;

/** The side to move has run out of time. @param {Match} match @param {number} now @returns {Ended} */
export function callTime(match, now) {
  if (!isOverdue(match, now)) throw refused("match_open");
  return { event: "ended", at: now, result: { winner: OTHER[turnOf(match)], reason: "time" } };
}

/** A computer player failed, so the other side wins. @param {Match} match @param {Side} side @param {number} now @returns {Ended} */
export function forfeit(match, side, now) {
  requireRunning(match, now);
  return { event: "ended", at: now, result: { winner: OTHER[side], reason: "forfeit" } };
}

/** @param {Match} match @param {number} now */
function requireRunning(match, now) {
  requireInTime(match, now);
  if (resultOf(match)) throw refused("match_over");
}

/** A clock that has run out ends the match, also before anyone has called time. @param {Match} match @param {number} now */
function requireInTime(match, now) {
  if (match.ended || isOverdue(match, now)) throw refused("match_over");
}

/** @param {Side[]} sides */
function requireSeat(sides) {
  if (!sides.length) throw refused("no_seat");
}

/** In Python the rules of the game say so when the disc is played; here the core has said which columns are open.
 * @param {Match} match @param {number} column */
function requireRoom({ position, variant: { width } }, column) {
  if (position.legal_columns.includes(column)) return;
  const isThere = column >= 0 && column < width;
  throw refused(isThere ? "column_full" : "column_out_of_range", { column: column + 1, width });
}
