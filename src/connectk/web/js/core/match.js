// A match that is played here, without a server: judged by the core, and told to the page in the words that a server uses on its socket.
import { ADVISER, ANALYSIS_MS, HINT_MS } from "../common/constants.js";
import { wantBook } from "./book.js";
import { analyst, rules } from "./crew.js";
import { SIDES, createMatch, now, positionOf, read, refused, startPly, stateOf, viewOf, write } from "./kept.js";

/** @import { Kept } from "./kept.js"
 *  @import { Listener } from "../match/live.js"
 *  @import { Side } from "../shapes.js"
 *  @import { ClientMessage, EventMessage, ResultView, SeatOrder, SeatView, StateView, ThoughtView } from "../types.js" */

const PATIENT_MS = 10_000; // for players that need not look at a clock
/** @type {Record<Side, Side>} */
const OTHER = { first: "second", second: "first" };

export class LocalLive {
  #closed = false;
  #thinking = new AbortController();
  #looking = new AbortController();
  #deadline = 0;
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve(); // one order after the other, as they came

  /** @param {string} id @param {Listener} listener */
  constructor(id, listener) {
    this.id = id;
    this.listener = listener;
    this.#turn = this.#open();
  }

  now() {
    return now();
  }

  close() {
    this.#closed = true;
    this.#rest();
    clearTimeout(this.#deadline);
  }

  async #open() {
    const match = read(this.id);
    if (!match) return this.listener.lost(refused("not_found"));
    const view = await viewOf(match);
    if (this.#closed) return undefined;
    this.listener.welcome({
      type: "welcome",
      id: null,
      sides: match.sides,
      seq: match.seq,
      match: view,
      invitation: null,
      now: now(),
    });
    this.listener.connection(true);
    return this.#goOn(match, view.state);
  }

  /** @param {ClientMessage} message @returns {Promise<any>} */
  ask(message) {
    if (message.type === "analyse") return this.#analyse(message);
    if (message.type === "hint") return analyst.ask("choose", [positionOf(this.#match()), ADVISER, HINT_MS, [0, 0]]);
    this.#rest(); // whoever does something wants no more of what was being thought
    const done = this.#turn.then(() => this.#do(message));
    this.#turn = done.catch(() => {});
    return done;
  }

  #match() {
    const match = read(this.id);
    if (!match) throw refused("not_found");
    return match;
  }

  #rest() {
    this.#thinking.abort();
    this.#looking.abort();
  }

  /** @param {import("../types.js").Analyse} message */
  async #analyse({ ply, seconds }) {
    const match = this.#match();
    const { signal } = (this.#looking = new AbortController());
    const before = ply === null || ply === undefined ? match.moves.length : ply - startPly(match);
    await wantBook(Object.values(match.variant).join("x"), (share) =>
      dispatchEvent(new CustomEvent("connectk-book", { detail: share })),
    );
    const ms = Math.min(1000 * (seconds ?? Infinity), ANALYSIS_MS);
    const found = await analyst.ask("scores", [positionOf(match, before), ms], signal);
    return { type: "analysis", id: null, ply: before + startPly(match), ...found };
  }

  /** @param {ClientMessage} message */
  async #do(message) {
    const match = this.#match();
    const state = await stateOf(match);
    switch (message.type) {
      case "drop":
        return this.#drop(match, state, message.column, null);
      case "take_back":
        return this.#back(match, state, message.to_ply ?? null);
      case "redo":
        return this.#redo(match, message.to_ply ?? null);
      case "resign":
        return this.#resign(match, state);
      case "offer_draw":
        return this.#offerDraw(match, state);
      case "rematch":
        return this.#rematch(match, state);
      default:
        throw refused("no_offer");
    }
  }

  /** @param {Kept} match @param {StateView} state @param {number} column @param {ThoughtView | null} thought */
  async #drop(match, state, column, thought) {
    const side = state.side_to_move;
    if (state.result || !side) throw refused("match_over");
    if (!state.legal_columns.includes(column)) throw refused("column_full");
    this.#spend(match, side);
    match.undone = match.undone.at(-1) === column ? match.undone.slice(0, -1) : [];
    match.moves.push(column);
    return this.#tell(match, {
      event: "dropped",
      side,
      column,
      row: state.board[column].length,
      ply: state.ply,
      thought,
    });
  }

  /** A turn ends, and the next one begins. @param {Kept} match @param {Side} side */
  #spend(match, side) {
    const left = match.times.at(-1);
    if (left && match.clock)
      match.times.push({ ...left, [side]: left[side] - (now() - match.began) + (match.clock.increment ?? 0) });
    match.began = now();
  }

  /** @param {Kept} match @param {StateView} state @param {number | null} to */
  #back(match, state, to) {
    const begun = startPly(match);
    const mine =
      match.sides.length === 2 || !match.sides.some((side) => side === (state.side_to_move ?? sideAt(state.ply)));
    const target = to ?? state.ply - (mine ? 1 : 2);
    if (match.ended || match.next) throw refused("match_over");
    if (target < begun || target >= state.ply) throw refused("nothing_to_take_back");
    const kept = target - begun;
    match.undone = [...match.undone, ...match.moves.slice(kept).toReversed()];
    match.moves.length = kept;
    if (match.clock) match.times.length = kept + 1;
    match.began = now();
    return this.#tell(match, { event: "taken_back", to_ply: target, moves: [...match.moves] });
  }

  /** @param {Kept} match @param {number | null} to */
  #redo(match, to) {
    const ply = startPly(match) + match.moves.length;
    const newest = ply + match.undone.length;
    const target = to ?? Math.min(ply + (match.sides.length === 2 ? 1 : 2), newest);
    if (match.ended) throw refused("match_over");
    if (target <= ply || target > newest) throw refused("nothing_to_redo");
    for (let more = target - ply; more > 0; more--) {
      this.#spend(match, sideAt(target - more));
      match.moves.push(/** @type {number} */ (match.undone.pop()));
    }
    return this.#tell(match, { event: "redone", to_ply: target, moves: [...match.moves] });
  }

  /** Whoever holds both seats resigns for the side to move. @param {Kept} match @param {StateView} state */
  #resign(match, state) {
    if (state.result || !match.sides.length) throw refused("match_over");
    const loser = match.sides.length === 2 ? (state.side_to_move ?? "first") : match.sides[0];
    return this.#end(match, { winner: OTHER[loser], reason: "resigned" });
  }

  /** Whoever holds both seats agrees; a computer plays on. @param {Kept} match @param {StateView} state */
  #offerDraw(match, state) {
    if (state.result) throw refused("match_over");
    if (match.sides.length < 2) throw refused("declined");
    return this.#end(match, { winner: null, reason: "agreed" });
  }

  /** @param {Kept} match @param {ResultView} result */
  async #end(match, result) {
    const { side_to_move: side } = await stateOf(match);
    const left = match.times.at(-1);
    if (left && side) left[side] -= now() - match.began;
    match.began = now();
    match.ended = result;
    return this.#tell(match, { event: "ended", result });
  }

  /** @param {Kept} match @param {StateView} state */
  async #rematch(match, state) {
    if (!state.result) throw refused("match_open");
    if (!match.next) {
      /** @param {SeatView} seat @returns {SeatOrder} */
      const order = ({ kind, name, player }) => (kind === "player" ? { kind: "player", player } : { kind: "me", name });
      const { variant, start, clock, seats } = match;
      const { match: made } = await createMatch(
        { variant, start, clock, first: order(seats.second), second: order(seats.first) },
        match.id,
      );
      match.next = made.id;
    }
    return this.#tell(match, { event: "rematch_made", match: match.next });
  }

  /** Written down first, then told. @param {Kept} match @param {Record<string, unknown> & { event: string }} event */
  async #tell(match, event) {
    match.seq += 1;
    write(match);
    const state = await stateOf(match);
    const message = /** @type {EventMessage} */ (
      /** @type {unknown} */ ({ type: "event", seq: match.seq, at: now(), state, ...event })
    );
    if (!this.#closed) this.listener.event(message);
    this.#goOn(match, state);
    return { type: "done", id: null, seq: match.seq };
  }

  /** A computer whose turn it is thinks; a person's clock runs. @param {Kept} match @param {StateView} state */
  #goOn(match, state) {
    clearTimeout(this.#deadline);
    const side = state.side_to_move;
    if (this.#closed || state.result || !side) return;
    const { player } = match.seats[side];
    if (player) return void this.#think(match, side, player);
    const left = match.times.at(-1);
    if (left)
      this.#deadline = setTimeout(() => this.#flag(side), 1000 * Math.max(0, left[side] - (now() - match.began)));
  }

  /** @param {Side} side */
  #flag(side) {
    this.#turn = this.#turn
      .then(() => this.#end(this.#match(), { winner: OTHER[side], reason: "time" }))
      .catch(() => {});
  }

  /** @param {Kept} match @param {Side} side @param {string} player */
  async #think(match, side, player) {
    const { signal } = (this.#thinking = new AbortController());
    const { seq, seed } = match;
    const left = match.times.at(-1)?.[side];
    const ms = Math.min(timeOf(player), left === undefined ? Infinity : Math.max(50, (1000 * left) / 20));
    /** @type {{ column: number, thought: ThoughtView } | null} */
    const choice = await rules.ask("choose", [positionOf(match), player, ms, seed], signal).catch(() => null);
    if (!choice || signal.aborted || this.#closed) return;
    const play = async () => {
      const current = this.#match();
      if (current.seq === seq && !signal.aborted)
        await this.#drop(current, await stateOf(current), choice.column, choice.thought);
    };
    this.#turn = this.#turn.then(play).catch(() => {});
  }
}

/** @param {number} ply @returns {Side} */
const sideAt = (ply) => SIDES[ply % 2];

/** How long a player thinks, in milliseconds. @param {string} player such as engine:500ms */
function timeOf(player) {
  const found = /^engine:([\d.]+)(ms|s)/.exec(player);
  if (found) return Number(found[1]) * (found[2] === "s" ? 1000 : 1);
  return player === "level:10" ? 500 : PATIENT_MS;
}
