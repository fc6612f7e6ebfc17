// Puzzles: the one of the day, then such as suit one's rating, a theme or a difficulty; after each the why.
import { PUZZLE_BOARDS as BOARDS, THEMES } from "../common/constants.js";
import { button, chip, h, keepFocus, selectField } from "../common/dom.js";
import { remember, remembered } from "../common/memory.js";
import { Practice, dayOf } from "./practice.js";
import { loadPuzzles, ofDay } from "./puzzledata.js";
import { TaskBoard, verdictOf } from "./tasks.js";
import { loadMore, t } from "../texts/texts.js";

/** @import { Page } from "../shapes.js"
 *  @import { Puzzle } from "./puzzledata.js" */

/** @param {Page} page */
export async function open(page) {
  await loadMore("learn");
  if (page.isLeft) return null;
  const screen = new Puzzles(page);
  await screen.load();
  return screen;
}

class Puzzles {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.practice = new Practice();
    this.today = dayOf(new Date());
    this.wishes = { theme: "", difficulty: "", board: BOARDS[0], ...remembered("puzzles", {}) };
    /** @type {Puzzle[]} */
    this.puzzles = [];
    /** @type {Puzzle | null} */
    this.puzzle = null;
    this.isDaily = false;
    this.isOpen = false;
    this.noted = false;
    this.board = new TaskBoard(page, (column) => this.#answer(column));
    this.part = {
      title: h("h1"),
      about: h("p.quiet"),
      task: h("p.large"),
      status: h("p", { id: "learn-status" }),
      acts: h("div.row"),
      standing: h("p.quiet.small", { id: "learn-standing" }),
    };
    page.opens(this);
  }

  close() {
    this.board.close();
  }

  async load() {
    if (!BOARDS.includes(this.wishes.board)) this.wishes.board = BOARDS[0];
    this.puzzles = await loadPuzzles(this.wishes.board);
    const daily = ofDay(this.puzzles, this.today);
    const isNew = !this.wishes.theme && !this.wishes.difficulty && !(daily.key in this.practice.kept.tried);
    await this.#pose(isNew ? daily : this.#next(), isNew);
    if (!this.page.isLeft) this.#draw();
  }

  #next() {
    const { theme, difficulty } = this.wishes;
    const some = this.puzzles.filter(
      (puzzle) => (!theme || puzzle.theme === theme) && (!difficulty || puzzle.difficulty === Number(difficulty)),
    );
    return this.practice.next(some, this.today);
  }

  /** @param {Puzzle | null} puzzle @param {boolean} daily */
  async #pose(puzzle, daily = false) {
    Object.assign(this, { puzzle, isDaily: daily, isOpen: puzzle !== null, noted: false });
    this.#say("");
    if (puzzle) await this.board.set(puzzle.variant, puzzle.start, true);
    this.#show();
    this.page.title?.(this.part.title.textContent);
    if (puzzle) this.page.say(`${this.part.about.textContent} ${this.part.task.textContent}`);
  }

  /** @param {number} column */
  async #answer(column) {
    const { puzzle } = this;
    if (!puzzle || !this.isOpen || !this.board.can(column)) return;
    const right = column === puzzle.answer;
    this.#note(right);
    if (!right) return void (await this.#wrong(column));
    this.isOpen = false;
    await this.board.drop(column, false);
    this.#say(t("puzzle.right"));
    this.#show();
  }

  /** What the drop would do; it is not made. @param {number} column */
  async #wrong(column) {
    const { puzzle } = this;
    this.#say(t("learn.page.not_it"));
    const scores = await this.board.scores().catch(() => null);
    if (!scores || !this.isOpen || puzzle !== this.puzzle) return;
    const { kind, best } = verdictOf(scores, column);
    this.#say(t(`learn.verdict.${kind}`, { column: column + 1, best: best[0] + 1 }));
    this.#show();
  }

  /** Only the first answer counts. @param {boolean} right */
  #note(right) {
    if (this.noted || !this.puzzle) return;
    this.noted = true;
    this.practice.note(this.puzzle, right, this.today);
  }

  async #solve() {
    const { puzzle } = this;
    if (!puzzle || !this.isOpen) return;
    this.#note(false);
    this.isOpen = false;
    await this.board.drop(puzzle.answer, false);
    this.#say(t("puzzle.solution", { column: puzzle.answer + 1 }));
    this.#show();
  }

  #hint() {
    if (this.puzzle && this.isOpen) this.#say(t(`puzzle.theme.${this.puzzle.theme}`));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const acts = /** @type {Record<string, () => unknown>} */ ({
      h: () => this.#hint(),
      s: () => this.#solve(),
      n: () => !this.isOpen && this.#pose(this.#next()),
      w: () => !this.isOpen && this.board.why(),
    });
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    act?.();
    return Boolean(act);
  }

  /** @param {string} text */
  #say(text) {
    this.part.status.textContent = text;
    if (text) this.page.say(text);
  }

  #draw() {
    const { part, wishes } = this;
    /** @param {"theme" | "difficulty" | "board"} name @param {string[][]} options */
    const pick = (name, options) =>
      selectField(t(`learn.page.${name}`), options, wishes[name], (value) => this.#wish({ [name]: value }));
    this.page.panel.replaceChildren(
      h("div.stack", part.title, part.about),
      part.task,
      h("div.status", part.acts, part.status),
      h(
        "div.stack",
        pick("theme", [["", t("learn.page.any")], ...THEMES.map((theme) => [theme, t(`puzzle.name.${theme}`)])]),
        pick("difficulty", [
          ["", t("learn.page.any")],
          ...["1", "2", "3", "4", "5"].map((step) => [step, t(`puzzle.difficulty.${step}`).replace(/\.$/, "")]),
        ]),
        pick(
          "board",
          BOARDS.map((board) => [board, board.replace(/x/g, " × ")]),
        ),
      ),
      h("p", h("a", { href: "#/learn" }, t("learn.page.lessons"))),
      part.standing,
    );
  }

  /** @param {Partial<Record<"theme" | "difficulty" | "board", string>>} change */
  async #wish(change) {
    Object.assign(this.wishes, change);
    remember("puzzles", this.wishes);
    if (change.board) this.puzzles = await loadPuzzles(change.board);
    await this.#pose(this.#next());
  }

  #show() {
    const { part, puzzle, practice } = this;
    const again = puzzle && puzzle.key in practice.kept.due && !this.noted;
    part.title.textContent = this.isDaily
      ? t("learn.page.day")
      : t(again ? "puzzle.again" : "puzzle.title").replace(/\.$/, "");
    part.about.textContent = puzzle ? t(`puzzle.difficulty.${puzzle.difficulty}`) : "";
    part.task.replaceChildren(
      ...(puzzle
        ? [chip(this.#mover), ` ${t(`puzzle.to_move.${this.#mover}`)} ${t(`puzzle.task.${puzzle.aim}`)}`]
        : [t("learn.no_more")]),
    );
    part.standing.textContent = practice.count
      ? t("puzzle.standing", { rating: practice.rating, right: practice.right, count: practice.count })
      : "";
    const asking = [
      button(t("learn.page.hint"), () => this.#hint()),
      button(t("learn.page.solution"), () => this.#solve()),
    ];
    const done = [
      button(t("learn.page.next"), () => this.#pose(this.#next()), { class: "main" }),
      button(t("learn.page.why"), () => this.board.why()),
      h("a.button", { href: `#${this.board.path}` }, t("learn.page.try")),
    ];
    keepFocus(this.page.panel, () => part.acts.replaceChildren(...(puzzle ? (this.isOpen ? asking : done) : [])));
  }

  // Who drops in the puzzle, whatever was dropped since.
  get #mover() {
    return this.board.game?.positions[0].side_to_move ?? "first";
  }
}
