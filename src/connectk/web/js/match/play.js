// A match: playing it, or watching it.
import { asked } from "../common/ask.js";
import { detailOf } from "../board/board.js";
import { writeMoves, writeVariant } from "../board/boards.js";
import { keepGame, keptGame } from "./games.js";
import { Hints } from "./hints.js";
import { COMMANDS, letterOf } from "../board/keys.js";
import { Live } from "./live.js";
import { Match } from "./match.js";
import { sideName } from "../texts/names.js";
import { isHere, keepSeat, seatSecret } from "../common/memory.js";
import { PlayPanel } from "./panel.js";
import { dropHint, newState, nextWish, noteEnd, queueColumn, queueHint, takeUnsaid } from "./state.js";
import { outcome, wordsOf } from "./words.js";
import { sounds } from "../common/sound.js";
import { t } from "../texts/texts.js";

/** @import { Handed, Page, Side } from "../shapes.js"
 *  @import { EventMessage, Plain, Redo, TakeBack } from "../types.js" */

const ROOM_DELAY_MS = 6000; // after a game in a room, until the room is shown again
const THINKING_DELAY_MS = 150; // nothing is said to be thinking before this

/** @param {Page} page @param {string[]} path @param {Handed | null} handed */
export async function open(page, [id, invitation], handed) {
  if (invitation && !seatSecret(id)) keepSeat(id, invitation);
  const screen = new Play(page, id, handed ?? {}, await connector(id));
  await screen.ready;
  return screen;
}

/** How a match is followed: on a server's socket, or, one that was begun without a server, here.
 * @param {string} id @returns {Promise<(match: Match) => Match["live"]>} */
async function connector(id) {
  if (!isHere(id)) return (match) => new Live(id, seatSecret(id), match);
  const { LocalLive } = await import("./locallive.js");
  return (match) => new LocalLive(id, match);
}

export class Play {
  /** @param {Page} page @param {string} id @param {Handed} handed @param {(match: Match) => Match["live"]} connect */
  constructor(page, id, { wishes = [], invitation = null, fromStart = false }, connect) {
    this.page = page;
    this.id = id;
    this.state = newState(wishes);
    this.fromStart = fromStart;
    /** @type {import("./pace.js").Pace | null} */
    this.pace = null; // of a demo
    this.timers = { thinking: 0, leave: 0 };
    this.invitation = invitation ?? keptGame(id)?.invitation ?? null;
    /** @type {PromiseWithResolvers<Play>} */
    this.opening = Promise.withResolvers();
    this.ready = this.opening.promise;
    this.panel = new PlayPanel(this);
    this.hints = new Hints(this);
    this.listening = new AbortController();
    const { signal } = this.listening;
    page.opens(this);
    page.board.addEventListener("choose", (event) => this.chosen(detailOf(event).column), { signal });
    page.board.addEventListener("land", () => sounds.land(), { signal });
    page.board.addEventListener("settled", () => this.#settled(), { signal });
    document.addEventListener("keydown", (event) => this.#letter(letterOf(event)), { signal });
    this.match = new Match(id, this, connect);
  }

  close() {
    this.match.close();
    this.panel.close();
    this.pace?.close();
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.listening.abort();
  }

  // What the match tells.

  async welcomed() {
    const { match } = this;
    this.invitation ??= match.invitation;
    if (match.isDemo && !match.sides.length && !this.pace) await this.#setPace();
    if (this.listening.signal.aborted) return;
    this.panel.draw();
    this.changed();
    this.opening.resolve(this);
    this.#playQueued();
  }

  // Two computers may be done in a blink: what they play is shown at a pace.
  async #setPace() {
    const { Pace } = await import("./pace.js");
    if (this.listening.signal.aborted) return;
    this.pace = new Pace(this);
    await this.pace.begin(this.fromStart);
  }

  /** @param {Error} error */
  lost(error) {
    this.opening.reject(error);
  }

  /** @param {boolean} isUp */
  connection(isUp) {
    this.page.notice(isUp ? "" : t("play.reconnecting"), { calm: true });
    if (isUp && this.state.isAway) this.page.say(t("play.back"));
    this.state.isAway = !isUp;
  }

  changed() {
    const { match } = this;
    if (!match.view) return;
    this.#keep();
    this.page.board.show(this.pace ? this.pace.board : match.board);
    this.#thinkingSoon();
    this.panel.update();
    this.hints.scoresIfWanted();
  }

  // Everything that is needed to find the game again on this device.
  #keep() {
    const { match, id } = this;
    if (!match.sides.length) return;
    const { known: view, state, variant } = match;
    const before = keptGame(id);
    if (before?.seq === view.seq && before.invitation === this.invitation) return;
    keepGame({
      id,
      seq: view.seq,
      secret: seatSecret(id),
      invitation: state.waiting ? this.invitation : null,
      variant: writeVariant(variant),
      start: view.start,
      moves: writeMoves(match.moves, variant.width),
      ply: state.ply,
      sides: match.sides,
      names: { first: sideName(match, "first"), second: sideName(match, "second") },
      previous: view.previous ?? null,
      result: state.result,
      touched: Date.now(),
    });
  }

  /** @param {EventMessage} message */
  happened(message) {
    const { event } = message;
    if (event === "dropped" || event === "taken_back") this.hints.forget();
    this.pace?.happened(message);
    if (event === "rematch_made") this.#follow(message.match);
    this.state.detail = event === "declined" ? t("play.declined") : "";
    this.state.unsaid = this.pace ? "" : wordsOf(this, message);
    this.panel.update();
    if (!this.page.board.busy || !this.match.isOver) this.#settled();
    this.#playQueued();
  }

  // The last disc lies: now the words follow.
  #settled() {
    if (!this.match.view) return;
    this.panel.update();
    const hasEnded = noteEnd(this.state, this.isOver);
    const happened = takeUnsaid(this.state);
    const end = hasEnded || (happened && this.isOver) ? outcome(this.match) : "";
    if (happened || end) this.page.say([happened, end].filter(Boolean).join(" "));
    if (hasEnded) this.#ended();
  }

  #ended() {
    sounds.end(this.match);
    const { room } = this.match.known;
    if (room && this.match.sides.length)
      this.timers.leave = setTimeout(() => this.page.go(`/room/${room}`), ROOM_DELAY_MS);
  }

  confirmed() {
    this.#playQueued();
  }

  /** @param {any} error @param {number} [column] */
  refused(error, column) {
    this.tell(
      error.reason === "column_full" && column !== undefined
        ? t("error.ColumnFull", { column: column + 1 })
        : error.message,
    );
  }

  // What a person does.

  get isOver() {
    return this.match.isOver && !this.page.board.busy && (!this.pace || this.pace.isAtEnd);
  }

  /** @param {number} column */
  chosen(column) {
    const { match } = this;
    dropHint(this.state);
    if (!match.view) return this.state.queue.push({ column });
    if (!match.sides.length) return this.tell(t("refused.no_seat"));
    if (match.isOver) return this.tell(t("refused.match_over"));
    if (match.state.waiting) return this.tell(t("refused.waiting_for_opponent"));
    if (match.pending) return this.#wait(column);
    if (match.isMyTurn) return this.#dropOrRefuse(column);
    return match.isMine ? this.#wait(column) : this.tell(t("refused.not_your_turn"));
  }

  /** @param {number} column */
  #dropOrRefuse(column) {
    if (!this.match.state.legal_columns.includes(column))
      return this.tell(t("error.ColumnFull", { column: column + 1 }));
    this.state.detail = "";
    this.hints.forget();
    return this.match.drop(column);
  }

  /** A column chosen while the computer thinks is kept, and played when it is done. @param {number} column */
  #wait(column) {
    const bothHere = this.match.sides.length === 2;
    queueColumn(this.state, column, bothHere);
    if (!bothHere) this.tell(t("play.queued", { column: column + 1 }));
  }

  #playQueued() {
    const wish = this.match.view && nextWish(this.state, this.match);
    if (!wish) return;
    if (wish.column !== undefined) this.#dropOrRefuse(wish.column);
    else if (wish.act === "hint") this.hint();
    else this.#ask({ type: wish.act === "redo" ? "redo" : "take_back" });
  }

  /** What waits after it is played when this is answered. @param {Plain | Redo | TakeBack} message */
  async #ask(message) {
    this.state.isAsking = true;
    await this.match.ask(message);
    this.state.isAsking = false;
    this.#playQueued();
  }

  // Undo drops what waits: whoever takes back wants to think again.
  undo() {
    this.state.queue = [];
    this.#ask({ type: "take_back" });
  }

  redo() {
    this.#ask({ type: "redo" });
  }

  restart() {
    this.state.queue = [];
    this.#ask({ type: "take_back", to_ply: this.match.startPly });
  }

  // Asked while a disc is on its way or the computer thinks, it comes when the turn is here.
  hint() {
    const { match } = this;
    if (match.isOver) return undefined;
    if (match.pending === null && match.isMyTurn) return this.hints.show();
    queueHint(this.state);
    return this.tell(t("hint.thinking"));
  }

  async resign() {
    if ((await asked(t("ask.resign"), t("play.resign"))) && !this.match.isOver) this.match.ask({ type: "resign" });
  }

  // One that has begun already is gone to.
  rematch() {
    const { next_match: next } = this.match.state;
    if (next) this.#follow(next);
    else this.match.ask({ type: "rematch" });
  }

  // Asked before a running game is left.
  leaving() {
    const { view, sides } = this.match;
    if (!view || !sides.length || view.state.result || view.state.waiting) return null;
    return () => asked(t("ask.leave"), t("play.leave"), t("ask.leave_more"));
  }

  async leave() {
    const question = this.leaving();
    if (!question || (await question())) this.page.go("/");
  }

  /** @param {string} next */
  #follow(next) {
    const secret = seatSecret(this.id);
    if (secret) keepSeat(next, secret);
    this.page.go(`/match/${next}`);
  }

  /** @param {string} letter */
  #letter(letter) {
    const act = COMMANDS[letter];
    if (!act) return;
    if (!this.match.view) this.state.queue.push({ act });
    else if (this.match.sides.length && this.match.isMine) this[act]();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.pace?.key(event) ?? false;
  }

  /** @returns {Side} */
  get sideToMove() {
    if (this.pace) return this.pace.sideToMove;
    const { state } = this.match;
    return state.side_to_move ?? (state.ply % 2 ? "first" : "second"); // the last to drop, until the disc lies
  }

  /** @param {string} words */
  tell(words) {
    this.state.detail = words;
    this.page.say(words);
    this.panel.update();
  }

  #thinkingSoon() {
    clearTimeout(this.timers.thinking);
    this.state.isThinkingLong = false;
    this.timers.thinking = setTimeout(() => {
      this.state.isThinkingLong = true;
      if (this.match.view) this.panel.update();
    }, THINKING_DELAY_MS);
  }
}
