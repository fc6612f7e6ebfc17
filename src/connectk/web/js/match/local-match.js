// A match without a server. It has the interface of MatchSocket: requests are handled one after the other by the rules in
// ruling.js, and the resulting events are stored in this browser and passed on as server messages.
import {
  HINT_PLAYER,
  ANALYSIS_TIMEOUT_MS,
  BEST_LEVEL,
  BEST_LEVEL_MOVE_SECONDS,
  HINT_TIMEOUT_MS,
} from "../common/constants.js";
import { writeVariant } from "../board/convert.js";
import { loadBook } from "../core/opening-book.js";
import { scoreWorker, reviewWorker, rulesWorker } from "../core/core-workers.js";
import { applyEvent, canSwap, deadlineOf, isPlacing, isOverdue, plyOf, resultOf, startPly, turnOf } from "./reducer.js";
import {
  startRematch,
  newId,
  now,
  positionOf,
  readMatch,
  stateView,
  matchView,
  withBoard,
  writeMatch,
} from "./local-store.js";
import * as ruling from "./ruling.js";

/** @import { Event, MatchWithBoard, StoredMatch } from "./reducer.js"
 *  @import { SocketListener } from "./match-socket.js"
 *  @import { AnalyseCommand, ClientMessage, EventMessage, HintAnswer } from "../types.js"
 *  @import { Side } from "../page-types.js" */

const SWAP_TIMEOUT_MS = 2000; // for scoring the columns where sides may be swapped
const DEFAULT_THINKING_MS = 10_000; // for players that need no time limit

export class LocalMatch {
  #closed = false;
  #moveSearch = new AbortController();
  #analysisSearch = new AbortController();
  #flagTimer = 0;
  /** @type {MatchWithBoard | null} */
  #match = null; // the match as it was last reported to the listener
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve(); // the tail of the queue of requests

  /** @param {string} id @param {SocketListener} listener */
  constructor(id, listener) {
    this.id = id;
    this.listener = listener;
    this.#enqueue(() => this.#reload()).catch((error) => listener.onLost(error));
  }

  now() {
    return now();
  }

  close() {
    this.#closed = true;
    this.#abortSearches();
    clearTimeout(this.#flagTimer);
  }

  /** Queues a request. Its time is when it was made, however long it waits in the queue. @param {ClientMessage} message @returns {Promise<any>} */
  request(message) {
    if (message.type === "analyse") return this.#analyse(message);
    if (message.type === "hint") return this.#hint();
    const at = now();
    return this.#enqueue(() => this.#execute(message, at));
  }

  /** @template T @param {() => Promise<T>} work */
  #enqueue(work) {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  #abortSearches() {
    this.#moveSearch.abort();
    this.#analysisSearch.abort();
  }

  async #hint() {
    return scoreWorker.request("choose", [positionOf(readMatch(this.id)), HINT_PLAYER, HINT_TIMEOUT_MS, [0, 0]]);
  }

  /** @param {AnalyseCommand} message */
  async #analyse({ ply, seconds }) {
    const match = readMatch(this.id);
    const { signal } = (this.#analysisSearch = new AbortController());
    const before = ply === null || ply === undefined ? match.moves.length : ply - startPly(match);
    await loadBook(Object.values(match.variant).join("x"), (share) =>
      dispatchEvent(new CustomEvent("connectk-book", { detail: share })),
    );
    const ms = Math.min(1000 * (seconds ?? Infinity), ANALYSIS_TIMEOUT_MS);
    const found = await scoreWorker.request("scores", [positionOf(match, before), ms], signal);
    return { type: "analysis", id: null, ply: before + startPly(match), ...found };
  }

  /** Reads the stored match, and reports it if it was changed in another window. */
  async #reload() {
    const kept = readMatch(this.id);
    if (this.#match?.seq !== kept.seq) this.#welcome(await withBoard(kept));
    return /** @type {MatchWithBoard} */ (this.#match);
  }

  /** @param {MatchWithBoard} match */
  #welcome(match) {
    this.#abortSearches();
    this.#match = match;
    if (this.#closed) return;
    const { sides, seq } = match;
    this.listener.onWelcome({
      type: "welcome",
      id: null,
      sides,
      seq,
      match: matchView(match),
      invitation: null,
      now: now(),
    });
    this.listener.onConnectionChange(true);
    this.#scheduleNext(match);
  }

  /** @param {ClientMessage} message @param {number} at */
  async #execute(message, at) {
    const start = message.type === "fair_rematch" ? await fairStart(readMatch(this.id)) : undefined;
    if (isOverdue(await this.#reload(), at)) await this.#callTime(at);
    const match = await this.#reload();
    const event = eventFor(match, message, at, start);
    if (event) await this.#apply(match, event);
    return { type: "done", id: null, seq: match.seq + (event ? 1 : 0) };
  }

  /** @param {number} at */
  async #callTime(at) {
    const match = await this.#reload();
    await this.#apply(match, ruling.callTime(match, at));
  }

  /** Stores the event first, then reports it. @param {MatchWithBoard} before @param {Event} event */
  async #apply(before, event) {
    this.#abortSearches(); // the searches are for an outdated position
    const kept = applyEvent(before, event);
    if (event.event === "rematch_made") startRematch(before, event.match, event.start);
    writeMatch(kept);
    const match = (this.#match = await withBoard(kept));
    if (!this.#closed) this.listener.onEvent(eventMessage(event, before, match));
    this.#scheduleNext(match);
  }

  /** Lets the computer choose if it is its turn, or starts the timer that ends the match when a person's time runs out.
   * @param {MatchWithBoard} match */
  #scheduleNext(match) {
    clearTimeout(this.#flagTimer);
    if (this.#closed) return;
    if (resultOf(match)) return void reviewWorker.start(); // a review usually comes next
    const side = turnOf(match);
    const { player } = match.seats[side];
    const deadline = deadlineOf(match);
    if (player) this.#think(match, side, player);
    else if (deadline !== null)
      this.#flagTimer = setTimeout(() => this.#onFlagTimer(match, now()), Math.ceil(1000 * (deadline - now())));
  }

  /** The timer may fire too early, or after a disc that was dropped in time. @param {MatchWithBoard} match @param {number} at */
  #onFlagTimer(match, at) {
    this.#enqueue(() => this.#callTime(at)).catch(() => {
      if (match === this.#match && !isOverdue(match, at)) this.#scheduleNext(match);
    });
  }

  /** What the computer player chooses. If sides may be swapped, the columns are scored first.
   * @param {MatchWithBoard} match @param {string} player @param {number} ms @param {AbortSignal} signal @returns {Promise<HintAnswer | "swap">} */
  async #choose(match, player, ms, signal) {
    const decided = canSwap(match) || isPlacing(match) ? await this.#decideSide(match, player, ms, signal) : null;
    return decided ?? rulesWorker.request("choose", [positionOf(match), player, ms, match.seed], signal);
  }

  /** @param {MatchWithBoard} match @param {string} player @param {number} ms @param {AbortSignal} signal @returns {Promise<HintAnswer | "swap" | null>} */
  async #decideSide(match, player, ms, signal) {
    const { wantsSwap, fairColumn } = await import("./swapping.js");
    const scores = await scoreWorker.request("scores", [positionOf(match), Math.min(ms, SWAP_TIMEOUT_MS)], signal);
    if (canSwap(match)) return wantsSwap(player, scores) ? "swap" : null;
    const column = fairColumn(player, scores);
    return column === null ? null : { column, thought: {} };
  }

  /** @param {MatchWithBoard} match @param {Side} side @param {string} player */
  async #think(match, side, player) {
    const { signal } = (this.#moveSearch = new AbortController());
    const left = match.times.at(-1)?.[side];
    const ms = Math.min(thinkingMs(player), left === undefined ? Infinity : Math.max(50, (1000 * left) / 20));
    const began = now();
    const choice = await this.#choose(match, player, ms, signal).catch(() => null);
    const at = now();
    const play = async () => {
      const current = await this.#reload();
      if (!signal.aborted)
        await this.#apply(current, eventOfChoice(current, side, choice, plyOf(match), at, at - began));
    };
    if (!signal.aborted) this.#enqueue(play).catch(() => {});
  }
}

/** The event that follows from a computer player's choice: a drop or a swap, or a forfeit if it has chosen nothing.
 * @param {MatchWithBoard} match @param {Side} side @param {HintAnswer | "swap" | null} choice @param {number} ply @param {number} at @param {number} took */
function eventOfChoice(match, side, choice, ply, at, took) {
  if (!choice) return ruling.forfeit(match, side, at);
  if (choice === "swap") return ruling.swap(match, [side], at);
  return ruling.drop(match, side, choice.column, ply, at, choice.thought, took);
}

/** The event that a request leads to; refusals are thrown. @param {MatchWithBoard} match @param {ClientMessage} message @param {number} at
 * @param {string} [start] the start of a fair rematch @returns {Event | null} */
function eventFor(match, message, at, start) {
  const { sides } = match;
  switch (message.type) {
    case "drop":
      return ruling.drop(match, ruling.seatToPlay(match, sides), message.column, message.ply, at);
    case "take_back":
      return ruling.takeBack(match, sides, message.to_ply ?? null, at);
    case "swap":
      return ruling.swap(match, sides, at);
    case "extend":
      return ruling.extend(match, sides, at);
    case "redo":
      return ruling.redo(match, sides, message.to_ply ?? null, at);
    case "resign":
      return ruling.resign(match, sides, at);
    case "offer_draw":
      return ruling.offerDraw(match, sides, at);
    case "rematch":
    case "fair_rematch":
      return ruling.rematch(match, sides, newId(), at, start);
    default:
      return ruling.accept(match, sides);
  }
}

/** @param {StoredMatch} match */
async function fairStart({ variant }) {
  const { drawFairStart } = await import("./fairness.js");
  return drawFairStart(writeVariant(variant)) ?? undefined;
}

/** An event in the server's format. @param {Event} event @param {MatchWithBoard} before @param {MatchWithBoard} match @returns {EventMessage} */
function eventMessage(event, before, match) {
  const base = { type: /** @type {const} */ ("event"), seq: match.seq, state: stateView(match) };
  switch (event.event) {
    case "dropped": {
      const { took: _, ...facts } = event;
      const row = before.position.board[event.column].length;
      return { ...base, ...facts, row, ply: plyOf(before), thought: event.thought ?? null };
    }
    case "swapped":
    case "extended":
      return { ...base, ...event, seats: match.seats };
    case "taken_back":
    case "redone":
      return { ...base, ...event, moves: match.moves };
    default:
      return { ...base, ...event };
  }
}

/** @param {string} player such as engine:500ms */
function thinkingMs(player) {
  const found = /^engine:([\d.]+)(ms|s)/.exec(player);
  if (found) return Number(found[1]) * (found[2] === "s" ? 1000 : 1);
  return player === `level:${BEST_LEVEL}` ? 1000 * BEST_LEVEL_MOVE_SECONDS : DEFAULT_THINKING_MS;
}
