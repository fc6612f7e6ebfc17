// A match: playing it, or watching it.
import { asked } from "./ask.js";
import { writeMoves, writeStart, writeVariant } from "./boards.js";
import { keepGame, keptGame } from "./games.js";
import { Hints } from "./hints.js";
import { COMMANDS, letterOf } from "./keys.js";
import { Match } from "./match.js";
import { isYou, sideName } from "./names.js";
import { keepSeat, seatSecret } from "./memory.js";
import { PlayPanel } from "./playpanel.js";
import { sounds } from "./sound.js";
import { t } from "./texts.js";

const PATIENCE_MS = 150; // nothing is said to be thinking before this


export async function open(page, [id, invitation], handed) {
  if (invitation && !seatSecret(id)) keepSeat(id, invitation);
  const screen = new Play(page, id, handed ?? {});
  await screen.ready;
  return screen;
}

/** @typedef {{ column?: number, act?: string }} Wish */

class Play {
  /** @param {any} page @param {string} id @param {{ wishes?: Wish[], invitation?: string | null, fromStart?: boolean }} handed */
  constructor(page, id, { wishes = [], invitation = null, fromStart = false }) {
    this.page = page;
    this.id = id;
    this.detail = ""; // the sentence under the headline
    this.said = ""; // what is told when the last disc lies
    this.fromStart = fromStart;
    this.pace = null;
    this.patient = false;
    this.celebrated = false;
    this.asking = false; // something is taken back or played again, and not answered yet
    /** @type {Wish[]} */
    this.queue = wishes; // columns and commands that wait for their turn, in the order in which they were pressed
    this.invitation = invitation ?? keptGame(id)?.invitation ?? null;
    this.ready = new Promise((resolve, reject) => { this.resolve = resolve; this.reject = reject; });
    this.panel = new PlayPanel(this);
    this.hints = new Hints(this);
    this.listening = new AbortController();
    const { signal } = this.listening;
    page.opens(this);
    page.board.addEventListener("choose", (event) => this.chosen(event.detail.column), { signal });
    page.board.addEventListener("land", () => sounds.land(), { signal });
    page.board.addEventListener("settled", () => this.#settled(), { signal });
    document.addEventListener("keydown", (event) => this.#letter(letterOf(event)), { signal });
    this.match = new Match(id, seatSecret(id), this);
  }

  close() {
    this.match.close();
    this.panel.close();
    this.pace?.close();
    clearTimeout(this.patience);
    this.listening.abort();
  }

  // What the match tells.

  async welcomed() {
    const { match } = this;
    this.invitation ??= match.invitation;
    if (match.isDemo && !match.sides.length && !this.pace) await this.#setPace();
    this.panel.draw();
    this.changed();
    this.resolve(this);
    this.#playQueued();
  }

  // Two computers may be done in a blink: what they play is shown at a pace.
  async #setPace() {
    const { Pace } = await import("./pace.js");
    if (this.listening.signal.aborted) return;
    this.pace = new Pace(this);
    await this.pace.begin(this.fromStart);
  }

  lost(error) { this.reject(error); }

  connection(isUp) {
    this.page.notice(isUp ? "" : t("play.reconnecting"), { calm: true });
    if (isUp && this.wasAway) this.page.say(t("play.back"));
    this.wasAway = !isUp;
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
    const { view, state, variant } = match;
    const before = keptGame(id);
    if (before?.seq === view.seq && before.invitation === this.invitation) return;
    keepGame({ id, seq: view.seq, secret: seatSecret(id), invitation: state.waiting ? this.invitation : null, variant: writeVariant(variant),
      start: writeStart(view.start), moves: writeMoves(match.moves, variant.width), ply: state.ply, sides: match.sides,
      names: { first: sideName(match, "first"), second: sideName(match, "second") }, previous: view.previous ?? null,
      result: state.result, touched: Date.now() });
  }

  happened(message) {
    this.detail = "";
    const { event } = message;
    if (event === "dropped" || event === "taken_back") this.hints.forget();
    this.pace?.happened(message);
    const tell = { dropped: () => this.#tellDrop(message), taken_back: () => t("done.undo"), redone: () => t("done.redo"),
      joined: () => t("play.joined", { name: message.name || t(`name.${message.side}`) }), declined: () => t("play.declined"),
      rematch_made: () => { this.#follow(message.match); return ""; } }[event];
    if (event === "declined") this.detail = t("play.declined");
    this.said = this.pace ? "" : tell?.() ?? "";
    this.panel.update();
    if (!this.page.board.busy || !this.match.isOver) this.#settled();
    this.#playQueued();
  }

  // The last disc lies: now the words follow.
  #settled() {
    if (!this.match.view) return;
    this.panel.update();
    const ended = this.isOver && !this.celebrated;
    if (this.isOver !== Boolean(this.celebrated)) this.celebrated = this.isOver;
    const words = [this.said, ended || (this.said && this.isOver) ? this.outcome() : ""].filter(Boolean).join(" ");
    this.said = "";
    if (words) this.page.say(words);
    if (ended) sounds.end(this.match);
  }

  confirmed() { this.#playQueued(); }

  refused(error, column = null) {
    this.tell(error.reason === "column_full" && column !== null ? t("error.ColumnFull", { column: column + 1 }) : error.message);
  }

  // What a person does.

  get isOver() { return this.match.isOver && !this.page.board.busy && (!this.pace || this.pace.isAtEnd); }

  chosen(column) {
    const { match } = this;
    this.queue = this.queue.filter((wish) => wish.act !== "hint");
    if (!match.view) return this.queue.push({ column });
    if (!match.sides.length) return this.tell(t("refused.no_seat"));
    if (match.isOver) return this.tell(t("refused.match_over"));
    if (match.state.waiting) return this.tell(t("refused.waiting"));
    if (match.pending) return this.#wait(column);
    if (match.isMyTurn) return this.#dropOrRefuse(column);
    return match.isMine ? this.#wait(column) : this.tell(t("refused.not_your_turn"));
  }

  #dropOrRefuse(column) {
    if (!this.match.state.legal_columns.includes(column)) return this.tell(t("error.ColumnFull", { column: column + 1 }));
    this.detail = "";
    this.hints.forget();
    return this.match.drop(column);
  }

  // A column chosen while the computer thinks is kept, and played when it is done.
  #wait(column) {
    const bothHere = this.match.sides.length === 2;
    this.queue = bothHere ? [...this.queue, { column }] : [{ column }];
    if (!bothHere) this.tell(t("play.queued", { column: column + 1 }));
  }

  #playQueued() {
    const { match } = this;
    if (!match.view || !this.queue.length || match.pending || this.asking) return;
    const [wish] = this.queue;
    if (wish.column !== undefined || wish.act === "hint") {
      if (!match.isMyTurn) return;
      this.queue.shift();
      if (wish.column !== undefined) this.#dropOrRefuse(wish.column);
      else this.hint();
      return;
    }
    this.queue.shift();
    this.#ask({ undo: "take_back", redo: "redo" }[wish.act]);
  }

  // What waits after it is played when this is answered.
  async #ask(type, facts = {}) {
    this.asking = true;
    await this.match.ask(type, facts);
    this.asking = false;
    this.#playQueued();
  }

  // Undo drops what waits: whoever takes back wants to think again.
  undo() { this.queue = []; this.#ask("take_back"); }

  redo() { this.#ask("redo"); }

  restart() { this.queue = []; this.#ask("take_back", { to_ply: this.match.startPly }); }

  // Asked while a disc is on its way or the computer thinks, it comes when the turn is here.
  hint() {
    const { match } = this;
    if (match.isOver) return undefined;
    if (match.pending === null && match.isMyTurn) return this.hints.show();
    this.queue = [...this.queue.filter((wish) => wish.act !== "hint"), { act: "hint" }];
    return this.tell(t("hint.thinking"));
  }

  async resign() {
    if (await asked(t("ask.resign"), t("play.resign")) && !this.match.isOver) this.match.ask("resign");
  }

  // Asked before a running game is left.
  leaving() {
    const { view, sides, isOver, state } = this.match;
    if (!view || !sides.length || isOver || state.waiting) return null;
    return () => asked(t("ask.leave"), t("play.leave"), t("ask.leave_more"));
  }

  async leave() {
    const question = this.leaving();
    if (!question || await question()) this.page.go("/");
  }

  #follow(next) {
    const secret = seatSecret(this.id);
    if (secret) keepSeat(next, secret);
    this.page.go(`/match/${next}`);
  }

  #letter(letter) {
    const act = COMMANDS[letter];
    if (!act) return;
    if (!this.match.view) this.queue.push({ act });
    else if (this.match.sides.length && this.match.isMine) this[act]();
  }

  key(event) { return this.pace?.key(event) ?? false; }

  // Words.

  outcome() {
    const { result } = this.match.state;
    const winner = result.winner;
    if (!winner) return t(result.reason === "agreed" ? "result.agreed" : "result.draw");
    const who = isYou(this.match, winner) ? t("result.you") : t("result.other", { name: sideName(this.match, winner) });
    const why = { resigned: "result.resigned", time: "result.time", forfeit: "result.forfeit" }[result.reason];
    return why ? `${who} ${t(why, { name: sideName(this.match, winner === "first" ? "second" : "first") })}` : who;
  }

  // Whose turn it is, and after the last disc lies, who won.
  headline() {
    const { match } = this;
    if (this.isOver) return this.outcome();
    if (match.state.waiting) return t("play.waiting");
    const side = this.sideToMove;
    if (isYou(match, side)) return t("play.your_turn");
    const name = sideName(match, side);
    const thinks = match.view.seats[side].kind === "player" && this.patient && !match.isOver && !this.pace;
    return thinks ? t("computer.thinking", { name }) : t("turn.other", { name });
  }

  get sideToMove() {
    if (this.pace) return this.pace.sideToMove;
    const { state } = this.match;
    return state.side_to_move ?? (state.ply % 2 ? "first" : "second"); // the last to drop, until the disc lies
  }

  #tellDrop({ side, column, row }) {
    const facts = { name: sideName(this.match, side), column: column + 1, row: row + 1 };
    return t(isYou(this.match, side) ? "move.you" : "move.other", facts);
  }

  tell(words) {
    this.detail = words;
    this.page.say(words);
    this.panel.update();
  }

  #thinkingSoon() {
    clearTimeout(this.patience);
    this.patient = false;
    this.patience = setTimeout(() => { this.patient = true; if (this.match.view) this.panel.update(); }, PATIENCE_MS);
  }
}
