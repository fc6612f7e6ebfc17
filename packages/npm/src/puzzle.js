// The puzzle of a day, the same for everyone.
import { button, discIcon, h, preserveFocus } from "page/common/dom.js";
import { PUZZLE_BOARDS } from "page/common/constants.js";
import { isRight, playReply, refute, solutionColumn } from "page/learn/puzzle-attempt.js";
import { dayOf, parsePuzzles, puzzleOfDay } from "page/learn/puzzle-files.js";
import { TaskBoard } from "page/learn/task-board.js";
import { t } from "page/texts/texts.js";
import puzzles from "made/puzzles.js";

/** @import { Page } from "page/page-types.js"
 *  @import { Puzzle } from "page/learn/puzzle-files.js"
 *  @import { ConnectkBoardElement } from "./element.js" */

const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/;

/** @param {Page} page @param {ConnectkBoardElement} host */
export async function open(page, host) {
  const asked = host.text("variant", PUZZLE_BOARDS[0]);
  const variant = PUZZLE_BOARDS.includes(asked) ? asked : PUZZLE_BOARDS[0];
  const day = DAY_PATTERN.test(host.text("day")) ? host.text("day") : dayOf(new Date());
  const screen = new DailyPuzzle(page, host, puzzleOfDay(parsePuzzles(puzzles[variant], variant), day));
  await screen.start();
  return screen;
}

class DailyPuzzle {
  /** @param {Page} page @param {ConnectkBoardElement} host @param {Puzzle} puzzle */
  constructor(page, host, puzzle) {
    this.page = page;
    this.host = host;
    this.puzzle = puzzle;
    this.tries = 0;
    this.isOpen = true; // until it is solved, or its solution is shown
    this.isJudging = false;
    this.board = new TaskBoard(page, (column) => this.#onChoose(column));
    this.status = h("p", { id: "learn-status" });
    this.buttons = h("div.row");
    page.setScreen(this);
  }

  close() {
    this.board.close();
  }

  state() {
    return { ply: this.board.moves.length, moves: [...this.board.moves] };
  }

  async start() {
    const { puzzle, page } = this;
    await this.board.setPosition(puzzle.variant, puzzle.start, !this.host.has("readonly"));
    const mover = this.board.sideToMove ?? "first";
    const task = ` ${t("turn.other", { name: t(`name.${mover}`) })} ${t(`puzzle.task.${puzzle.aim}`)}`;
    page.showSeats({ side: "second", name: t("name.second") }, { side: "first", name: t("name.first") });
    page.panel.replaceChildren(
      h("h2", t("learn.page.day")),
      h("p.quiet", t(`puzzle.difficulty.${puzzle.difficulty}`)),
      h("p.large", discIcon(mover), task),
      this.buttons,
      this.status,
    );
    this.#drawButtons();
    page.announce(`${t("learn.page.day")}.${task}`);
  }

  #drawButtons() {
    const asking = [
      button(t("learn.page.hint"), () => this.#say(t(`puzzle.theme.${this.puzzle.theme}`))),
      button(t("learn.page.solution"), () => this.#showSolution()),
    ];
    preserveFocus(this.page.panel, () =>
      this.buttons.replaceChildren(...(this.isOpen && !this.host.has("readonly") ? asking : [])),
    );
  }

  /** @param {number} column */
  async #onChoose(column) {
    if (!this.isOpen || this.isJudging || this.host.has("readonly") || !this.board.isLegal(column)) return;
    this.isJudging = true; // until the other side has replied
    this.page.board.showLine([]);
    await this.#judge(column).finally(() => (this.isJudging = false));
  }

  /** @param {number} column */
  async #judge(column) {
    if (!(await isRight(this.board, this.puzzle, column))) {
      this.tries++;
      return this.#showRefutation(column);
    }
    await this.board.drop(column, false);
    const reply = await playReply(this.board, this.puzzle);
    if (reply !== null) return this.#say(t("puzzle.go_on", { column: reply + 1 }));
    return this.#finish(t("puzzle.right"), true);
  }

  /** @param {number} column */
  async #showRefutation(column) {
    this.#say(t("learn.page.not_it"));
    const side = this.board.sideToMove ?? "first";
    const { words, cells } = await refute(this.board, column);
    if (!this.isOpen || this.page.isClosed) return;
    this.#say(words);
    this.page.board.showLine(cells, side);
  }

  async #showSolution() {
    if (!this.isOpen || this.isJudging) return;
    this.isOpen = false;
    const column = await solutionColumn(this.board, this.puzzle);
    this.page.board.showLine([]);
    await this.board.drop(column, false);
    this.#finish(t("puzzle.solution", { column: column + 1 }), false);
  }

  /** @param {string} words @param {boolean} isSolved */
  #finish(words, isSolved) {
    this.isOpen = false;
    this.#say(words);
    this.#drawButtons();
    this.host.emit("solved", { solved: isSolved, tries: this.tries, puzzle: this.puzzle.key });
  }

  /** @param {string} words */
  #say(words) {
    this.status.textContent = words;
    if (words) this.page.announce(words);
  }
}
