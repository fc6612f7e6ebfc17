// Matches that are played here: how they are kept in this browser, and how they look to the page, which is as a server tells them.
import { variantOf } from "../board/boards.js";
import { parseStart } from "../board/start.js";
import { HERE, newSecret, remember, remembered } from "../common/memory.js";
import { rules } from "../core/crew.js";
import { refusal } from "../texts/refused.js";
import { newMatch, resultOf } from "./fold.js";

/** @import { Asked } from "../core/numbers.js"
 *  @import { ClockView, EntryAnswer, MatchOrder, MatchView, SeatOrder, SeatView, StateView } from "../types.js"
 *  @import { Kept, Match, Setup } from "./fold.js" */

const MAX_KEPT = 60;
const SECRET = "here"; // nobody else can reach it

export const now = () => Date.now() / 1000;

export const newId = () => HERE + newSecret().slice(0, 12);

/** @param {string} id @returns {Kept} */
export function read(id) {
  const match = remembered(`match.${id}`, /** @type {Kept | null} */ (null));
  if (!match) throw refusal("not_found");
  return match;
}

/** The newest are kept; what is left out here is still in the list of games, to be reviewed. @param {Kept} match */
export function write(match) {
  remember(`match.${match.id}`, match);
  const ids = remembered("matches", /** @type {string[]} */ ([])).filter((id) => id !== match.id);
  for (const id of ids.slice(MAX_KEPT - 1)) remember(`match.${id}`, null);
  remember("matches", [match.id, ...ids.slice(0, MAX_KEPT - 1)]);
}

/** A match with its board. @param {Kept} match @returns {Promise<Match>} */
export const withBoard = async (match) => ({ ...match, position: await rules.ask("moment", [positionOf(match)]) });

/** @param {MatchOrder} order @returns {Promise<EntryAnswer>} */
export async function createMatch({ variant, start = "", clock = null, first, second }) {
  const seats = { first: seatOf(first), second: seatOf(second) };
  const match = begin({ variant: { ...variantOf("7x6x4"), ...variant }, start, clock, seats, previous: null }, newId());
  return { match: viewOf(await withBoard(match)), sides: match.sides, secret: SECRET, invitation: null };
}

/** @param {SeatOrder | undefined} order @returns {SeatView} */
function seatOf(order) {
  return order?.kind === "player"
    ? { kind: "player", name: order.player ?? "", player: order.player ?? "" }
    : { kind: "person", name: order?.name ?? "", player: null };
}

/** The same players with the sides swapped. @param {Match} match @param {string} id */
export function beginRematch({ variant, start, clock, seats: { first, second }, id: previous }, id) {
  begin({ variant, start, clock, seats: { first: second, second: first }, previous }, id);
}

/** @param {Setup} setup @param {string} id */
function begin(setup, id) {
  const seed = /** @type {[number, number]} */ ([...crypto.getRandomValues(new Int32Array(2))]);
  const match = newMatch(id, setup, now(), seed);
  write(match);
  return match;
}

/** @param {string} id */
export const knownMatch = async (id) => viewOf(await withBoard(read(id)));

/** @param {Kept} match @param {number} [ply] @returns {Asked} */
export const positionOf = ({ variant, start, moves }, ply) => ({
  variant,
  discs: parseStart(start),
  moves: moves.slice(0, ply),
});

/** @param {Match} match @returns {StateView} */
export function stateOf(match) {
  return {
    ...match.position,
    ...(match.ended && { side_to_move: null, legal_columns: [] }),
    result: resultOf(match),
    waiting: false,
    offer: null,
    can_redo: match.undone.length > 0 && !match.ended,
    clock: clockOf(match),
    next_match: match.next,
  };
}

/** @param {Match} match @returns {ClockView | null} */
function clockOf(match) {
  const { clock, times, began: since, position } = match;
  const left = times.at(-1);
  if (!clock || !left) return null;
  const running = resultOf(match) ? null : position.side_to_move;
  const [first, second] = [Math.max(0, left.first), Math.max(0, left.second)];
  return { first, second, running, since, increment: clock.increment ?? 0 };
}

/** @param {Match} match @returns {MatchView} */
export function viewOf(match) {
  const { id, seq, variant, start, moves, seats, previous, created } = match;
  const state = stateOf(match);
  return { id, seq, variant, start, moves, seats, public: false, previous, room: null, created, state };
}
