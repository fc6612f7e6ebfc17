// A board to play on: for two people, or for one against a level.
import { variantFromText } from "page/board/convert.js";
import { button, h } from "page/common/dom.js";
import { BEST_LEVEL, BEST_LEVEL_MOVE_SECONDS } from "page/common/constants.js";
import { CancellableRequests } from "page/common/cancellable-requests.js";
import { positionOf, requestCore } from "page/core/analysis-api.js";
import { parseMoves, parseVariant } from "page/core/notation.js";
import { TaskBoard } from "page/learn/task-board.js";
import { showScores } from "page/review/overlays.js";
import { opponentName } from "page/texts/levels.js";
import { errorMessage } from "page/texts/refusals.js";
import { winText } from "page/texts/side-names.js";
import { t } from "page/texts/texts.js";
import { api } from "./api.js";
import { loadOpenings, scores } from "./lanes.js";

/** @import { Page, Side } from "page/page-types.js"
 *  @import { ConnectkBoardElement } from "./element.js" */

/** @param {Page} page @param {ConnectkBoardElement} host */
export async function open(page, host) {
  const screen = new PlayScreen(page, host);
  await screen.start();
  return screen;
}

class PlayScreen {
  /** @param {Page} page @param {ConnectkBoardElement} host */
  constructor(page, host) {
    this.page = page;
    this.host = host;
    this.board = new TaskBoard(page, (column) => this.#onChoose(column));
    this.board.variant = host.text("variant", "7x6x4");
    this.board.start = host.text("start");
    this.firstMoves = parseMoves(host.text("moves"), parseVariant(this.board.variant).width);
    const level = Math.round(Number(host.text("level")));
    /** @type {number | null} */
    this.level = host.mode === "play" ? Math.min(Math.max(level || 1, 1), BEST_LEVEL) : null;
    /** @type {Side} */
    this.mine = host.text("side") === "second" ? "second" : "first"; // the person's side against a level
    this.thinking = new AbortController();
    this.waiting = 0; // turns that are not over yet
    /** @type {Promise<unknown>} */
    this.turns = Promise.resolve(); // one after the other, however quickly columns are chosen
    this.requests = new CancellableRequests((message) => page.announce(message));
    this.sentence = h("p.sentence.headline");
    this.undoButton = button(t("play.undo"), () => this.#next(() => this.#undo()));
    this.againButton = button(t("play.restart"), () => this.#next(() => this.#restart()));
    page.setScreen(this);
  }

  close() {
    this.thinking.abort();
    this.requests.abortAll();
    this.board.close();
  }

  /** What the host says of the game. */
  state() {
    return { ply: this.board.moves.length, moves: [...this.board.moves] };
  }

  async start() {
    const buttons = h("div.row", this.undoButton, this.againButton);
    this.page.panel.replaceChildren(h("div.stack", this.sentence, this.host.has("readonly") ? null : buttons));
    await this.#restart();
  }

  /** Stops the computer's thinking, and acts once the last turn is over. @param {() => Promise<unknown>} act */
  #next(act) {
    this.thinking.abort();
    this.thinking = new AbortController();
    this.waiting++;
    this.turns = this.turns
      .then(act)
      .catch((error) => this.page.showNotice(errorMessage(error)))
      .finally(() => this.waiting--);
  }

  async #restart() {
    this.board.moves = [...this.firstMoves];
    await this.#show(false);
    this.#next(() => this.#answer());
  }

  /** Whether a person at this board may drop now. */
  get #mayDrop() {
    return !this.host.has("readonly") && !this.board.isOver && !this.#isComputersTurn;
  }

  get #isComputersTurn() {
    return this.level !== null && this.#sideToMove !== this.mine;
  }

  /** @returns {Side} */
  get #sideToMove() {
    return ((this.board.game?.positions[0].ply ?? 0) + this.board.moves.length) % 2 ? "second" : "first";
  }

  /** Against a level, a column counts only once it is one's turn. @param {number} column */
  #onChoose(column) {
    if (this.level === null || !this.waiting) this.#next(() => this.#take(column));
  }

  /** @param {number} column */
  async #take(column) {
    if (!this.#mayDrop) return;
    if (!this.board.isLegal(column)) return this.page.announce(t("error.ColumnFull", { column: column + 1 }));
    await this.#drop(column);
    await this.#answer();
  }

  /** @param {number} column */
  async #drop(column) {
    const side = this.#sideToMove;
    const row = this.page.board.place(column, side);
    this.board.moves.push(column);
    await this.#show();
    this.host.emit("move", { column, row, side, ...this.state() });
    const { result = null } = this.board.moment ?? {};
    if (result) this.host.emit("end", { winner: result.winner, ...this.state() });
  }

  async #show(animate = true) {
    if (!this.board.game) await this.board.refresh(false); // whose turn it is depends on the start
    this.board.acceptsDrops = !this.host.has("readonly") && !this.#isComputersTurn;
    await this.board.refresh(animate);
    this.#drawPanel();
    showScores(/** @type {any} */ (this.#scoring));
  }

  /** What the page's review gives its scores for. */
  get #scoring() {
    const { page, requests, board } = this;
    return {
      page,
      requests,
      source: api,
      explorer: null,
      options: { scores: this.host.has("scores") && this.#mayDrop },
      get moment() {
        return board.moment;
      },
      position: () => this.#position(),
    };
  }

  #position() {
    return { variant: variantFromText(this.board.variant), start: this.board.start, moves: [...this.board.moves] };
  }

  /** The computer's drop, if it is its turn. */
  async #answer() {
    if (this.level === null || this.board.isOver || !this.#isComputersTurn || this.host.has("readonly")) return;
    const { signal } = this.thinking;
    const ms = this.level === BEST_LEVEL ? 1000 * BEST_LEVEL_MOVE_SECONDS : 0;
    const seed = [Math.floor(Math.random() * 2 ** 32) | 0, 0];
    const asked = positionOf(this.#position());
    try {
      await loadOpenings(this.board.variant);
      const { column } = await requestCore(scores, "choose", [asked, `level:${this.level}`, ms, seed], signal);
      if (!signal.aborted) await this.#drop(column);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #undo() {
    const { moves } = this.board;
    const least = this.firstMoves.length;
    if (moves.length > least) moves.pop();
    if (this.level !== null && this.#isComputersTurn && moves.length > least) moves.pop();
    await this.#show(false);
    this.host.emit("move", { column: null, row: null, side: null, ...this.state() });
    await this.#answer();
  }

  #drawPanel() {
    const { moment } = this.board;
    const words = this.#words();
    this.sentence.textContent = words;
    this.page.announce(words);
    this.undoButton.disabled = this.board.moves.length === this.firstMoves.length;
    const turn = moment?.side_to_move;
    const seats = /** @type {const} */ (["first", "second"]).map((side) => ({
      side,
      name: this.#name(side),
      turn: turn === side,
      level: this.level !== null && side !== this.mine ? this.level : null,
    }));
    const [first, second] = seats;
    const below = this.level !== null && this.mine === "second" ? second : first;
    this.page.showSeats(below === first ? second : first, below);
  }

  /** @param {Side} side */
  #name(side) {
    if (this.host.text(side)) return this.host.text(side);
    if (this.level === null) return t(`name.${side}`);
    return side === this.mine ? t("name.you") : opponentName(this.level);
  }

  #words() {
    const { moment } = this.board;
    const { result = null, side_to_move: turn = null } = moment ?? {};
    if (result) return result.winner ? winText(this.#name(result.winner)) : t("result.draw");
    if (this.level !== null && turn === this.mine) return t("play.your_turn");
    return turn ? t("turn.other", { name: this.#name(turn) }) : "";
  }
}
