// The screen of a match that is played or watched.
import { errorMessage } from "../common/api.js";
import { confirmDialog } from "../common/confirm.js";
import { eventDetail } from "../board/board.js";
import { writeMoves, writeVariant } from "../board/convert.js";
import { saveGame, savedGame } from "./saved-games.js";
import { Hints } from "./hints.js";
import { COMMAND_KEYS, pressedLetter } from "../board/keyboard.js";
import { MatchSocket } from "./match-socket.js";
import { Match } from "./match.js";
import { isYou, opponentLevel, sideName } from "../texts/side-names.js";
import { isLocalMatch, storeSeatSecret, seatSecret } from "../common/storage.js";
import { MatchPanel } from "./match-panel.js";
import { nextLevel, readProgress, recordGame } from "./progress.js";
import { MatchSetup } from "./setup.js";
import {
  dropHint,
  newState,
  takeQueued,
  markEndAnnounced,
  queueColumn,
  queueHint,
  takeAnnouncement,
} from "./screen-state.js";
import { outcomeText, eventText } from "./sentences.js";
import { sounds } from "../common/sound.js";
import { t } from "../texts/texts.js";
import { otherSide } from "../board/start-position.js";

/** @import { NavigationState, Page, Side } from "../page-types.js"
 *  @import { EventMessage, SeatActionCommand, RedoCommand, SaidMessage, StateView, TakeBackCommand } from "../types.js" */

const RETURN_TO_ROOM_DELAY_MS = 6000; // the time from the end of a game until its room is shown again
const ABSENT_OFFER_TIMEOUT_MS = 5000; // how long an offered rematch waits for a player who is not connected but may come back
const OFFER_TIMEOUT_MS = 60_000; // the server waits a little longer, in case the page has been closed
const THINKING_DELAY_MS = 150; // the delay before "thinking" is shown

/** @param {Page} page @param {string[]} path @param {NavigationState | null} navigationState */
export async function open(page, [id, invitation], navigationState) {
  if (invitation && !seatSecret(id)) storeSeatSecret(id, invitation);
  const screen = new MatchScreen(page, id, navigationState ?? {}, await connectorFor(id));
  await screen.ready;
  return screen;
}

/** Returns how to connect: to the server, or for a match without a server to the local match.
 * @param {string} id @returns {Promise<(match: Match) => Match["connection"]>} */
async function connectorFor(id) {
  if (!isLocalMatch(id)) return (match) => new MatchSocket(id, seatSecret(id), match);
  const { LocalMatch } = await import("./local-match.js");
  return (match) => new LocalMatch(id, match);
}

export class MatchScreen {
  /** @param {Page} page @param {string} id @param {NavigationState} navigationState @param {(match: Match) => Match["connection"]} connect */
  constructor(page, id, { queue = [], invitation = null, fromStart = false, detail = "" }, connect) {
    this.page = page;
    this.id = id;
    this.state = newState(queue);
    this.state.detail = detail;
    this.fromStart = fromStart;
    /** @type {import("../strangers/match-part.js").MatchPart | null} */
    this.people = null; // only for two people on a server, outside rooms
    /** @type {import("./demo-playback.js").DemoPlayback | null} */
    this.playback = null; // only for a demo
    this.timers = { thinking: 0, leave: 0, left: 0, unanswered: 0 };
    this.invitation = invitation ?? savedGame(id)?.invitation ?? null;
    /** @type {PromiseWithResolvers<MatchScreen>} */
    this.readyDeferred = Promise.withResolvers();
    this.ready = this.readyDeferred.promise;
    this.isHelped = savedGame(id)?.helped ?? false; // whether the person used a hint, a score or an undo: such a game is not rated
    this.panel = new MatchPanel(this);
    this.hints = new Hints(this);
    this.listenerAbort = new AbortController();
    const { signal } = this.listenerAbort;
    page.setScreen(this);
    page.board.addEventListener("choose", (event) => this.onColumnChosen(eventDetail(event).column), { signal });
    page.board.addEventListener("land", () => sounds.land(), { signal });
    page.board.addEventListener("settled", () => this.#onBoardSettled(), { signal });
    document.addEventListener("keydown", (event) => this.#onLetter(pressedLetter(event)), { signal });
    this.match = new Match(id, this, connect);
  }

  close() {
    this.match.close();
    this.panel.close();
    this.playback?.close();
    this.people?.close();
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.listenerAbort.abort();
  }

  // Events of the match.

  async onWelcome() {
    const { match } = this;
    this.invitation ??= match.invitation;
    if (match.isDemo && !match.sides.length && !this.playback) await this.#startPlayback();
    if (this.listenerAbort.signal.aborted) return;
    this.panel.draw();
    this.#openPeople();
    this.#runQueued(); // runs before the board is shown, so that a disc dropped on the previous screen stays in place
    this.onChange();
    this.readyDeferred.resolve(this);
  }

  // Loads what a match of two people needs: phrases, and between strangers ratings and the series.
  async #openPeople() {
    const { match, people } = this;
    if (people) this.panel.elements?.people.replaceChildren(people.element); // the panel was drawn again
    if (people || isLocalMatch(match.id) || !match.isBetweenPeople) return;
    const { MatchPart } = await import("../strangers/match-part.js");
    if (this.people || this.listenerAbort.signal.aborted) return;
    this.people = new MatchPart(this);
    this.panel.elements?.people.replaceChildren(this.people.element);
    await this.people.open();
  }

  // Shows the drops of two computers at a fixed speed, as the computers may finish the game at once.
  async #startPlayback() {
    const { DemoPlayback } = await import("./demo-playback.js");
    if (this.listenerAbort.signal.aborted) return;
    this.playback = new DemoPlayback(this);
    await this.playback.start(this.fromStart);
  }

  /** @param {Error} error */
  onLost(error) {
    this.readyDeferred.reject(error);
  }

  /** @param {boolean} isUp */
  onConnectionChange(isUp) {
    this.page.showNotice(isUp ? "" : t("play.reconnecting"), { calm: true });
    if (isUp && this.state.isDisconnected) this.page.announce(t("play.back"));
    this.state.isDisconnected = !isUp;
  }

  onChange() {
    const { match } = this;
    if (!match.view) return;
    this.#save();
    this.page.board.show(this.playback ? this.playback.board : match.board);
    this.#scheduleThinkingNotice();
    this.#watchOffer();
    this.panel.update();
    this.hints.refreshScores();
  }

  // Stores what is needed to reopen the game on this device.
  #save() {
    const { match, id } = this;
    if (!match.sides.length) return;
    const { loadedView: view, state, variant } = match;
    const before = savedGame(id);
    if (before?.seq === view.seq && before.invitation === this.invitation) return;
    saveGame({
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
      helped: this.isHelped,
      result: state.result,
      touched: Date.now(),
    });
  }

  // Withdraws the person's own offer that is not answered in time, and a rematch if the other player has left.
  #watchOffer() {
    const { match, timers } = this;
    const { offer } = match.state;
    const isOwn = offer && match.sides.includes(offer.side);
    const hasLeft = offer?.what.endsWith("rematch") && match.absentSide;
    if (!isOwn) timers.unanswered = clear(timers.unanswered);
    if (!isOwn || !hasLeft) timers.left = clear(timers.left);
    if (!isOwn) return;
    timers.unanswered ||= setTimeout(() => this.#withdrawOffer("play.offer_unanswered"), OFFER_TIMEOUT_MS);
    if (hasLeft) timers.left ||= setTimeout(() => this.#withdrawOffer("play.rematch_left"), ABSENT_OFFER_TIMEOUT_MS);
  }

  /** @param {string} why the key of a text */
  #withdrawOffer(why) {
    const side = otherSide(this.match.sides[0]);
    this.state.withdrawal = t(why, { name: sideName(this.match, side) });
    this.match.request({ type: "decline" });
  }

  /** @param {EventMessage} message @param {StateView} before */
  onEvent(message, before) {
    const { event } = message;
    this.timers.unanswered = clear(this.timers.unanswered); // every event ends an offer or begins one
    this.#watchOffer();
    if (event === "dropped" || event === "taken_back") this.hints.clear();
    this.playback?.onEvent(message);
    if (event === "rematch_made") this.#openMatch(message.match);
    this.state.detail = event === "declined" ? this.#declinedText(message.side, before) : "";
    this.state.pendingAnnouncement = this.playback ? "" : eventText(this, message);
    this.panel.update();
    if (!this.page.board.busy || !this.match.isOver) this.#onBoardSettled();
    this.#runQueued();
  }

  /** @param {SaidMessage} message */
  onSaid({ side, phrase }) {
    this.people?.onSaid(side, phrase, sideName(this.match, side));
  }

  /** What is said when an offer has ended: whether it was declined, or withdrawn by the player who made it.
   * @param {Side} side @param {StateView} before */
  #declinedText(side, { offer }) {
    const { withdrawal } = this.state;
    this.state.withdrawal = "";
    if (side === offer?.side) return withdrawal;
    return this.match.sides.includes(side) ? "" : t("play.declined");
  }

  // Updates the text and announces it to screen readers, once no disc falls any more.
  #onBoardSettled() {
    if (!this.match.view) return;
    this.panel.update();
    const hasEnded = markEndAnnounced(this.state, this.isOver);
    const announcement = takeAnnouncement(this.state);
    const end = hasEnded || (announcement && this.isOver) ? outcomeText(this.match) : "";
    if (announcement || end) this.page.announce([announcement, end].filter(Boolean).join(" "));
    if (hasEnded) this.#onEnd();
  }

  #onEnd() {
    sounds.end(this.match);
    this.#recordProgress();
    this.panel.update();
    this.panel.showSummary();
    this.people?.onEnd();
    const { room } = this.match.loadedView;
    if (room && this.match.sides.length)
      this.timers.leave = setTimeout(() => this.page.navigate(`/room/${room}`), RETURN_TO_ROOM_DELAY_MS);
  }

  /** The next opponent who is not beaten yet; null until the current opponent is beaten. */
  get nextOpponent() {
    const { match } = this;
    const level = match.view && this.isOver ? opponentLevel(match) : null;
    if (!level || !isYou(match, match.state.result?.winner ?? null)) return null;
    const next = nextLevel(readProgress(), level);
    return next === level ? null : next;
  }

  async playNext() {
    const setup = new MatchSetup(() => {});
    setup.values.level = this.nextOpponent ?? setup.values.level;
    try {
      const { match } = await setup.create("one");
      this.page.navigate(`/match/${match.id}`);
    } catch (error) {
      this.page.showNotice(errorMessage(error));
    }
  }

  // Records the result of a game against one of the ten opponents.
  #recordProgress() {
    const { match, id } = this;
    const { level, winner } = { level: opponentLevel(match), winner: match.state.result?.winner };
    if (!level) return;
    const { start, swap } = match.loadedView;
    const isClassic = writeVariant(match.variant) === "7x6x4" && !start && !swap;
    const score = winner ? (isYou(match, winner) ? 1 : 0) : 0.5;
    recordGame({ id, level, score, isRated: isClassic && !this.isHelped }).catch(() => {});
  }

  onDropAnswered() {
    this.#runQueued();
  }

  /** @param {any} error @param {number} [column] */
  onRefused(error, column) {
    this.showMessage(
      error.reason === "column_full" && column !== undefined
        ? t("error.ColumnFull", { column: column + 1 })
        : error.message,
    );
  }

  // Actions of a person.

  get isOver() {
    return this.match.isOver && !this.page.board.busy && (!this.playback || this.playback.isAtEnd);
  }

  /** @param {number} column */
  onColumnChosen(column) {
    const { match } = this;
    dropHint(this.state);
    if (!match.view) return this.state.queue.push({ column });
    if (!match.sides.length) return this.showMessage(t("refused.no_seat"));
    if (match.isOver) return this.showMessage(t("refused.match_over"));
    if (match.state.waiting) return this.showMessage(t("refused.waiting_for_opponent"));
    if (match.pendingDrop) return this.#queueColumn(column);
    if (match.isMyTurn) return this.#dropOrRefuse(column);
    return match.isControlledHere ? this.#queueColumn(column) : this.showMessage(t("refused.not_your_turn"));
  }

  /** @param {number} column */
  #dropOrRefuse(column) {
    if (!this.match.state.legal_columns.includes(column))
      return this.showMessage(t("error.ColumnFull", { column: column + 1 }));
    this.state.detail = "";
    this.hints.clear();
    return this.match.drop(column);
  }

  /** Keeps a column that is chosen while the computer thinks, to drop a disc there on the next turn. @param {number} column */
  #queueColumn(column) {
    const bothHere = this.match.sides.length === 2;
    queueColumn(this.state, column, bothHere);
    if (!bothHere) this.showMessage(t("play.queued", { column: column + 1 }));
  }

  #runQueued() {
    const wish = this.match.view && takeQueued(this.state, this.match);
    if (!wish) return;
    if (wish.column !== undefined) this.#dropOrRefuse(wish.column);
    else if (wish.act === "hint") this.hint();
    else this.#request({ type: wish.act === "redo" ? "redo" : "take_back" });
  }

  /** Sends a request; queued input waits for the answer. @param {SeatActionCommand | RedoCommand | TakeBackCommand} message */
  async #request(message) {
    this.state.isRequestPending = true;
    await this.match.request(message);
    this.state.isRequestPending = false;
    this.#runQueued();
  }

  swap() {
    this.state.queue = [];
    this.#request({ type: "swap" });
  }

  extend() {
    this.state.queue = [];
    this.#request({ type: "extend" });
  }

  // Takes back a move and clears the queue.
  undo() {
    this.isHelped = true;
    this.state.queue = [];
    this.#request({ type: "take_back" });
  }

  redo() {
    this.#request({ type: "redo" });
  }

  restart() {
    this.isHelped = true;
    this.state.queue = [];
    this.#request({ type: "take_back", to_ply: this.match.firstPlyToKeep });
  }

  // Shows a hint. If it is not the person's turn yet, the hint comes on the next turn.
  hint() {
    const { match } = this;
    if (match.isOver) return undefined;
    this.isHelped = true;
    if (match.pendingDrop === null && match.isMyTurn) return this.hints.showHint();
    queueHint(this.state);
    return this.showMessage(t("hint.thinking"));
  }

  async resign() {
    if ((await confirmDialog(t("ask.resign"), t("play.resign"))) && !this.match.isOver)
      this.match.request({ type: "resign" });
  }

  /** Asks for a rematch, or opens the rematch if it exists already. A fair rematch begins from a start that is proven to be a
   * draw. @param {"rematch" | "fair_rematch"} [type] */
  rematch(type = "rematch") {
    const { next_match: next } = this.match.state;
    if (next) this.#openMatch(next);
    else this.match.request({ type });
  }

  /** The question before a running game is left; null if none is needed. */
  confirmLeaving() {
    const { view, sides } = this.match;
    if (!view || !sides.length || view.state.result || view.state.waiting) return null;
    return () => confirmDialog(t("ask.leave"), t("play.leave"), t("ask.leave_more"));
  }

  async leave() {
    const question = this.confirmLeaving();
    if (!question || (await question())) this.page.navigate("/");
  }

  /** @param {string} next */
  #openMatch(next) {
    const secret = seatSecret(this.id);
    if (secret) storeSeatSecret(next, secret);
    this.page.navigate(`/match/${next}`);
  }

  /** @param {string} letter */
  #onLetter(letter) {
    const act = COMMAND_KEYS[letter];
    if (!act) return;
    if (!this.match.view) this.state.queue.push({ act });
    else if (this.match.sides.length && this.match.isControlledHere) this[act]();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    return this.playback?.onKey(event) ?? false;
  }

  /** @returns {Side} */
  get sideToMove() {
    if (this.playback) return this.playback.sideToMove;
    const { state } = this.match;
    return state.turn ?? (state.ply % 2 ? "first" : "second"); // after the end: the side that would move next
  }

  /** @param {string} words */
  showMessage(words) {
    this.state.detail = words;
    this.page.announce(words);
    this.panel.update();
  }

  #scheduleThinkingNotice() {
    clearTimeout(this.timers.thinking);
    this.state.showsThinking = false;
    this.timers.thinking = setTimeout(() => {
      this.state.showsThinking = true;
      if (this.match.view) this.panel.update();
    }, THINKING_DELAY_MS);
  }
}

/** Ends a timer and returns 0, the value of no timer. @param {number} timer */
function clear(timer) {
  clearTimeout(timer);
  return 0;
}
