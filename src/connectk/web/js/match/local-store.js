// Stores matches that are played without a server in localStorage, and describes them in the server's format.
import { variantFromText } from "../board/convert.js";
import { parseStart } from "../board/start-position.js";
import { LOCAL_MATCH_PREFIX, newSecret, writeStorage, readStorage } from "../common/storage.js";
import { rulesWorker } from "../core/core-workers.js";
import { refusal } from "../texts/refusals.js";
import { canExtend, canSwap, clockRuns, isPlacing, newMatch, resultOf, turnOf } from "./reducer.js";

/** @import { Asked } from "../core/numbers.js"
 *  @import { ClockView, EntryAnswer, NewMatchRequest, MatchView, SeatInput, SeatView, StateView } from "../types.js"
 *  @import { StoredMatch, MatchWithBoard, MatchSettings } from "./reducer.js" */

const MAX_STORED_MATCHES = 60;
const LOCAL_SECRET = "here"; // a fixed value: nobody else can reach these matches

export const now = () => Date.now() / 1000;

export const newId = () => LOCAL_MATCH_PREFIX + newSecret().slice(0, 12);

/** @param {string} id @returns {StoredMatch} */
export function readMatch(id) {
  const match = readStorage(`match.${id}`, /** @type {StoredMatch | null} */ (null));
  if (!match) throw refusal("not_found");
  return match;
}

/** Stores a match and deletes the oldest matches, which stay in the list of games for review. @param {StoredMatch} match */
export function writeMatch(match) {
  writeStorage(`match.${match.id}`, match);
  const ids = readStorage("matches", /** @type {string[]} */ ([])).filter((id) => id !== match.id);
  for (const id of ids.slice(MAX_STORED_MATCHES - 1)) writeStorage(`match.${id}`, null);
  writeStorage("matches", [match.id, ...ids.slice(0, MAX_STORED_MATCHES - 1)]);
}

/** @param {StoredMatch} match @returns {Promise<MatchWithBoard>} */
export const withBoard = async (match) => ({
  ...match,
  position: await rulesWorker.request("moment", [positionOf(match)]),
});

/** @param {NewMatchRequest} request @returns {Promise<EntryAnswer>} */
export async function createMatch({ variant, start = "", clock = null, swap = false, swap_discs = 1, first, second }) {
  const seats = { first: seatFromRequest(first), second: seatFromRequest(second) };
  const match = startMatch(
    { variant: { ...variantFromText("7x6x4"), ...variant }, start, clock, swap, swap_discs, seats, previous: null },
    newId(),
  );
  return { match: matchView(await withBoard(match)), sides: match.sides, secret: LOCAL_SECRET, invitation: null };
}

/** @param {SeatInput | undefined} seat @returns {SeatView} */
function seatFromRequest(seat) {
  return seat?.kind === "player"
    ? { kind: "player", name: seat.player ?? "", player: seat.player ?? "" }
    : { kind: "person", name: seat?.name ?? "", player: null };
}

/** Starts a rematch, in which the players have changed sides. A rematch from a fair start needs no swap rule.
 * @param {MatchWithBoard} match @param {string} id @param {string} [fairStart] */
export function startRematch(match, id, fairStart) {
  const { variant, clock, seats, id: previous } = match;
  const { start, swap = false, swap_discs } = fairStart ? { start: fairStart } : match;
  const isExchanged = match.swapped !== Boolean(match.extended);
  const turned = isExchanged ? seats : { first: seats.second, second: seats.first };
  startMatch({ variant, start, clock, swap, swap_discs, seats: turned, previous }, id);
}

/** @param {MatchSettings} setup @param {string} id */
function startMatch(setup, id) {
  const seed = /** @type {[number, number]} */ ([...crypto.getRandomValues(new Int32Array(2))]);
  const match = newMatch(id, setup, now(), seed);
  writeMatch(match);
  return match;
}

/** @param {string} id */
export const storedMatchView = async (id) => matchView(await withBoard(readMatch(id)));

/** @param {StoredMatch} match @param {number} [ply] @returns {Asked} */
export const positionOf = ({ variant, start, moves }, ply) => ({
  variant,
  discs: parseStart(start),
  moves: moves.slice(0, ply),
});

/** @param {MatchWithBoard} match @returns {StateView} */
export function stateView(match) {
  return {
    ...match.position,
    ...(match.ended && { side_to_move: null, legal_columns: [] }),
    result: resultOf(match),
    waiting: false,
    offer: null,
    can_redo: match.undone.length > 0 && !match.ended,
    turn: resultOf(match) ? null : turnOf(match),
    can_swap: canSwap(match),
    can_extend: canExtend(match),
    is_placing: isPlacing(match) && !resultOf(match),
    clock: clockView(match),
    next_match: match.next,
  };
}

/** @param {MatchWithBoard} match @returns {ClockView | null} */
function clockView(match) {
  const { clock, times, began: since } = match;
  const left = times.at(-1);
  if (!clock || !left) return null;
  const running = clockRuns(match) ? turnOf(match) : null;
  const [first, second] = [Math.max(0, left.first), Math.max(0, left.second)];
  return { first, second, running, since, increment: clock.increment ?? 0 };
}

/** @param {MatchWithBoard} match @returns {MatchView} */
export function matchView(match) {
  const { id, seq, variant, start, moves, seats, previous, created } = match;
  const { swap = false, swap_discs = 1, swapped = false, extended = false } = match;
  const rules = { swap, swap_discs, swapped, extended };
  return {
    id,
    seq,
    variant,
    start,
    moves,
    seats,
    public: false,
    previous,
    room: null,
    strangers: false,
    ...rules,
    created,
    state: stateView(match),
  };
}
