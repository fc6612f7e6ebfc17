// A match: playing it, or watching it.
import { Match } from "./match.js";
import { isYou, sideName } from "./names.js";
import { keepSeat, seatSecret } from "./memory.js";
import { PlayPanel } from "./playpanel.js";
import { bestColumns, columnScores, worth } from "./scores.js";
import { t } from "./texts.js";

const PATIENCE_MS = 150; // nothing is said to be thinking before this

export async function open(page, [id, invitation], handed) {
  if (invitation && !seatSecret(id)) keepSeat(id, invitation);
  const screen = new Play(page, id, handed ?? {});
  await screen.ready;
  return screen;
}

class Play {
  constructor(page, id, { columns = [], invitation = null }) {
    Object.assign(this, { page, id, queue: columns, invitation, showScores: false, detail: "", scored: null, hintWanted: false });
    this.ready = new Promise((resolve, reject) => { this.resolve = resolve; this.reject = reject; });
    this.panel = new PlayPanel(this);
    this.choose = (event) => this.chosen(event.detail.column);
    this.key = (event) => this.#shortcut(event);
    page.opens(this);
    page.board.addEventListener("choose", this.choose);
    document.addEventListener("keydown", this.key);
    this.match = new Match(id, seatSecret(id), this);
  }

  close() {
    this.match.close();
    this.panel.close();
    clearTimeout(this.patience);
    this.page.board.removeEventListener("choose", this.choose);
    document.removeEventListener("keydown", this.key);
  }

  // What the match tells.

  welcomed() {
    this.panel.draw();
    this.resolve();
    this.#playQueued();
    this.changed();
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
    this.page.board.show(match.board);
    this.#thinkingSoon();
    this.panel.update();
    this.#scoresIfWanted();
  }

  happened(message) {
    this.detail = "";
    const tell = { dropped: () => this.#tellDrop(message), taken_back: () => t("done.undo"), redone: () => t("done.redo"),
      joined: () => t("play.joined", { name: message.name || t(`name.${message.side}`) }), declined: () => t("play.declined"),
      rematch_made: () => { this.#follow(message.match); return ""; } }[message.event];
    const words = [tell?.() ?? "", this.match.isOver ? this.outcome() : ""].filter(Boolean).join(" ");
    if (message.event === "declined") this.detail = t("play.declined");
    if (words) this.page.say(words);
    this.#playQueued();
  }

  confirmed() { this.#playQueued(); }

  refused(error, column = null) {
    this.detail = error.reason === "column_full" && column !== null ? t("error.ColumnFull", { column: column + 1 }) : error.message;
    this.page.say(this.detail);
    this.panel.update();
  }

  // What a person does.

  chosen(column) {
    const { match } = this;
    this.hintWanted = false;
    if (!match.view) return this.queue.push(column);
    if (!match.sides.length) return this.#tell(t("refused.no_seat"));
    if (match.isOver) return this.#tell(t("refused.match_over"));
    if (match.state.waiting) return this.#tell(t("refused.waiting"));
    if (match.pending) return this.#queue(column);
    if (match.isMyTurn) return this.#dropOrRefuse(column);
    return match.isMine ? this.#queue(column) : this.#tell(t("refused.not_your_turn"));
  }

  #dropOrRefuse(column) {
    if (!this.match.state.legal_columns.includes(column)) return this.#tell(t("error.ColumnFull", { column: column + 1 }));
    this.detail = "";
    this.page.board.showScores(null);
    return this.match.drop(column);
  }

  // A click made while the computer thinks is kept, and played when it is done.
  #queue(column) {
    const bothHere = this.match.sides.length === 2;
    this.queue = bothHere ? [...this.queue, column] : [column];
    if (!bothHere) this.#tell(t("play.queued", { column: column + 1 }));
  }

  #playQueued() {
    if (!this.match.isMyTurn || this.match.pending) return;
    if (this.queue.length) this.#dropOrRefuse(this.queue.shift());
    else if (this.hintWanted) this.hint();
  }

  undo() { this.queue = []; this.match.ask("take_back"); }

  redo() { this.match.ask("redo"); }

  restart() { this.queue = []; this.match.ask("take_back", { to_ply: this.match.startPly }); }

  // Asked while a disc is on its way or the computer thinks, it comes when the turn is here.
  async hint() {
    const { match } = this;
    this.#tell(t("hint.thinking"));
    this.hintWanted = !match.isOver && (match.pending !== null || !match.isMyTurn);
    if (this.hintWanted) return;
    const ply = this.match.state.ply;
    const analysis = await this.match.ask("analyse");
    if (!analysis || ply !== this.match.state.ply) return;
    if (analysis.exact) return this.#showHint(analysis, ply);
    const hint = await this.match.ask("hint");
    if (hint && ply === this.match.state.ply) this.#tell(t("hint.best", { count: 1, columns: hint.column + 1 }));
  }

  #showHint(analysis, ply) {
    const best = bestColumns(analysis);
    const value = worth(analysis.scores[best[0]], this.match.variant, ply);
    this.page.board.showScores(columnScores(analysis, this.match.variant, ply));
    this.#tell(`${t("hint.best", { count: best.length, columns: best.map((c) => c + 1).join(", ") })} ${t("hint.worth", { worth: value })}`);
  }

  toggleScores(on) {
    this.showScores = on;
    this.scored = null;
    if (!on) this.page.board.showScores(null);
    this.#scoresIfWanted();
  }

  async #scoresIfWanted() {
    const { match } = this;
    const mine = match.isMyTurn || !match.sides.length;
    if (!this.showScores || match.pending || match.isOver || !mine) return;
    const ply = match.state.ply;
    if (this.scored === match.view.seq) return;
    this.scored = match.view.seq;
    this.page.board.showScores(null);
    const analysis = await match.ask("analyse");
    if (analysis && this.showScores && ply === match.state.ply) {
      this.page.board.showScores(columnScores(analysis, match.variant, ply));
    }
  }

  #follow(next) {
    const secret = seatSecret(this.id);
    if (secret) keepSeat(next, secret);
    this.page.go(`/match/${next}`);
  }

  // Words.

  outcome() {
    const { result } = this.match.state;
    const winner = result.winner;
    if (!winner) return t(result.reason === "agreed" ? "result.agreed" : "result.draw");
    const who = isYou(this.match, winner) ? t("result.you") : t("result.other", { name: sideName(this.match, winner) });
    const why = { resigned: "result.resigned", time: "result.time", forfeit: "result.forfeit" }[result.reason];
    return why ? `${who} ${t(why, { name: sideName(this.match, winner === "first" ? "second" : "first") })}` : who;
  }

  headline() {
    const { match } = this;
    if (match.isOver) return this.outcome();
    if (match.state.waiting) return t("play.waiting");
    const side = match.state.side_to_move;
    if (isYou(match, side)) return t("play.your_turn");
    const name = sideName(match, side);
    return match.view.seats[side].kind === "player" && this.patient ? t("computer.thinking", { name }) : t("turn.other", { name });
  }

  #tellDrop({ side, column, row }) {
    const facts = { name: sideName(this.match, side), column: column + 1, row: row + 1 };
    return t(isYou(this.match, side) ? "move.you" : "move.other", facts);
  }

  #tell(words) {
    this.detail = words;
    this.page.say(words);
    this.panel.update();
  }

  #thinkingSoon() {
    clearTimeout(this.patience);
    this.patient = false;
    this.patience = setTimeout(() => { this.patient = true; if (this.match.view) this.panel.update(); }, PATIENCE_MS);
  }

  #shortcut(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog")) return;
    const act = { u: () => this.undo(), r: () => this.redo(), h: () => this.hint() }[event.key.toLowerCase()];
    if (act && this.match.view && this.match.sides.length && this.match.isMine) act();
  }
}
