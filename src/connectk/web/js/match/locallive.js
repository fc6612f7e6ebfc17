// A match that is played here, without a server: orders are judged by ruling.js one after the other, kept in this browser, and
// told to the page in the words that a server uses on its socket.
import { HINT_PLAYER, ANALYSIS_MS, BEST_LEVEL, BEST_SECONDS, HINT_MS } from "../common/constants.js";
import { wantBook } from "../core/book.js";
import { analyst, reviewer, rules } from "../core/crew.js";
import { after, deadlineOf, isOverdue, plyOf, resultOf, startPly, turnOf } from "./fold.js";
import { beginRematch, newId, now, positionOf, read, stateOf, viewOf, withBoard, write } from "./kept.js";
import * as ruling from "./ruling.js";

/** @import { Event, Match } from "./fold.js"
 *  @import { Listener } from "./live.js"
 *  @import { Analyse, ClientMessage, EventMessage, HintAnswer } from "../types.js"
 *  @import { Side } from "../shapes.js" */

const PATIENT_MS = 10_000; // for players that need not look at a clock

export class LocalLive {
  #closed = false;
  #thinking = new AbortController();
  #looking = new AbortController();
  #alarm = 0;
  /** @type {Match | null} */
  #match = null; // as the page was told
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve(); // one order after the other, as they came

  /** @param {string} id @param {Listener} listener */
  constructor(id, listener) {
    this.id = id;
    this.listener = listener;
    this.#inTurn(() => this.#known()).catch((error) => listener.lost(error));
  }

  now() {
    return now();
  }

  close() {
    this.#closed = true;
    this.#rest();
    clearTimeout(this.#alarm);
  }

  /** An order counts from when it was given, however long those before it take. @param {ClientMessage} message @returns {Promise<any>} */
  ask(message) {
    if (message.type === "analyse") return this.#analyse(message);
    if (message.type === "hint") return this.#hint();
    const at = now();
    return this.#inTurn(() => this.#do(message, at));
  }

  /** @template T @param {() => Promise<T>} work */
  #inTurn(work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  #rest() {
    this.#thinking.abort();
    this.#looking.abort();
  }

  async #hint() {
    return analyst.ask("choose", [positionOf(read(this.id)), HINT_PLAYER, HINT_MS, [0, 0]]);
  }

  /** @param {Analyse} message */
  async #analyse({ ply, seconds }) {
    const match = read(this.id);
    const { signal } = (this.#looking = new AbortController());
    const before = ply === null || ply === undefined ? match.moves.length : ply - startPly(match);
    await wantBook(Object.values(match.variant).join("x"), (share) =>
      dispatchEvent(new CustomEvent("connectk-book", { detail: share })),
    );
    const ms = Math.min(1000 * (seconds ?? Infinity), ANALYSIS_MS);
    const found = await analyst.ask("scores", [positionOf(match, before), ms], signal);
    return { type: "analysis", id: null, ply: before + startPly(match), ...found };
  }

  /** The match as it is kept; where the page knows another one it is told, for someone has played on in another window. */
  async #known() {
    const kept = read(this.id);
    if (this.#match?.seq !== kept.seq) this.#welcome(await withBoard(kept));
    return /** @type {Match} */ (this.#match);
  }

  /** @param {Match} match */
  #welcome(match) {
    this.#rest();
    this.#match = match;
    if (this.#closed) return;
    const { sides, seq } = match;
    this.listener.welcome({
      type: "welcome",
      id: null,
      sides,
      seq,
      match: viewOf(match),
      invitation: null,
      now: now(),
    });
    this.listener.connection(true);
    this.#goOn(match);
  }

  /** @param {ClientMessage} message @param {number} at */
  async #do(message, at) {
    if (isOverdue(await this.#known(), at)) await this.#callTime(at);
    const match = await this.#known();
    const event = decide(match, message, at);
    if (event) await this.#happen(match, event);
    return { type: "done", id: null, seq: match.seq + (event ? 1 : 0) };
  }

  /** @param {number} at */
  async #callTime(at) {
    const match = await this.#known();
    await this.#happen(match, ruling.callTime(match, at));
  }

  /** Written down first, then told. @param {Match} before @param {Event} event */
  async #happen(before, event) {
    this.#rest(); // nobody wants any more what was being thought
    const kept = after(before, event);
    if (event.event === "rematch_made") beginRematch(before, event.match);
    write(kept);
    const match = (this.#match = await withBoard(kept));
    if (!this.#closed) this.listener.event(messageOf(event, before, match));
    this.#goOn(match);
  }

  /** A computer whose turn it is thinks; a person's clock runs. @param {Match} match */
  #goOn(match) {
    clearTimeout(this.#alarm);
    if (this.#closed) return;
    if (resultOf(match)) return void reviewer.prepare(); // a review comes next, more often than not
    const side = turnOf(match);
    const { player } = match.seats[side];
    const deadline = deadlineOf(match);
    if (player) this.#think(match, side, player);
    else if (deadline !== null)
      this.#alarm = setTimeout(() => this.#flag(match, now()), Math.ceil(1000 * (deadline - now())));
  }

  /** An alarm may ring too early, or after a disc that was dropped in time. @param {Match} match @param {number} at */
  #flag(match, at) {
    this.#inTurn(() => this.#callTime(at)).catch(() => {
      if (match === this.#match && !isOverdue(match, at)) this.#goOn(match);
    });
  }

  /** @param {Match} match @param {Side} side @param {string} player */
  async #think(match, side, player) {
    const { signal } = (this.#thinking = new AbortController());
    const left = match.times.at(-1)?.[side];
    const ms = Math.min(timeOf(player), left === undefined ? Infinity : Math.max(50, (1000 * left) / 20));
    const began = now();
    /** @type {HintAnswer | null} */
    const choice = await rules.ask("choose", [positionOf(match), player, ms, match.seed], signal).catch(() => null);
    const at = now();
    const play = async () => {
      const current = await this.#known();
      if (signal.aborted) return;
      const ply = plyOf(match);
      await this.#happen(
        current,
        choice
          ? ruling.drop(current, side, choice.column, ply, at, choice.thought, at - began)
          : ruling.forfeit(current, side, at),
      );
    };
    if (!signal.aborted) this.#inTurn(play).catch(() => {});
  }
}

/** What an order does to the match. @param {Match} match @param {ClientMessage} message @param {number} at @returns {Event | null} */
function decide(match, message, at) {
  const { sides } = match;
  switch (message.type) {
    case "drop":
      return ruling.drop(match, ruling.seatToPlay(match, sides), message.column, message.ply, at);
    case "take_back":
      return ruling.takeBack(match, sides, message.to_ply ?? null, at);
    case "redo":
      return ruling.redo(match, sides, message.to_ply ?? null, at);
    case "resign":
      return ruling.resign(match, sides, at);
    case "offer_draw":
      return ruling.offerDraw(match, sides, at);
    case "rematch":
      return ruling.rematch(match, sides, newId(), at);
    default:
      return ruling.accept(match, sides);
  }
}

/** An event as a server tells it. @param {Event} event @param {Match} before @param {Match} match @returns {EventMessage} */
function messageOf(event, before, match) {
  const base = { type: /** @type {const} */ ("event"), seq: match.seq, state: stateOf(match) };
  switch (event.event) {
    case "dropped": {
      const { took: _, ...facts } = event;
      const row = before.position.board[event.column].length;
      return { ...base, ...facts, row, ply: plyOf(before), thought: event.thought ?? null };
    }
    case "taken_back":
    case "redone":
      return { ...base, ...event, moves: match.moves };
    default:
      return { ...base, ...event };
  }
}

/** How long a player thinks, in milliseconds. @param {string} player such as engine:500ms */
function timeOf(player) {
  const found = /^engine:([\d.]+)(ms|s)/.exec(player);
  if (found) return Number(found[1]) * (found[2] === "s" ? 1000 : 1);
  return player === `level:${BEST_LEVEL}` ? 1000 * BEST_SECONDS : PATIENT_MS;
}
