// Lessons: cards with a few words and a board that answers; the solver judges what is dropped.
import { button, h, keepFocus } from "../common/dom.js";
import { Practice } from "./practice.js";
import { TaskBoard, verdictOf } from "./tasks.js";
import { loadMore, t } from "../texts/texts.js";

/** @import { Page } from "../shapes.js"
 *  @typedef {{ start: string, variant?: string, ask?: "best" | "keep", answers?: number[], to_end?: boolean }} Card
 *  @typedef {{ name: string, cards: Card[] }} Lesson */

const PATIENCE_MS = 300; // before it is said that somebody thinks

/** @param {Page} page @param {string[]} path */
export async function open(page, [number]) {
  const [answer] = await Promise.all([
    fetch(new URL("../../lessons/lessons.json", import.meta.url)),
    loadMore("learn"),
  ]);
  if (!answer.ok) throw new TypeError("no lessons");
  /** @type {Lesson[]} */
  const lessons = await answer.json();
  if (page.isLeft) return null;
  const lesson = lessons[Number(number) - 1];
  if (!lesson) return showList(page, lessons);
  const screen = new Lessons(page, lessons, Number(number) - 1);
  await screen.pose();
  return screen;
}

/** @param {Page} page @param {Lesson[]} lessons */
function showList(page, lessons) {
  const { kept } = new Practice();
  page.panel.className = "panel wide";
  page.panel.replaceChildren(
    h("div.stack", h("h1", t("learn.page.title")), h("p.quiet", t("learn.page.lead"))),
    h("div.row", h("a.button.main", { href: "#/puzzle" }, t("learn.page.puzzles"))),
    h("h2", t("learn.page.lessons")),
    h(
      "ol.matches.lessons",
      lessons.map(({ name, cards }, index) =>
        h(
          "li",
          h(
            "div",
            h("strong", `${index + 1}. ${t(`lesson.${name}.title`)}`),
            h("p.quiet.small", t("learn.page.done", { done: kept.lessons[name] ?? 0, cards: cards.length })),
          ),
          h(
            "a.button",
            { href: `#/learn/${index + 1}`, "aria-label": `${t("learn.page.open")}: ${t(`lesson.${name}.title`)}` },
            t("learn.page.open"),
          ),
        ),
      ),
    ),
  );
  return null;
}

class Lessons {
  /** @param {Page} page @param {Lesson[]} lessons @param {number} index */
  constructor(page, lessons, index) {
    this.page = page;
    this.lessons = lessons;
    this.index = index;
    this.practice = new Practice();
    const done = this.practice.kept.lessons[this.lesson.name] ?? 0;
    this.at = done < this.lesson.cards.length ? done : 0;
    this.isOpen = false;
    this.busy = false;
    this.board = new TaskBoard(page, (column) => this.#answer(column));
    this.status = h("p", { id: "learn-status" });
    page.opens(this);
  }

  close() {
    this.board.close();
  }

  get lesson() {
    return this.lessons[this.index];
  }

  get card() {
    return this.lesson.cards[this.at];
  }

  async pose() {
    const { card } = this;
    this.isOpen = Boolean(card.ask);
    this.#say("");
    await this.board.set(card.variant ?? "7x6x4", card.start, this.isOpen);
    keepFocus(this.page.panel, () => this.#draw());
    this.page.title?.(t(`lesson.${this.lesson.name}.title`));
    this.page.say(t(`lesson.${this.lesson.name}.${this.at + 1}`));
  }

  /** @param {number} column */
  async #answer(column) {
    if (!this.isOpen || this.busy || !this.board.can(column)) return;
    this.busy = true; // until the other side has dropped, too
    await this.#told(column).finally(() => (this.busy = false));
  }

  /** @param {number} column */
  async #told(column) {
    const { card } = this;
    const waiting = setTimeout(() => this.#say(t("hint.thinking")), PATIENCE_MS);
    const { isRight, said } = await this.#judged(column).finally(() => clearTimeout(waiting));
    if (card !== this.card || !this.isOpen) return; // who went on in the meantime has another board
    if (!isRight) this.#say(said);
    else await this.#right(column, said);
  }

  /** What the solver says of a drop; where it cannot tell in time, whether it is a known answer or the engine's.
   * @param {number} column */
  async #judged(column) {
    const scores = await this.board.scores().catch(() => null);
    if (scores) {
      const { kind, best } = verdictOf(scores, column);
      const keeps = this.card.ask === "keep" && ["slower", "shorter"].includes(kind);
      return {
        isRight: kind === "best" || keeps,
        said: t(`learn.verdict.${kind}`, { column: column + 1, best: best[0] + 1 }),
      };
    }
    const answers = this.board.moves.length ? [await this.board.hint()] : (this.card.answers ?? []);
    const isRight = answers.includes(column);
    return { isRight, said: t(isRight ? "learn.verdict.best" : "learn.page.not_it", { column: column + 1 }) };
  }

  /** @param {number} column @param {string} said */
  async #right(column, said) {
    await this.board.drop(column, Boolean(this.card.to_end));
    if (!this.card.to_end || this.board.isOver) return this.#end(said);
    const scores = await this.board.scores();
    const reply = scores ? verdictOf(scores, 0).best[0] : await this.board.hint();
    await this.board.drop(reply, true);
    if (this.board.isOver) return this.#end(said);
    return this.#say(`${said} ${t("lesson.reply", { column: reply + 1 })}`);
  }

  /** @param {string} said */
  #end(said) {
    this.isOpen = false;
    const result = this.board.now?.result;
    const end = result ? t(result.winner ? "lesson.won" : "lesson.drawn") : "";
    this.#say(`${said} ${end}`.trim());
    keepFocus(this.page.panel, () => this.#draw());
  }

  async #hint() {
    if (!this.isOpen) return;
    const { card, board } = this;
    const scores = await board.scores().catch(() => null);
    const best = scores ? verdictOf(scores, 0).best[0] : board.moves.length ? await board.hint() : card.answers?.[0];
    if (card === this.card && this.isOpen && best !== undefined) this.#say(t("lesson.hint", { column: best + 1 }));
  }

  async #next() {
    if (this.isOpen) return;
    this.at += 1;
    this.practice.learned(this.lesson.name, this.at);
    if (this.at < this.lesson.cards.length) await this.pose();
    else this.page.go(this.index + 1 < this.lessons.length ? `/learn/${this.index + 2}` : "/learn");
  }

  async #back() {
    this.at = Math.max(0, this.at - 1);
    await this.pose();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const acts = /** @type {Record<string, () => unknown>} */ ({
      h: () => this.#hint(),
      n: () => this.#next(),
      w: () => !this.isOpen && this.card.ask && this.board.why(),
    });
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    act?.();
    return Boolean(act);
  }

  /** @param {string} text */
  #say(text) {
    this.status.textContent = text;
    if (text) this.page.say(text);
  }

  #draw() {
    const { lesson, at } = this;
    this.page.panel.replaceChildren(
      h(
        "div.stack",
        h("h1", t(`lesson.${lesson.name}.title`)),
        h("p.quiet", t("learn.page.card", { number: this.index + 1, card: at + 1, cards: lesson.cards.length })),
      ),
      h("p.large", t(`lesson.${lesson.name}.${at + 1}`)),
      h(
        "div.status",
        h(
          "div.row",
          this.isOpen
            ? button(t("learn.page.hint"), () => this.#hint())
            : button(t("learn.page.next"), () => this.#next(), { class: "main", id: "learn-next" }),
          !this.isOpen && this.card.ask && button(t("learn.page.why"), () => this.board.why()),
          at > 0 && button(t("learn.page.back"), () => this.#back(), { class: "plain" }),
        ),
        this.status,
      ),
      h("p", h("a", { href: "#/learn" }, t("learn.page.lessons"))),
    );
  }
}
