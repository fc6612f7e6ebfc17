// Analysis and review: a game as a line that can be walked, explored, explained, replayed, shared and played on.
import { api } from "./api.js";
import { gameBoard, writeMoves, writeVariant } from "./boards.js";
import { keepSeat, remember, remembered } from "./memory.js";
import { gamePath, parseGamePath } from "./paths.js";
import { ReviewPanel } from "./reviewpanel.js";
import { columnScores } from "./scores.js";
import { language, t } from "./texts.js";

const REST_MS = 350; // after the last change, before the whole game is reviewed

export async function open(page, path, handed) {
  const screen = new Review(page, handed ?? {});
  await screen.load(parseGamePath(path));
  if (handed?.play) await screen.playFromHere();
  return screen;
}

class Review {
  constructor(page, { players = null, verdict = "" }) {
    Object.assign(this, { page, players, verdict, ply: 0, game: null, review: null, timer: null, questions: {} });
    this.wishes = { scores: true, threats: false, ...remembered("review", {}) };
    this.panel = new ReviewPanel(this);
    this.choose = (event) => this.explore(event.detail.column);
    page.opens(this);
    page.board.addEventListener("choose", this.choose);
  }

  close() {
    this.page.board.removeEventListener("choose", this.choose);
    this.pause();
    clearTimeout(this.reviewing);
    for (const question of Object.values(this.questions)) question.abort();
  }

  get last() { return this.game.columns.length; }

  get view() { return this.game.positions[this.ply]; }

  name(side) { return this.players?.[side] || t(`name.${side}`); }

  async load(writing, ply = null) {
    this.game = await api.game(writing);
    this.review = null;
    this.ply = ply ?? this.last;
    this.panel.draw();
    this.show();
    this.#reviewSoon();
  }

  // Walk.

  moveTo(ply) {
    if (ply === this.ply || ply < 0 || ply > this.last) return;
    this.ply = ply;
    this.show();
    this.page.say(this.panel.sentence());
  }

  show() {
    const hand = this.view.side_to_move;
    this.page.board.show(gameBoard(this.game, this.ply, hand));
    this.panel.update();
    this.#showScores();
    this.#showThreats();
  }

  // A click on the board goes on from here: along the game, or into a line of its own.
  explore(column) {
    if (!this.view.legal_columns.includes(column)) {
      const over = this.view.result !== null;
      return this.page.say(over ? t("refused.match_over") : t("error.ColumnFull", { column: column + 1 }));
    }
    if (this.game.columns[this.ply] === column) return this.moveTo(this.ply + 1);
    this.page.board.place(column, this.view.side_to_move);
    const moves = writeMoves([...this.game.columns.slice(0, this.ply), column], this.game.variant.width);
    const writing = { variant: writeVariant(this.game.variant), moves, start: this.game.start };
    history.replaceState(null, "", `#${gamePath(writing)}`);
    return this.load(writing);
  }

  play(speed) {
    this.pause();
    if (this.ply === this.last) this.moveTo(0);
    this.timer = setInterval(() => {
      if (this.ply === this.last) return this.pause();
      return this.moveTo(this.ply + 1);
    }, 1000 / speed);
    this.panel.update();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.game) this.panel.update();
  }

  // Ask: each kind of question has one answer under way; a newer question cancels the older.

  #ask(kind, question) {
    this.questions[kind]?.abort();
    const stop = this.questions[kind] = new AbortController();
    return question(stop.signal).catch((error) => {
      if (error.name !== "AbortError") this.panel.tell(error.message);
      return null;
    });
  }

  order(ply = this.ply) {
    return { variant: this.game.variant, start: this.game.board, moves: this.game.columns.slice(0, ply) };
  }

  wish(name, on) {
    this.wishes[name] = on;
    remember("review", this.wishes);
    this.show();
  }

  async #showScores() {
    this.page.board.showScores(null);
    this.questions.scores?.abort();
    if (!this.wishes.scores || this.view.result) return;
    const ply = this.ply;
    const analysis = await this.#ask("scores", (signal) => api.scores(this.order(), signal));
    if (analysis && this.ply === ply) this.page.board.showScores(columnScores(analysis, this.game.variant, this.view.ply));
  }

  async #showThreats() {
    this.page.board.showThreats([]);
    this.panel.showThreats([]);
    if (!this.wishes.threats || this.view.result) return;
    const ply = this.ply;
    const answer = await this.#ask("threats", (signal) => api.threats(this.order(), signal));
    if (!answer || this.ply !== ply) return;
    this.page.board.showThreats(answer.threats);
    this.panel.showThreats(answer.threats);
  }

  #reviewSoon() {
    clearTimeout(this.reviewing);
    if (this.last) this.reviewing = setTimeout(() => this.#review(), REST_MS);
  }

  async #review() {
    this.panel.tell(t("review.working"));
    const game = this.game;
    const review = await this.#ask("review", (signal) => api.review({ ...this.order(this.last), language }, signal));
    if (!review || game !== this.game) return;
    this.review = review;
    this.panel.tell("");
    this.panel.drawReview();
    this.panel.update();
  }

  // Go on.

  async playFromHere() {
    const { variant, start, moves } = this.order();
    const me = { kind: "me", name: remembered("home", {}).name ?? "" };
    const computer = { kind: "player", player: `level:${remembered("home", {}).level ?? 3}` };
    const mine = this.view.side_to_move;
    const seats = mine === "first" ? { first: me, second: computer } : { first: computer, second: me };
    const { match, secret } = await api.create({ variant, start, moves, ...seats });
    keepSeat(match.id, secret);
    this.page.go(`/match/${match.id}`);
  }

  path() {
    return gamePath({ variant: writeVariant(this.game.variant), moves: this.game.moves, start: this.game.start });
  }
}
