// The screen of puzzles: the puzzle of the day, then puzzles by rating, theme or difficulty, each with its explanation.
import { HELPED_SCORE, PUZZLE_BOARDS as BOARD_STYLES, PUZZLE_THEMES } from "../common/constants.js";
import { button, discIcon, h, preserveFocus, selectField } from "../common/dom.js";
import { embedSnippet, sharedUrl } from "../common/paths.js";
import { copyText, shareLink } from "../common/share-link.js";
import { isEmbedded, writeStorage, readStorage } from "../common/storage.js";
import { Practice, dayOf } from "./practice.js";
import { loadPuzzles, puzzleOfDay } from "./puzzle-files.js";
import { isRight, playReply, refute, solutionColumn } from "./puzzle-attempt.js";
import { TaskBoard } from "./task-board.js";
import { loadTextGroup, t } from "../texts/texts.js";

/** @import { Page } from "../page-types.js"
 *  @import { Puzzle } from "./puzzle-files.js" */

/** @param {Page} page @param {string[]} path nothing, or a board with `today`, a date or the start of a puzzle */
export async function open(page, path) {
  await loadTextGroup("learn");
  if (page.isClosed) return null;
  const screen = new PuzzleScreen(page);
  await screen.load(path);
  return screen;
}

const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/;

class PuzzleScreen {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.practice = new Practice();
    this.today = dayOf(new Date());
    this.day = this.today; // the day whose puzzle is shown as the daily one
    this.filters = { theme: "", difficulty: "", board: BOARD_STYLES[0], ...readStorage("puzzles", {}) };
    /** @type {Puzzle[]} */
    this.puzzles = [];
    /** @type {Puzzle | null} */
    this.puzzle = null;
    this.isDaily = false;
    this.isAwaitingAnswer = false;
    this.isRecorded = false;
    this.isHinted = false;
    this.isJudging = false;
    this.board = new TaskBoard(page, (column) => this.#onColumnChosen(column));
    this.elements = {
      title: h("h1"),
      about: h("p.quiet"),
      task: h("p.large"),
      status: h("p", { id: "learn-status" }),
      acts: h("div.row"),
      standing: h("p.quiet.small", { id: "learn-standing" }),
    };
    page.setScreen(this);
  }

  close() {
    this.board.close();
  }

  /** @param {string[]} path */
  async load([board = "", which = ""]) {
    if (BOARD_STYLES.includes(board)) this.filters.board = board;
    if (!BOARD_STYLES.includes(this.filters.board)) this.filters.board = BOARD_STYLES[0];
    this.puzzles = await loadPuzzles(this.filters.board);
    if (DAY_PATTERN.test(which)) this.day = which;
    const daily = puzzleOfDay(this.puzzles, this.day);
    const puzzle = which ? (this.puzzles.find(({ start }) => start === which) ?? daily) : this.#firstPuzzle(daily);
    await this.#showPuzzle(puzzle, puzzle === daily);
    if (!this.page.isClosed) this.#draw();
  }

  /** The puzzle of the day, unless it was tried already or the person has chosen a kind. @param {Puzzle} daily */
  #firstPuzzle(daily) {
    const isNew = !this.filters.theme && !this.filters.difficulty && !(daily.key in this.practice.record.tried);
    return isNew ? daily : this.#nextPuzzle();
  }

  #nextPuzzle() {
    const { theme, difficulty } = this.filters;
    const some = this.puzzles.filter(
      (puzzle) => (!theme || puzzle.theme === theme) && (!difficulty || puzzle.difficulty === Number(difficulty)),
    );
    return this.practice.nextPuzzle(some, this.today);
  }

  /** @param {Puzzle | null} puzzle @param {boolean} daily */
  async #showPuzzle(puzzle, daily = false) {
    Object.assign(this, {
      puzzle,
      isDaily: daily,
      isAwaitingAnswer: puzzle !== null,
      isRecorded: false,
      isHinted: false,
    });
    this.page.board.showLine([]);
    this.#showStatus("");
    if (puzzle) await this.board.setPosition(puzzle.variant, puzzle.start, true);
    this.#updatePanel();
    this.page.setTitle?.(this.elements.title.textContent);
    if (puzzle) this.page.announce(`${this.elements.about.textContent} ${this.elements.task.textContent}`);
  }

  /** @param {number} column */
  async #onColumnChosen(column) {
    const { puzzle } = this;
    if (!puzzle || !this.isAwaitingAnswer || this.isJudging || !this.board.isLegal(column)) return;
    this.isJudging = true; // until the other side has replied
    this.page.board.showLine([]);
    await this.#respond(puzzle, column).finally(() => (this.isJudging = false));
  }

  /** @param {Puzzle} puzzle @param {number} column */
  async #respond(puzzle, column) {
    if (!(await isRight(this.board, puzzle, column))) return void this.#refute(puzzle, column);
    this.#recordFirstAnswer(true, this.isHinted ? HELPED_SCORE : 1);
    await this.board.drop(column, false);
    const reply = await playReply(this.board, puzzle);
    if (reply === null) return this.#finish(t("puzzle.right"));
    return this.#showStatus(t("puzzle.go_on", { column: reply + 1 }));
  }

  /** @param {string} words */
  #finish(words) {
    this.isAwaitingAnswer = false;
    this.#showStatus(words);
    this.#updatePanel();
  }

  /** Says what a wrong drop leads to and shows the answer to it on the board; the drop is not made. @param {Puzzle} puzzle @param {number} column */
  async #refute(puzzle, column) {
    const isFirst = !this.isRecorded;
    this.isRecorded = true;
    this.#showStatus(t("learn.page.not_it"));
    const side = this.board.sideToMove ?? "first";
    const { kind, words, cells } = await refute(this.board, column);
    if (isFirst) this.practice.recordAnswer(puzzle, false, this.today, kind === "slower" ? HELPED_SCORE : 0);
    if (!this.isAwaitingAnswer || puzzle !== this.puzzle || this.isJudging) return;
    this.#showStatus(words);
    this.page.board.showLine(cells, side);
    this.#updatePanel();
  }

  /** Only the first answer to a puzzle is recorded. @param {boolean} right @param {number} score */
  #recordFirstAnswer(right, score) {
    if (this.isRecorded || !this.puzzle) return;
    this.isRecorded = true;
    this.practice.recordAnswer(this.puzzle, right, this.today, score);
  }

  async #showSolution() {
    const { puzzle, board } = this;
    if (!puzzle || !this.isAwaitingAnswer || this.isJudging) return;
    this.#recordFirstAnswer(false, 0);
    const column = await solutionColumn(board, puzzle);
    this.isAwaitingAnswer = false;
    this.page.board.showLine([]);
    await board.drop(column, false);
    this.#finish(t("puzzle.solution", { column: column + 1 }));
  }

  /** Shows a hint, which halves the score of the answer. */
  #hint() {
    if (!this.puzzle || !this.isAwaitingAnswer) return;
    this.isHinted = true;
    const { label, theme } = this.puzzle;
    const isOwn = Boolean(label);
    this.#showStatus(
      isOwn ? t("puzzle.own.hint", { label: t(`label.${label}`).toLowerCase() }) : t(`puzzle.theme.${theme}`),
    );
  }

  /** Shares the puzzle of the day and the result, without the answer. */
  async #share() {
    const { practice, filters, day } = this;
    const isSolved = this.puzzle !== null && practice.record.tried[this.puzzle.key];
    const days = isSolved ? practice.streakDays(this.today) : 0;
    const title = t(isSolved ? "puzzle.share.solved" : "puzzle.share.tried", { day });
    const text = days > 1 ? `${title} ${t("puzzle.streak", { count: days })}` : title;
    this.#showStatus(await shareLink({ title, text, url: sharedUrl(`/puzzle/${filters.board}/${day}`) }));
  }

  /** Copies the HTML that shows the puzzle of each day in another site's page. */
  async #copySnippet() {
    this.#showStatus(await copyText(embedSnippet(`/puzzle/${this.filters.board}/today`)));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const acts = /** @type {Record<string, () => unknown>} */ ({
      h: () => this.#hint(),
      s: () => this.#showSolution(),
      n: () => !this.isAwaitingAnswer && this.#showPuzzle(this.#nextPuzzle()),
      w: () => !this.isAwaitingAnswer && this.board.openExplanation(),
    });
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    act?.();
    return Boolean(act);
  }

  /** @param {string} text */
  #showStatus(text) {
    this.elements.status.textContent = text;
    if (text) this.page.announce(text);
  }

  #draw() {
    const { elements, filters } = this;
    /** @param {"theme" | "difficulty" | "board"} name @param {string[][]} options */
    const pick = (name, options) =>
      selectField(t(`learn.page.${name}`), options, filters[name], (value) => this.#changeFilters({ [name]: value }));
    this.page.panel.replaceChildren(
      h("div.stack", elements.title, elements.about),
      elements.task,
      h("div.status", elements.acts, elements.status),
      h(
        "div.stack",
        pick("theme", [["", t("learn.page.any")], ...PUZZLE_THEMES.map((theme) => [theme, t(`puzzle.name.${theme}`)])]),
        pick("difficulty", [
          ["", t("learn.page.any")],
          ...["1", "2", "3", "4", "5"].map((step) => [step, t(`puzzle.difficulty.${step}`).replace(/\.$/, "")]),
        ]),
        pick(
          "board",
          BOARD_STYLES.map((board) => [board, board.replace(/x/g, " × ")]),
        ),
      ),
      h("p", h("a", { href: "#/learn" }, t("learn.page.lessons"))),
      elements.standing,
    );
  }

  /** @param {Partial<Record<"theme" | "difficulty" | "board", string>>} change */
  async #changeFilters(change) {
    Object.assign(this.filters, change);
    writeStorage("puzzles", this.filters);
    if (change.board) this.puzzles = await loadPuzzles(change.board);
    await this.#showPuzzle(this.#nextPuzzle());
  }

  #updatePanel() {
    const { elements, puzzle, practice } = this;
    const again = puzzle && puzzle.key in practice.record.due && !this.isRecorded;
    const title = puzzle?.label ? "puzzle.own" : again ? "puzzle.again" : "puzzle.title";
    elements.title.textContent = this.isDaily ? t("learn.page.day") : t(title).replace(/\.$/, "");
    elements.about.textContent = puzzle && !puzzle.label ? t(`puzzle.difficulty.${puzzle.difficulty}`) : "";
    elements.task.replaceChildren(
      ...(puzzle
        ? [
            discIcon(this.#mover),
            ` ${t("turn.other", { name: t(`name.${this.#mover}`) })} ${t(`puzzle.task.${puzzle.aim}`)}`,
          ]
        : [t("learn.no_more")]),
    );
    elements.standing.textContent = this.#standing();
    const asking = [
      button(t("learn.page.hint"), () => this.#hint()),
      button(t("learn.page.solution"), () => this.#showSolution()),
    ];
    const done = [
      button(t("learn.page.next"), () => this.#showPuzzle(this.#nextPuzzle()), { class: "main" }),
      button(t("learn.page.why"), () => this.board.openExplanation()),
      h("a.button", { href: `#${this.board.path}` }, t("learn.page.try")),
      ...(this.isDaily ? this.#dailyButtons() : []),
    ];
    preserveFocus(this.page.panel, () =>
      elements.acts.replaceChildren(...(puzzle ? (this.isAwaitingAnswer ? asking : done) : [])),
    );
  }

  #dailyButtons() {
    const share = button(t("puzzle.share"), () => this.#share());
    return isEmbedded ? [share] : [share, button(t("share.embed"), () => this.#copySnippet())];
  }

  /** What is said about the person: how many answers are still needed to place a beginner, or the rating and the
   * streak. */
  #standing() {
    const { practice } = this;
    if (!practice.triedCount) return "";
    if (practice.placementLeft) return t("puzzle.placing", { count: practice.placementLeft });
    const days = practice.streakDays(this.today);
    const facts = { rating: practice.rating, right: practice.correctCount, count: practice.triedCount };
    return `${t("puzzle.standing", facts)}${days > 1 ? ` ${t("puzzle.streak", { count: days })}` : ""}`;
  }

  // The side to move at the start of the puzzle.
  get #mover() {
    return this.board.game?.positions[0].side_to_move ?? "first";
  }
}
