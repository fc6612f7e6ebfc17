// The rules of a match without a server: each function returns the event that follows from an action, or throws a
// refusal. It is the counterpart of connectk.play.ruling with the same names (take_back is takeBack), without the parts that
// need a server: joining, offers to another person, rooms, ending a match from outside. tests/data/match_scenarios.json
// tests both.
import { otherSide } from "../board/start-position.js";
import { refusal } from "../texts/refusals.js";
import {
  canExtend,
  canSwap,
  firstPlyToKeep,
  isOverdue,
  plyOf,
  resultOf,
  sideToMove,
  turnAt,
  turnOf,
} from "./reducer.js";

/** @import { Side } from "../page-types.js"
 *  @import { ThoughtView } from "../types.js"
 *  @import { Dropped, Ended, MatchWithBoard, PlyChanged, RematchMade, Swapped } from "./reducer.js"
 *  @typedef {typeof REFUSAL_REASONS[number]} Reason */

/** Every reason for a refusal. */
export const REFUSAL_REASONS = /** @type {const} */ ([
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
  "no_swap",
]);

/** Makes a refusal; the type allows only listed reasons. @param {Reason} reason @param {Record<string, unknown>} [facts] */
const refused = (reason, facts) => refusal(reason, facts);

/** The side for which this page drops. If both seats belong to it, that is the side to move.
 * @param {MatchWithBoard} match @param {Side[]} sides */
export function seatToPlay(match, sides) {
  requireSeat(sides);
  const turn = turnOf(match);
  return sides.includes(turn) ? turn : sides[0];
}

/** Drops a disc. Requires a running match, the expected ply, the right turn and an open column. `now` is when the disc was
 * dropped: a disc that was dropped in time counts, however late the drop is handled.
 * @param {MatchWithBoard} match @param {Side} side @param {number} column @param {number} atPly @param {number} now
 * @param {ThoughtView} [thought] @param {number} [took] the seconds to charge a computer player
 * @returns {Dropped} */
export function drop(match, side, column, atPly, now, thought, took) {
  requireRunning(match, now);
  if (atPly !== plyOf(match)) throw refused("stale");
  if (side !== turnOf(match)) throw refused("not_your_turn");
  requireRoom(match, column);
  return { event: "dropped", at: now, side: sideToMove(match), column, thought, took: match.clock ? took : undefined };
}

/** Swaps sides. Refused if the match has no swap rule, or if this is not the turn at which a swap is allowed.
 * @param {MatchWithBoard} match @param {Side[]} sides @param {number} now @returns {Swapped} */
export function swap(match, sides, now) {
  const side = seatToPlay(match, sides);
  requireRunning(match, now);
  if (!canSwap(match)) throw refused("no_swap");
  if (side !== turnOf(match)) throw refused("not_your_turn");
  return { event: "swapped", at: now, side };
}

/** Places two more discs instead of choosing a side, and gives the choice back. Refused if the match has no three-disc
 * start, or if this is not the turn at which it is allowed.
 * @param {MatchWithBoard} match @param {Side[]} sides @param {number} now @returns {Swapped} */
export function extend(match, sides, now) {
  const side = seatToPlay(match, sides);
  requireRunning(match, now);
  if (!canExtend(match)) throw refused("no_swap");
  if (side !== turnOf(match)) throw refused("not_your_turn");
  return { event: "extended", at: now, side };
}

/** Takes moves back at once, as there is no other person to ask. @param {MatchWithBoard} match @param {Side[]} sides @param {number | null} toPly @param {number} now
 * @returns {PlyChanged} */
export function takeBack(match, sides, toPly, now) {
  requireSeat(sides);
  requireInTime(match, now);
  if (match.next) throw refused("match_over");
  const target = toPly ?? ownLastTurn(match, sides);
  if (target < firstPlyToKeep(match) || target >= plyOf(match)) throw refused("nothing_to_take_back");
  return { event: "taken_back", at: now, to_ply: target };
}

/** The last earlier ply at which one of these sides was to move; -1 if there was none. @param {MatchWithBoard} match @param {Side[]} sides */
function ownLastTurn(match, sides) {
  for (let ply = plyOf(match) - 1; ply >= firstPlyToKeep(match); ply -= 1)
    if (sides.includes(turnAt(match, ply))) return ply;
  return -1;
}

/** Redoes moves up to the requesting side's next turn. @param {MatchWithBoard} match @param {Side[]} sides @param {number | null} toPly
 * @param {number} now @returns {PlyChanged} */
export function redo(match, sides, toPly, now) {
  requireSeat(sides);
  requireInTime(match, now);
  const ply = plyOf(match);
  const newest = ply + match.undone.length;
  let target = toPly ?? ply + 1;
  if (toPly === null) while (target < newest && !sides.includes(turnAt(match, target))) target += 1;
  if (target <= ply || target > newest) throw refused("nothing_to_redo");
  return { event: "redone", at: now, to_ply: target };
}

/** Offers a draw: it is accepted if both seats are held here; a computer declines. @param {MatchWithBoard} match @param {Side[]} sides @param {number} now @returns {Ended} */
export function offerDraw(match, sides, now) {
  requireSeat(sides);
  requireRunning(match, now);
  if (sides.length < 2) throw refused("declined");
  return { event: "ended", at: now, result: { winner: null, reason: "agreed" } };
}

/** Resigns; if one player holds both seats, the side to move resigns. @param {MatchWithBoard} match @param {Side[]} sides @param {number} now @returns {Ended} */
export function resign(match, sides, now) {
  requireSeat(sides);
  requireRunning(match, now);
  const loser = sides.length === 2 ? turnOf(match) : sides[0];
  return { event: "ended", at: now, result: { winner: otherSide(loser), reason: "resigned" } };
}

/** Starts a rematch, from a fair start if one is given; null if the rematch exists already.
 * @param {MatchWithBoard} match @param {Side[]} sides @param {string} made @param {number} now @param {string} [start]
 * @returns {RematchMade | null} */
export function rematch(match, sides, made, now, start) {
  requireSeat(sides);
  if (match.next) return null;
  if (!resultOf(match)) throw refused("match_open");
  return { event: "rematch_made", at: now, match: made, ...(start && { start }) };
}

/** Always refused: without a second person there are no offers. @param {MatchWithBoard} _match @param {Side[]} sides @returns {never} */
export function accept(_match, sides) {
  requireSeat(sides);
  throw refused("no_offer");
}

export const decline = accept;

/** Ends a match in which the side to move has run out of time. @param {MatchWithBoard} match @param {number} now @returns {Ended} */
export function callTime(match, now) {
  if (!isOverdue(match, now)) throw refused("match_open");
  return { event: "ended", at: now, result: { winner: otherSide(turnOf(match)), reason: "time" } };
}

/** Ends a match whose computer player failed: the other side wins. @param {MatchWithBoard} match @param {Side} side @param {number} now @returns {Ended} */
export function forfeit(match, side, now) {
  requireRunning(match, now);
  return { event: "ended", at: now, result: { winner: otherSide(side), reason: "forfeit" } };
}

/** @param {MatchWithBoard} match @param {number} now */
function requireRunning(match, now) {
  requireInTime(match, now);
  if (resultOf(match)) throw refused("match_over");
}

/** Refuses an action once the clock has run out, even if the match is not ended yet.
 * @param {MatchWithBoard} match @param {number} now */
function requireInTime(match, now) {
  if (match.ended || isOverdue(match, now)) throw refused("match_over");
}

/** @param {Side[]} sides */
function requireSeat(sides) {
  if (!sides.length) throw refused("no_seat");
}

/** Refuses a full or missing column. The core has computed the legal columns with the position.
 * @param {MatchWithBoard} match @param {number} column */
function requireRoom({ position, variant: { width } }, column) {
  if (position.legal_columns.includes(column)) return;
  const isThere = column >= 0 && column < width;
  throw refused(isThere ? "column_full" : "column_out_of_range", { column: column + 1, width });
}
