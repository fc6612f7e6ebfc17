// Matches that are played here: how they are kept in this browser, and how they look to the page, which is as a server tells them.
import { variantOf } from "../board/boards.js";
import { HERE, newSecret, remember, remembered } from "../common/memory.js";
import { Refused } from "../texts/refused.js";
import { parseStart } from "../board/start.js";
import { rules } from "./crew.js";

/** @import { Asked, Moment } from "./numbers.js"
 *  @import { Side } from "../shapes.js"
 *  @import { ClockOrder, ClockView, EntryAnswer, MatchOrder, MatchView, ResultView, SeatOrder, SeatView, SeatsView, StateView, VariantView } from "../types.js"
 *  @typedef {Record<Side, number>} Times
 *  @typedef {{ id: string, seq: number, variant: VariantView, start: string, moves: number[], undone: number[], seats: SeatsView, sides: Side[],
 *    clock: ClockOrder | null, times: Times[], began: number, ended: ResultView | null, previous: string | null, next: string | null,
 *    created: number, seed: [number, number] }} Kept */

const MOST_KEPT = 60;
const SECRET = "here"; // nobody else can reach it
/** @type {Side[]} */
export const SIDES = ["first", "second"];

export const now = () => Date.now() / 1000;

/** @param {string} reason */
export const refused = (reason) => new Refused({ reason, message: reason });

/** @param {string} id @returns {Kept | null} */
export const read = (id) => remembered(`match.${id}`, /** @type {Kept | null} */ (null));

/** The newest are kept; what is left out here is still in the list of games, to be reviewed. @param {Kept} match */
export function write(match) {
  remember(`match.${match.id}`, match);
  const ids = remembered("matches", /** @type {string[]} */ ([])).filter((id) => id !== match.id);
  for (const id of ids.slice(MOST_KEPT - 1)) remember(`match.${id}`, null);
  remember("matches", [match.id, ...ids.slice(0, MOST_KEPT - 1)]);
}

/** @param {SeatOrder | undefined} order @returns {SeatView} */
function seatOf(order) {
  return order?.kind === "player"
    ? { kind: "player", name: order.player ?? "", player: order.player ?? "" }
    : { kind: "person", name: order?.name ?? "", player: null };
}

/** @param {MatchOrder} order @param {string | null} previous @returns {Promise<EntryAnswer>} */
export async function createMatch(order, previous = null) {
  const seats = { first: seatOf(order.first), second: seatOf(order.second) };
  const clock = order.clock ?? null;
  const seed = /** @type {[number, number]} */ ([...crypto.getRandomValues(new Int32Array(2))]);
  /** @type {Kept} */
  const match = {
    id: HERE + newSecret().slice(0, 12),
    seq: 0,
    variant: { ...variantOf("7x6x4"), ...order.variant },
    start: order.start ?? "",
    moves: [],
    undone: [],
    seats,
    sides: SIDES.filter((side) => seats[side].kind === "person"),
    clock,
    times: [],
    began: now(),
    ended: null,
    previous,
    next: null,
    created: now(),
    seed,
  };
  if (clock) match.times = [{ first: clock.seconds, second: clock.seconds }];
  write(match);
  return { match: await viewOf(match), sides: match.sides, secret: SECRET, invitation: null };
}

/** @param {string} id @returns {Promise<MatchView>} */
export async function knownMatch(id) {
  const match = read(id);
  if (!match) throw refused("not_found");
  return viewOf(match);
}

/** @param {Kept} match @param {number} [ply] @returns {Asked} */
export const positionOf = ({ variant, start, moves }, ply) => ({
  variant,
  discs: parseStart(start),
  moves: moves.slice(0, ply),
});

/** @param {Kept} match @returns {Promise<StateView>} */
export async function stateOf(match) {
  /** @type {Moment & { board: string[] }} */
  const moment = await rules.ask("moment", [positionOf(match)]);
  const result = match.ended ?? moment.result;
  return {
    ...moment,
    ...(match.ended && { side_to_move: null, legal_columns: [] }),
    result,
    waiting: false,
    offer: null,
    can_redo: match.undone.length > 0 && !match.ended,
    clock: clockOf(match, result ? null : moment.side_to_move),
    next_match: match.next,
  };
}

/** @param {Kept} match @param {Side | null} running @returns {ClockView | null} */
function clockOf({ clock, times, began }, running) {
  const left = times.at(-1);
  return clock && left
    ? {
        first: Math.max(0, left.first),
        second: Math.max(0, left.second),
        running,
        since: began,
        increment: clock.increment ?? 0,
      }
    : null;
}

/** @param {Kept} match @returns {Promise<MatchView>} */
export async function viewOf(match) {
  const { id, seq, variant, start, moves, seats, previous, created } = match;
  return {
    id,
    seq,
    variant,
    start,
    moves: [...moves],
    seats,
    public: false,
    previous,
    room: null,
    created,
    state: await stateOf(match),
  };
}

/** How many discs lay there before the first drop. @param {Kept} match */
export const startPly = ({ start }) => parseStart(start).length;
