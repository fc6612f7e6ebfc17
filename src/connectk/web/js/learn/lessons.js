// The screens of lessons: a list, and cards with a short text and a board. The solver judges the drops.
import { variantFromText } from "../board/convert.js";
import { drawMiniBoard } from "../board/mini-board.js";
import { startDiscs } from "../board/start-position.js";
import { button, h, preserveFocus } from "../common/dom.js";
import { TEST_LESSON } from "../common/constants.js";
import { hasPassed, showCertificate } from "./certificate.js";
import { Practice } from "./practice.js";
import { TaskBoard, judgeDrop } from "./task-board.js";
import { loadTextGroup, t } from "../texts/texts.js";

/** @import { Page } from "../page-types.js"
 *  @typedef {{ start: string, variant?: string, ask?: "best" | "keep", answers?: number[], to_end?: boolean }} Card
 *  @typedef {{ name: string, cards: Card[] }} Lesson */

const THINKING_NOTICE_DELAY_MS = 300; // the delay before "thinking" is shown

/** @param {Page} page @param {string[]} path */
export async function open(page, [number]) {
  const [answer] = await Promise.all([
    fetch(new URL("../../lessons/lessons.json", import.meta.url)),
    loadTextGroup("learn"),
  ]);
  if (!answer.ok) throw new TypeError("no lessons");
  /** @type {Lesson[]} */
  const lessons = await answer.json();
  if (page.isClosed) return null;
  if (number === "certificate") return showCertificate(page, lessons, new Practice().record.lessons);
  const lesson = lessons[Number(number) - 1];
  if (!lesson) return showLessonList(page, lessons);
  const screen = new LessonScreen(page, lessons, Number(number) - 1);
  await screen.showCard();
  return screen;
}

/** @param {Page} page @param {Lesson[]} lessons */
function showLessonList(page, lessons) {
  const { record } = new Practice();
  page.panel.className = "panel wide";
  page.panel.replaceChildren(
    h("div.stack", h("h1", t("learn.page.title")), h("p.quiet", t("learn.page.lead"))),
    h(
      "div.row",
      h("a.button.main", { href: "#/puzzle" }, t("learn.page.puzzles")),
      hasPassed(lessons, record.lessons) &&
        h("a.button", { href: "#/learn/certificate" }, t("learn.certificate.title")),
    ),
    h("h2", t("learn.page.lessons")),
    h(
      "ol.lessons",
      lessons.map(({ name, cards }, index) =>
        h(
          "li",
          h(
            "a",
            { href: `#/learn/${index + 1}` },
            drawCard(cards[0]),
            h("strong", `${index + 1}. ${t(`lesson.${name}.title`)}`),
            " ",
            h("span.quiet.small", t("learn.page.done", { done: record.lessons[name] ?? 0, cards: cards.length })),
          ),
        ),
      ),
    ),
  );
  return null;
}

/** @param {Card} card */
const drawCard = ({ variant = "7x6x4", start }) =>
  drawMiniBoard({ ...variantFromText(variant), discs: startDiscs(start) });

class LessonScreen {
  /** @param {Page} page @param {Lesson[]} lessons @param {number} lessonIndex */
  constructor(page, lessons, lessonIndex) {
    this.page = page;
    this.lessons = lessons;
    this.lessonIndex = lessonIndex;
    this.practice = new Practice();
    const done = this.practice.record.lessons[this.lesson.name] ?? 0;
    this.cardIndex = done < this.lesson.cards.length ? done : 0;
    this.isAwaitingAnswer = false;
    this.isJudging = false;
    this.board = new TaskBoard(page, (column) => this.#onColumnChosen(column));
    this.status = h("p", { id: "learn-status" });
    page.setScreen(this);
  }

  close() {
    this.board.close();
  }

  get lesson() {
    return this.lessons[this.lessonIndex];
  }

  get card() {
    return this.lesson.cards[this.cardIndex];
  }

  async showCard() {
    const { card } = this;
    this.isAwaitingAnswer = Boolean(card.ask);
    this.#showStatus("");
    this.page.board.showLine([]);
    await this.board.setPosition(card.variant ?? "7x6x4", card.start, this.isAwaitingAnswer);
    preserveFocus(this.page.panel, () => this.#draw());
    this.page.setTitle?.(t(`lesson.${this.lesson.name}.title`));
    this.page.announce(t(`lesson.${this.lesson.name}.${this.cardIndex + 1}`));
  }

  /** @param {number} column */
  async #onColumnChosen(column) {
    if (!this.isAwaitingAnswer || this.isJudging || !this.board.isLegal(column)) return;
    this.isJudging = true; // until the other side has replied
    this.page.board.showLine([]);
    await this.#respond(column).finally(() => (this.isJudging = false));
  }

  /** @param {number} column */
  async #respond(column) {
    const { card } = this;
    const waiting = setTimeout(() => this.#showStatus(t("hint.thinking")), THINKING_NOTICE_DELAY_MS);
    const { isRight, said } = await this.#judge(column).finally(() => clearTimeout(waiting));
    if (card !== this.card || !this.isAwaitingAnswer) return; // another card is shown by now
    if (!isRight) void this.#refute(column, said);
    else await this.#playCorrectDrop(column, said);
  }

  /** Shows on the board how the other side answers a wrong drop; the card asks again. @param {number} column @param {string} said */
  async #refute(column, said) {
    const { card, board } = this;
    const [side, ply] = [board.sideToMove ?? "first", board.moves.length];
    this.#showStatus(said);
    const met = await board.refutation(column).catch(() => null);
    const isStale = card !== this.card || ply !== board.moves.length || !this.isAwaitingAnswer || this.isJudging;
    if (!met || isStale) return;
    this.#showStatus([said, met.reason, t("learn.try_again")].filter(Boolean).join(" "));
    this.page.board.showLine(met.cells, side);
  }

  /** Judges a drop by the solver's scores. If these are not proved in time, by the card's answers or the engine's
   * choice.
   * @param {number} column */
  async #judge(column) {
    const scores = await this.board.scores().catch(() => null);
    if (scores) {
      const { kind, best } = judgeDrop(scores, column);
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

  /** In the lesson about following, says whether the drop is right above the last disc, if it could have been.
   * @param {number} column */
  #whetherFollowed(column) {
    const last = this.board.moves[this.board.moves.length - 1];
    if (this.lesson.name !== "follow" || last === undefined || !this.board.isLegal(last)) return "";
    return ` ${t(column === last ? "lesson.followed" : "lesson.not_followed", { column: last + 1 })}`;
  }

  /** @param {number} column @param {string} verdict */
  async #playCorrectDrop(column, verdict) {
    const said = verdict + this.#whetherFollowed(column);
    await this.board.drop(column, Boolean(this.card.to_end));
    if (!this.card.to_end || this.board.isOver) return this.#finishCard(said);
    const scores = await this.board.scores();
    const reply = scores ? judgeDrop(scores, 0).best[0] : await this.board.hint();
    await this.board.drop(reply, true);
    if (this.board.isOver) return this.#finishCard(said);
    return this.#showStatus(`${said} ${t("lesson.reply", { column: reply + 1 })}`);
  }

  /** @param {string} said */
  #finishCard(said) {
    this.isAwaitingAnswer = false;
    const result = this.board.moment?.result;
    const end = result ? t(result.winner ? "lesson.won" : "lesson.drawn") : "";
    this.#showStatus(`${said} ${end}`.trim());
    preserveFocus(this.page.panel, () => this.#draw());
  }

  async #hint() {
    if (!this.isAwaitingAnswer || this.lesson.name === TEST_LESSON) return; // the test gives no help
    const { card, board } = this;
    const scores = await board.scores().catch(() => null);
    const best = scores ? judgeDrop(scores, 0).best[0] : board.moves.length ? await board.hint() : card.answers?.[0];
    if (card === this.card && this.isAwaitingAnswer && best !== undefined)
      this.#showStatus(t("lesson.hint", { column: best + 1 }));
  }

  async #next() {
    if (this.isAwaitingAnswer) return;
    this.cardIndex += 1;
    this.practice.recordLesson(this.lesson.name, this.cardIndex);
    if (this.cardIndex < this.lesson.cards.length) await this.showCard();
    else if (this.lesson.name === TEST_LESSON) this.page.navigate("/learn/certificate");
    else this.page.navigate(this.lessonIndex + 1 < this.lessons.length ? `/learn/${this.lessonIndex + 2}` : "/learn");
  }

  async #back() {
    this.cardIndex = Math.max(0, this.cardIndex - 1);
    await this.showCard();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const acts = /** @type {Record<string, () => unknown>} */ ({
      h: () => this.#hint(),
      n: () => this.#next(),
      w: () => !this.isAwaitingAnswer && this.card.ask && this.board.openExplanation(),
    });
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    act?.();
    return Boolean(act);
  }

  /** @param {string} text */
  #showStatus(text) {
    this.status.textContent = text;
    if (text) this.page.announce(text);
  }

  #draw() {
    const { lesson, cardIndex } = this;
    this.page.panel.replaceChildren(
      h(
        "div.stack",
        h("h1", t(`lesson.${lesson.name}.title`)),
        h(
          "p.quiet",
          t("learn.page.card", { number: this.lessonIndex + 1, card: cardIndex + 1, cards: lesson.cards.length }),
        ),
      ),
      h("p.large", t(`lesson.${lesson.name}.${cardIndex + 1}`)),
      h(
        "div.status",
        h(
          "div.row",
          this.isAwaitingAnswer
            ? lesson.name !== TEST_LESSON && button(t("learn.page.hint"), () => this.#hint())
            : button(t("learn.page.next"), () => this.#next(), { class: "main", id: "learn-next" }),
          !this.isAwaitingAnswer && this.card.ask && button(t("learn.page.why"), () => this.board.openExplanation()),
          cardIndex > 0 && button(t("learn.page.back"), () => this.#back(), { class: "plain" }),
        ),
        this.status,
      ),
      h("p", h("a", { href: "#/learn" }, t("learn.page.lessons"))),
    );
  }
}
