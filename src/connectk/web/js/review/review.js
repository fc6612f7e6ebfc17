// Analysis and review: a game as a line that can be walked, with tries beside it that never change it.
import { api } from "../common/api.js";
import { detailOf } from "../board/board.js";
import { cell, gameBoard, separatorOf, writeMoves, writeVariant } from "../board/boards.js";
import { remember, remembered } from "../common/memory.js";
import { gamePath, parseGamePath } from "../common/paths.js";
import { showScores, showThreats } from "./marks.js";
import { ReviewPanel } from "./panel.js";
import { Questions } from "../common/questions.js";
import { showSeats } from "../match/seats.js";
import { playOn } from "../match/setup.js";
import { language, t } from "../texts/texts.js";

const REST_MS = 350; // after the last change, before the whole game is reviewed
const KEYS = /** @type {Record<string, number | undefined>} */ ({
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
});

/** @import { Handed, Page, Side, Source, Written } from "../shapes.js"
 *  @import { ReviewAnswer, WholeGameAnswer } from "../types.js"
 *  @typedef {{ from: number, game: WholeGameAnswer }} Line a try beside the game
 *  @typedef {NonNullable<Written["tries"]>} Tries */

/** @param {Page} page @param {string[]} path @param {Handed | null} handed */
export async function open(page, path, handed) {
  const screen = new Review(page, handed ?? {});
  await screen.load(parseGamePath(path));
  if (handed?.play) await screen.playFromHere();
  return screen;
}

export class Review {
  /** @param {Page} page @param {Handed} handed @param {Source} source */
  constructor(page, { players = {}, verdict = "", given = 0, alone = false }, source = api) {
    this.page = page;
    this.alone = alone; // one file without a server: the game can be walked, not changed or played on
    this.players = players;
    this.verdict = verdict;
    this.given = given; // how many of the first moves nobody chose
    this.source = source;
    // What is shown.
    /** @type {WholeGameAnswer | null} */
    this.loaded = null; // the game, once it is known
    this.isBuilt = false; // it began as an empty board: what is dropped becomes the game
    /** @type {Line | null} */
    this.line = null; // a try beside it
    this.ply = 0; // of the game or the try
    /** @type {ReviewAnswer | null} */
    this.review = null; // once the game is judged
    // What is on its way.
    this.timer = 0; // of the replay
    this.reviewing = 0; // the timer before the game is judged
    this.asked = {}; // what Back or Forward asked for, unless something else was done since
    /** @type {PromiseWithResolvers<void>} */
    this.opening = Promise.withResolvers();
    /** @type {Promise<unknown>} */
    this.tried = this.opening.promise; // the last column tried, once its board is here
    this.questions = new Questions((words) => this.panel.tell(words));
    /** @type {{ scores: boolean, threats: boolean }} */
    this.wishes = { scores: true, threats: false, ...remembered("review", {}) };
    this.panel = new ReviewPanel(this);
    this.choose = (/** @type {Event} */ event) => this.explore(detailOf(event).column);
    page.opens(this);
    page.board.setAttribute("stepping", "");
    page.board.addEventListener("choose", this.choose);
  }

  close() {
    this.page.board.removeEventListener("choose", this.choose);
    this.page.board.removeAttribute("stepping");
    this.pause();
    clearTimeout(this.reviewing);
    this.questions.close();
  }

  get main() {
    if (!this.loaded) throw new Error("the game is not known yet");
    return this.loaded;
  }

  // The line that is walked: the game, or a try beside it.
  get game() {
    return this.line?.game ?? this.main;
  }

  get last() {
    return this.game.columns.length;
  }

  get view() {
    return this.game.positions[this.ply];
  }

  // Where the game itself stands while a try goes on.
  get mainPly() {
    return this.line ? this.line.from : this.ply;
  }

  /** @param {Side} side */
  name(side) {
    return this.players[side] || t(`name.${side}`);
  }

  /** @param {Written} writing @param {number | null} ply */
  async load(writing, ply = null) {
    const game = await this.source.game({ variant: writing.variant, moves: writing.moves, start: writing.start });
    if (this.page.isLeft) return;
    this.loaded = game;
    this.isBuilt = !this.main.columns.length;
    this.line = await this.#lineOf(writing.tries);
    if (this.page.isLeft) return;
    this.review = null;
    this.ply = ply ?? history.state?.ply ?? this.last;
    this.panel.draw();
    this.show();
    this.opening.resolve(); // columns that were pressed before
    this.#reviewSoon();
  }

  /** @param {Tries | null} [tries] @returns {Promise<Line | null>} */
  async #lineOf(tries) {
    if (!tries) return null;
    const { variant, moves, start } = this.#written();
    const begun = this.main.columns.slice(0, tries.from);
    const { width } = this.main.variant;
    const all = [writeMoves(begun, width), tries.moves].filter(Boolean).join(separatorOf(width));
    return {
      from: Math.min(tries.from, this.main.columns.length),
      game: moves === all ? this.main : await this.source.game({ variant, moves: all, start }),
    };
  }

  /** Back and Forward: the same game with another try, or none. @param {string[]} path */
  revisit(path) {
    const writing = parseGamePath(path);
    const { variant, moves, start } = this.#written();
    if (writing.variant !== variant || writing.moves !== moves || writing.start !== start) return false;
    this.#revisit(writing.tries);
    return true;
  }

  /** What was asked for last is shown, whichever comes last. @param {Tries | null} [tries] */
  async #revisit(tries) {
    const asked = (this.asked = {});
    const line = await this.#lineOf(tries);
    if (asked !== this.asked || this.page.isLeft) return;
    this.#goto(line, history.state?.ply ?? (line ? line.game.columns.length : this.main.columns.length));
  }

  /** @param {Line | null} line @param {number} ply */
  #goto(line, ply) {
    this.asked = {};
    this.pause();
    this.line = line;
    this.ply = Math.min(ply, this.last);
    this.panel.drawTry();
    this.show();
  }

  /** @param {number} ply */
  moveTo(ply) {
    const to = Math.max(0, Math.min(this.last, ply));
    if (to === this.ply) return;
    if (this.line && to < this.line.from) return this.moveMain(to);
    this.ply = to;
    this.show();
    this.page.say(this.panel.sentence());
  }

  /** Along the game itself, out of any try. @param {number} ply */
  moveMain(ply) {
    if (this.line) this.#address(null, ply);
    this.#goto(null, ply);
    this.page.say(this.panel.sentence());
  }

  /** To a ply, with the board in sight: on a phone it may be above the window. @param {number} ply */
  visit(ply) {
    this.moveMain(ply);
    this.page.board.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = KEYS[event.key];
    if (step === undefined || !this.loaded) return false;
    this.pause();
    this.moveTo(this.ply + step);
    return true;
  }

  show() {
    this.page.board.show(gameBoard(this.game, this.ply, this.alone ? null : this.view.side_to_move));
    showSeats({ side: "second", name: this.name("second") }, { side: "first", name: this.name("first") });
    this.page.board.showLine([]);
    this.panel.update();
    showScores(this);
    showThreats(this);
  }

  // How a move should have been, from the board before it, or how it is met, from the board after it.
  /** @param {number} ply @param {[number, number][]} cells */
  showLine(ply, cells) {
    this.visit(ply);
    this.page.board.showLine(cells.map(cell), this.view.side_to_move ?? "first");
  }

  /** Columns pressed faster than their boards come are tried in turn, each on the board that the one before left. @param {number} column */
  explore(column) {
    const next = this.tried.then(() => this.#explore(column));
    this.tried = next.catch(() => {});
    return next;
  }

  /** A column tried on the board: along the line, or a try beside it. The game stays as it was. @param {number} column */
  async #explore(column) {
    if (this.page.isLeft) return undefined;
    if (!this.view.legal_columns.includes(column)) {
      const over = this.view.result !== null;
      return this.page.say(over ? t("refused.match_over") : t("error.ColumnFull", { column: column + 1 }));
    }
    this.pause();
    if (this.game.columns[this.ply] === column) return this.moveTo(this.ply + 1);
    const side = this.view.side_to_move;
    if (this.alone || !side) return undefined;
    this.page.board.place(column, side);
    const columns = [...this.game.columns.slice(0, this.ply), column];
    return this.isBuilt && !this.line && this.ply === this.last ? this.#build(columns) : this.#try(columns);
  }

  /** @param {number[]} columns */
  async #try(columns) {
    const from = this.line ? this.line.from : this.ply;
    const { width } = this.main.variant;
    const tries = { from, moves: writeMoves(columns.slice(from), width) };
    const game = await this.source.game({ ...this.#written(), moves: writeMoves(columns, width) });
    if (this.page.isLeft) return;
    this.#address(tries, columns.length);
    this.#goto({ from, game }, columns.length);
  }

  /** @param {number[]} columns */
  async #build(columns) {
    const writing = { ...this.#written(), moves: writeMoves(columns, this.main.variant.width) };
    history.pushState({ ply: columns.length }, "", `#${gamePath(writing)}`);
    await this.load(writing, columns.length);
    this.isBuilt = true;
  }

  /** Each try is a step that Back undoes. @param {Tries | null} tries @param {number} ply */
  #address(tries, ply) {
    history.replaceState({ ply: this.ply }, "");
    history.pushState({ ply }, "", `#${gamePath({ ...this.#written(), tries })}`);
  }

  /** @param {number} speed */
  play(speed) {
    this.pause();
    if (this.ply === this.last) this.moveTo(this.line ? this.line.from : 0);
    this.timer = setInterval(() => (this.ply === this.last ? this.pause() : this.moveTo(this.ply + 1)), 1000 / speed);
    this.panel.update();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    if (this.loaded) this.panel.update();
  }

  order(game = this.game, ply = this.ply) {
    return { variant: game.variant, start: game.start, moves: game.columns.slice(0, ply) };
  }

  /** @param {"scores" | "threats"} name @param {boolean} on */
  wish(name, on) {
    this.wishes[name] = on;
    remember("review", this.wishes);
    this.show();
  }

  #reviewSoon() {
    clearTimeout(this.reviewing);
    if (this.main.columns.length) this.reviewing = setTimeout(() => this.#review(), REST_MS);
  }

  async #review() {
    this.panel.tell(t("review.working"));
    const { main } = this;
    const review = await this.questions.ask("review", (signal) =>
      this.source.review({ ...this.order(main, main.columns.length), language, given: this.given }, signal),
    );
    if (!review || main !== this.loaded) return;
    this.review = review;
    this.panel.tell("");
    this.panel.drawReview();
  }

  async playFromHere() {
    const match = await playOn(this.order(), this.view.side_to_move);
    this.page.go(`/match/${match.id}`);
  }

  #written() {
    return { variant: writeVariant(this.main.variant), moves: this.main.moves, start: this.main.start };
  }

  path() {
    return gamePath(this.#written());
  }
}
