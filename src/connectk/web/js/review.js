// Analysis and review: a game as a line that can be walked, with tries beside it that never change it.
import { api } from "./api.js";
import { cell, gameBoard, writeMoves, writeVariant } from "./boards.js";
import { keepSeat, remember, remembered } from "./memory.js";
import { gamePath, parseGamePath } from "./paths.js";
import { ReviewPanel } from "./reviewpanel.js";
import { columnScores } from "./scores.js";
import { showSeats } from "./seats.js";
import { language, t } from "./texts.js";

const REST_MS = 350; // after the last change, before the whole game is reviewed
const AT_ONCE = 0.8; // seconds for the first answer about scores
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Where a review gets its facts: the server, or data that came with the page.
 * @typedef {{ game: Function, scores: Function, threats: Function, review: Function }} Source */

export async function open(page, path, handed) {
  const screen = new Review(page, handed ?? {});
  await screen.load(parseGamePath(path));
  if (handed?.play) await screen.playFromHere();
  return screen;
}

export class Review {
  /** @param {any} page @param {{ players?: Record<string, string> | null, verdict?: string, given?: number, alone?: boolean }} handed @param {Source} source */
  constructor(page, { players = null, verdict = "", given = 0, alone = false }, source = api) {
    this.page = page;
    this.alone = alone; // one file without a server: the game can be walked, not changed or played on
    this.players = players;
    this.verdict = verdict;
    this.given = given; // how many of the first moves nobody chose
    this.source = source;
    this.ply = 0;
    this.main = null; // the game
    this.line = null; // { from, game }: a try beside it
    this.review = null;
    this.timer = null;
    this.tried = Promise.resolve(); // the last column tried, once its board is here
    /** @type {Record<string, AbortController>} */
    this.questions = {};
    this.wishes = { scores: true, threats: false, ...remembered("review", {}) };
    this.panel = new ReviewPanel(this);
    this.choose = (event) => this.explore(event.detail.column);
    page.opens(this);
    page.board.setAttribute("stepping", "");
    page.board.addEventListener("choose", this.choose);
  }

  close() {
    this.page.board.removeEventListener("choose", this.choose);
    this.page.board.removeAttribute("stepping");
    this.pause();
    clearTimeout(this.reviewing);
    for (const question of Object.values(this.questions)) question.abort();
  }

  // The line that is walked: the game, or a try beside it.
  get game() { return this.line?.game ?? this.main; }

  get last() { return this.game.columns.length; }

  get view() { return this.game.positions[this.ply]; }

  // Where the game itself stands while a try goes on.
  get mainPly() { return this.line ? this.line.from : this.ply; }

  name(side) { return this.players?.[side] || t(`name.${side}`); }

  async load(writing, ply = null) {
    this.main = await this.source.game({ variant: writing.variant, moves: writing.moves, start: writing.start });
    this.isBuilt = !this.main.columns.length; // an empty board: what is dropped becomes the game
    this.line = await this.#lineOf(writing.tries);
    this.review = null;
    this.ply = ply ?? history.state?.ply ?? this.last;
    this.panel.draw();
    this.show();
    this.#reviewSoon();
  }

  async #lineOf(tries) {
    if (!tries) return null;
    const { variant, moves, start } = this.#written();
    const begun = this.main.columns.slice(0, tries.from);
    const separator = this.main.variant.width > 9 ? "," : "";
    const all = [writeMoves(begun, this.main.variant.width), tries.moves].filter(Boolean).join(separator);
    return { from: Math.min(tries.from, this.main.columns.length), game: moves === all ? this.main : await this.source.game({ variant, moves: all, start }) };
  }

  // Back and Forward: the same game with another try, or none.
  revisit(path) {
    const writing = parseGamePath(path);
    const { variant, moves, start } = this.#written();
    if (writing.variant !== variant || writing.moves !== moves || writing.start !== start) return false;
    this.#lineOf(writing.tries).then((line) => this.#goto(line, history.state?.ply ?? (line ? line.game.columns.length : this.main.columns.length)));
    return true;
  }

  #goto(line, ply) {
    this.pause();
    this.line = line;
    this.ply = Math.min(ply, this.last);
    this.panel.drawTry();
    this.show();
  }

  // Walk.

  moveTo(ply) {
    const to = Math.max(0, Math.min(this.last, ply));
    if (to === this.ply) return;
    if (this.line && to < this.line.from) return this.moveMain(to);
    this.ply = to;
    this.show();
    this.page.say(this.panel.sentence());
  }

  // Along the game itself, out of any try.
  moveMain(ply) {
    if (this.line) this.#address(null, ply);
    this.#goto(null, ply);
    this.page.say(this.panel.sentence());
  }

  // To a ply, with the board in sight: on a phone it may be above the window.
  visit(ply) {
    this.moveMain(ply);
    this.page.board.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const step = KEYS[event.key];
    if (step === undefined || !this.main) return false;
    this.pause();
    this.moveTo(this.ply + step);
    return true;
  }

  show() {
    this.page.board.show(gameBoard(this.game, this.ply, this.alone ? null : this.view.side_to_move));
    showSeats({ side: "second", name: this.name("second") }, { side: "first", name: this.name("first") });
    this.page.board.showLine([]);
    this.panel.update();
    this.#showScores();
    this.#showThreats();
  }

  // How a move should have been, from the board before it, or how it is met, from the board after it.
  showLine(ply, cells) {
    this.visit(ply);
    this.page.board.showLine(cells.map(cell), this.view.side_to_move);
  }

  // Columns pressed faster than their boards come are tried in turn, each on the board that the one before left.
  explore(column) {
    const next = this.tried.then(() => this.#explore(column));
    this.tried = next.catch(() => {});
    return next;
  }

  // A column tried on the board: along the line, or a try beside it. The game stays as it was.
  async #explore(column) {
    if (!this.view.legal_columns.includes(column)) {
      const over = this.view.result !== null;
      return this.page.say(over ? t("refused.match_over") : t("error.ColumnFull", { column: column + 1 }));
    }
    this.pause();
    if (this.game.columns[this.ply] === column) return this.moveTo(this.ply + 1);
    if (this.alone) return;
    this.page.board.place(column, this.view.side_to_move);
    const columns = [...this.game.columns.slice(0, this.ply), column];
    return this.isBuilt && !this.line && this.ply === this.last ? this.#build(columns) : this.#try(columns);
  }

  async #try(columns) {
    const from = this.line ? this.line.from : this.ply;
    const { width } = this.main.variant;
    const tries = { from, moves: writeMoves(columns.slice(from), width) };
    const line = { from, game: await this.source.game({ ...this.#written(), moves: writeMoves(columns, width) }) };
    this.#address(tries, columns.length);
    this.#goto(line, columns.length);
  }

  async #build(columns) {
    const writing = { ...this.#written(), moves: writeMoves(columns, this.main.variant.width) };
    history.pushState({ ply: columns.length }, "", `#${gamePath(writing)}`);
    await this.load(writing, columns.length);
    this.isBuilt = true;
  }

  // Each try is a step that Back undoes.
  #address(tries, ply) {
    history.replaceState({ ply: this.ply }, "");
    history.pushState({ ply }, "", `#${gamePath({ ...this.#written(), tries })}`);
  }

  play(speed) {
    this.pause();
    if (this.ply === this.last) this.moveTo(this.line ? this.line.from : 0);
    this.timer = setInterval(() => {
      if (this.ply === this.last) return this.pause();
      return this.moveTo(this.ply + 1);
    }, 1000 / speed);
    this.panel.update();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.main) this.panel.update();
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

  order(game = this.game, ply = this.ply) {
    return { variant: game.variant, start: game.board, moves: game.columns.slice(0, ply) };
  }

  wish(name, on) {
    this.wishes[name] = on;
    remember("review", this.wishes);
    this.show();
  }

  // The engine's estimate at once where the solver needs longer; then what it has proved.
  async #showScores() {
    this.page.board.showScores(null);
    this.questions.scores?.abort();
    if (!this.wishes.scores || this.view.result) return;
    const { view } = this;
    const ask = async (facts) => {
      const analysis = await this.#ask("scores", (signal) => this.source.scores({ ...this.order(), ...facts }, signal));
      if (!analysis || view !== this.view) return false;
      this.page.board.showScores(columnScores(analysis));
      return !analysis.exact;
    };
    if (await ask({ seconds: AT_ONCE })) await ask({});
  }

  async #showThreats() {
    this.page.board.showThreats([]);
    this.panel.showThreats([]);
    if (!this.wishes.threats || this.view.result) return;
    const { view } = this;
    const answer = await this.#ask("threats", (signal) => this.source.threats(this.order(), signal));
    if (!answer || view !== this.view) return;
    this.page.board.showThreats(answer.threats.map((threat) => ({ ...threat, line: threat.line.map(cell) })));
    this.panel.showThreats(answer.threats);
  }

  #reviewSoon() {
    clearTimeout(this.reviewing);
    if (this.main.columns.length) this.reviewing = setTimeout(() => this.#review(), REST_MS);
  }

  async #review() {
    this.panel.tell(t("review.working"));
    const { main } = this;
    const review = await this.#ask("review", (signal) => this.source.review({ ...this.order(main, main.columns.length), language, given: this.given }, signal));
    if (!review || main !== this.main) return;
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

  #written() {
    return { variant: writeVariant(this.main.variant), moves: this.main.moves, start: this.main.start };
  }

  path() { return gamePath(this.#written()); }
}
