// The dialog that explains why a side wins or holds a position: boards and sentences, step by step. Loaded on demand. Every
// explanation has been checked, or comes from the file of a standalone review.
import { api, errorMessage } from "../common/api.js";
import { eventDetail } from "../board/board.js";
import { boardAtPly, toCell, discsOf, writeMoves, writeVariant } from "../board/convert.js";
import { startDiscs, otherSide } from "../board/start-position.js";
import { labelBoard } from "../board/labels.js";
import { button, discIcon, download, h, isOneFile, loadStylesheet, select } from "../common/dom.js";
import { absoluteUrl } from "../common/paths.js";
import { shareLink } from "../common/share-link.js";
import { coachText } from "../core/coach-text.js";
import { loadTextGroup, t } from "../texts/texts.js";
import { ExplanationOverlay } from "./explanation-overlay.js";

/** @import { ConnectkBoard } from "../board/board.js"
 *  @import { NavigationState, Page, ExplanationRequest } from "../page-types.js"
 *  @import { Cell } from "../core/analysis.js"
 *  @import { StrategyGame } from "./strategy-game.js"
 *  @import { OpeningView, WhyAnswer, WhyStepView } from "../types.js" */

/** Opens the game in the address or the file, and the explanation over it.
 * @param {Page} page @param {string[]} path @param {NavigationState | null} navigationState */
export async function open(page, path, navigationState) {
  const [{ open: openGame }] = await Promise.all([import("./review-screen.js"), loadTextGroup("later")]);
  if (!navigationState?.text) {
    const screen = await openGame(page, path, null);
    openExplanation(screen.position());
    return screen;
  }
  const found = await api.checkWhy(navigationState.text);
  const { variant, start } = found.explanation ?? { variant: "7x6x4", start: "" };
  const screen = await openGame(page, [variant, "-", start || "-"], null);
  openExplanation(screen.position(), async () => found);
  return screen;
}

let openCount = 0; // counts the calls, so that of two quick clicks only the second opens a dialog

/** @param {ExplanationRequest} question @param {(question: ExplanationRequest, signal: AbortSignal) => Promise<WhyAnswer>} source */
export async function openExplanation(question, source = api.explain) {
  const mine = ++openCount;
  /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"))?.close();
  await Promise.all([loadTextGroup("why"), loadStylesheet("css/why.css")]);
  if (mine !== openCount) return;
  const shown = new ExplanationDialog(question);
  await shown.load(source);
}

class ExplanationDialog {
  /** @param {ExplanationRequest} question */
  constructor(question) {
    this.question = question;
    this.stepIndex = 0;
    this.isProofShown = false;
    /** @type {WhyAnswer | null} */
    this.answer = null;
    /** @type {StrategyGame | null} */
    this.game = null; // the game against the explanation, while it is played
    this.isAnswering = false; // whether the strategy is about to answer a disc
    this.abortController = new AbortController();
    this.board = /** @type {ConnectkBoard} */ (document.createElement("connectk-board"));
    this.board.setAttribute("stepping", "");
    this.overlay = new ExplanationOverlay();
    this.elements = buildElements(this);
    this.dialog = this.#build();
    document.body.append(this.dialog);
    this.dialog.showModal();
  }

  #build() {
    const { elements, board } = this;
    labelBoard(board);
    board.addEventListener("choose", (event) => this.#onColumnChosen(eventDetail(event).column));
    const close = button(t("help.close"), () => this.dialog.close());
    return h(
      "dialog",
      {
        class: "why",
        "aria-labelledby": "why-title",
        onclose: () => this.#onClose(),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#onKey(event),
      },
      h(
        "div.why-table",
        h("div.why-board", board, this.overlay.element),
        h(
          "div.why-side",
          h(
            "div.row.apart.why-head",
            h("h2", { id: "why-title", tabindex: -1, autofocus: true }, t("why.page.title")),
            close,
          ),
          elements.walk,
          elements.headline,
          elements.coach,
          elements.prove,
          elements.words,
          elements.cells,
          elements.replies,
          elements.against,
          h("div.row", elements.play, elements.save, elements.send),
          elements.status,
        ),
      ),
    );
  }

  /** @param {(question: ExplanationRequest, signal: AbortSignal) => Promise<WhyAnswer>} source */
  async load(source) {
    this.elements.headline.textContent = t("why.page.looking");
    this.#showQuestion();
    try {
      this.answer = await source(this.question, this.abortController.signal);
    } catch (error) {
      if (!this.abortController.signal.aborted) this.elements.headline.textContent = errorMessage(error);
      return;
    }
    this.#draw(this.answer);
    if (this.answer.coach.length) this.#showCoach(this.answer);
    else this.prove();
  }

  /** Shows the explained position itself. */
  #showQuestion() {
    const discs = discsOfQuestion(this.question);
    this.board.show({ ...this.question.variant, discs, last: null, open: [], hand: null }, { animate: false });
  }

  /** Shows what a coach says first, with the lines and cells on the board; a button shows the proof. @param {WhyAnswer} answer */
  #showCoach(answer) {
    const { elements } = this;
    for (const one of [elements.walk, elements.words, elements.replies]) one.hidden = true;
    elements.prove.hidden = !answer.steps.length;
    elements.prove.textContent = answer.boards ? t("why.page.proof", { count: answer.boards }) : t("why.page.line");
    elements.coach.replaceChildren(...answer.coach.map((sentence) => h("p", coachText(sentence))));
    if (answer.opening) this.#showOpening(answer.opening);
    const shown = answer.coach.flatMap(({ statements }) => statements).filter(({ lines }) => lines.length);
    const marks = {
      kind: "coach",
      lines: shown.flatMap(({ lines }) => lines),
      pairs: answer.opening?.answers.map(({ reply, answer: at }) => /** @type {[Cell, Cell]} */ ([reply, at])) ?? [],
      threats: shown.flatMap(({ cells }) => cells.slice(-1)),
      replies: [],
    };
    this.overlay.show(marks, answer.variant, shown[0]?.side ?? answer.claim?.side ?? "first");
  }

  /** Shows what a certified strategy does here: its drop, its answers, and a button for each reply after which the game goes on.
   * @param {OpeningView} opening */
  #showOpening({ claim, drop, answers }) {
    const { elements, question } = this;
    elements.replies.hidden = false;
    const openColumns = answers.filter(({ wins }) => !wins).map(({ reply: [column] }) => column);
    const rival = otherSide(claim.side);
    this.board.show(
      { ...question.variant, discs: discsOfQuestion(question), last: null, open: openColumns, hand: rival },
      { animate: false },
    );
    if (drop) this.board.showLine([toCell(drop)], claim.side);
    elements.replies.replaceChildren(
      ...openColumns.map((column) => button(t("why.page.reply", { column: column + 1 }), () => this.#goOn(column))),
    );
  }

  /** Opens the board after the certified strategy's drop and a reply. @param {number} column */
  #goOn(column) {
    const { drop = null, answers = [] } = this.answer?.opening ?? {};
    if (!answers.some(({ reply, wins }) => reply[0] === column && !wins)) return undefined;
    const moves = [...this.question.moves, ...(drop ? [drop[0]] : []), column];
    return openExplanation({ ...this.question, moves });
  }

  /** Shows the proof, step by step. */
  prove() {
    const { elements } = this;
    this.isProofShown = true;
    for (const one of [elements.prove, elements.coach]) one.hidden = true;
    /** @type {HTMLElement | null} */ (this.dialog.querySelector("h2"))?.focus(); // moves the focus from the button, which is gone
    for (const one of [elements.words, elements.replies]) one.hidden = false;
    elements.walk.hidden = (this.answer?.steps.length ?? 0) < 2;
    this.show(0);
  }

  #onClose() {
    this.abortController.abort();
    this.dialog.remove();
  }

  /** @param {WhyAnswer} answer */
  #draw(answer) {
    const { elements } = this;
    elements.headline.replaceChildren(...(answer.claim ? [discIcon(answer.claim.side)] : []), answer.headline);
    const boards = [...new Set(answer.steps.map((step) => step.page))];
    const words = boards.map((page, index) => [
      String(page),
      t("why.page.board", { number: index + 1, count: boards.length }),
    ]);
    const menu = select(t("why.page.boards"), words, "0", (page) => this.#showPage(Number(page)));
    elements.menu = menu;
    /** @param {string} text @param {string} label @param {() => number} to */
    const step = (text, label, to) => button(text, () => this.show(to()), { "aria-label": label, title: label });
    elements.back = step("‹", t("why.page.back"), () => this.stepIndex - 1);
    elements.next = step("›", t("why.page.next"), () => this.stepIndex + 1);
    elements.walk.replaceChildren(elements.back, elements.count, elements.next, ...(boards.length > 1 ? [menu] : []));
    elements.walk.hidden = answer.steps.length < 2;
    elements.save.hidden = !answer.explanation;
    elements.play.hidden = !answer.explanation || isOneFile(); // which has nobody to ask about positions
    elements.send.hidden = location.protocol === "file:";
  }

  /** @param {number} stepIndex */
  show(stepIndex) {
    const steps = this.answer?.steps ?? [];
    if (!steps.length || !this.answer) return;
    this.stepIndex = Math.max(0, Math.min(steps.length - 1, stepIndex));
    const step = steps[this.stepIndex];
    const { variant, claim } = this.answer;
    const columns = step.replies.map(({ column }) => column);
    this.board.show(
      {
        ...variant,
        discs: discsOf(step.board),
        last: step.last_drop && toCell(step.last_drop),
        open: columns,
        hand: columns.length ? step.side_to_move : null,
      },
      { animate: false },
    );
    this.board.showLine(step.played.map(toCell), step.side_to_move);
    this.overlay.show(step, variant, claim?.side ?? step.side_to_move);
    this.#updateStep(step, steps.length);
  }

  /** @param {WhyStepView} step @param {number} count */
  #updateStep(step, count) {
    const { elements } = this;
    elements.words.textContent = step.words;
    elements.cells.hidden = !["rule", "answers"].includes(step.kind);
    elements.count.textContent = `${this.stepIndex + 1} / ${count}`;
    if (elements.back && elements.next && elements.menu) {
      elements.back.disabled = this.stepIndex === 0;
      elements.next.disabled = this.stepIndex === count - 1;
      elements.menu.value = String(step.page);
    }
    elements.replies.replaceChildren(
      ...step.replies.map(({ column, page }) =>
        button(t("why.page.reply", { column: column + 1 }), () => this.#showPage(page)),
      ),
    );
  }

  /** @param {number} page */
  #showPage(page) {
    this.show(this.answer?.steps.findIndex((step) => step.page === page) ?? 0);
  }

  /** Starts a game against the explanation: drops on the board are the rival's, and the strategy answers them. */
  async play() {
    const { answer, elements } = this;
    if (!answer?.explanation) return;
    const { StrategyGame } = await import("./strategy-game.js");
    this.game = new StrategyGame(answer.explanation, answer.steps);
    for (const one of [elements.prove, elements.coach, elements.walk, elements.cells, elements.replies, elements.play])
      one.hidden = true;
    elements.words.hidden = elements.against.hidden = false;
    elements.against.replaceChildren(
      button(t("why.play.back"), () => this.#takeBack()),
      button(t("why.play.end"), () => this.#endPlay()),
    );
    await this.#answerDisc(() => this.game?.start());
  }

  /** Waits for the strategy's answer to a disc, and shows it. @param {() => Promise<void> | undefined} drop */
  async #answerDisc(drop) {
    if (this.isAnswering) return;
    this.isAnswering = true;
    try {
      await drop();
      this.#showGame();
    } catch (error) {
      this.elements.words.textContent = errorMessage(error);
    }
    this.isAnswering = false;
  }

  #showGame() {
    const { game, overlay, elements } = this;
    if (!game) return;
    const { moves, game: whole } = game.turn;
    this.board.showLine([]);
    this.board.show(boardAtPly(whole, moves.length, game.moment.side_to_move));
    overlay.show({ kind: "game", lines: [], pairs: [], threats: [], replies: [] }, game.variant, game.keeper);
    elements.words.textContent = game.words();
    const [takeBack] = elements.against.children;
    /** @type {HTMLButtonElement} */ (takeBack).disabled = !game.canTakeBack;
  }

  #takeBack() {
    this.game?.takeBack();
    this.#showGame();
  }

  #endPlay() {
    this.game = null;
    this.elements.against.hidden = true;
    this.elements.play.hidden = false;
    this.prove();
  }

  /** @param {number} column */
  #onColumnChosen(column) {
    const { game } = this;
    if (!game) return this.#showReply(column);
    if (game.moment.legal_columns.includes(column)) void this.#answerDisc(() => game.drop(column));
    return undefined;
  }

  /** Shows the board that answers this drop of the rival. @param {number} column */
  #showReply(column) {
    if (this.answer?.opening) return this.#goOn(column);
    const found = this.answer?.steps[this.stepIndex]?.replies.find((reply) => reply.column === column);
    if (found) this.#showPage(found.page);
    return undefined;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const step = /** @type {Record<string, number | undefined>} */ ({
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -Infinity,
      End: Infinity,
    })[event.key];
    if (step === undefined || event.defaultPrevented || event.target instanceof HTMLSelectElement || this.game) return;
    event.preventDefault();
    const isFirst = !this.isProofShown;
    if (isFirst && this.answer?.steps.length) this.prove();
    if (!isFirst || step === Infinity) this.show(this.stepIndex + step);
  }

  save() {
    download("why.json", new Blob([`${JSON.stringify(this.answer?.explanation)}\n`], { type: "application/json" }));
    this.elements.status.textContent = t("why.page.saved", { command: "connectk why --check why.json" });
  }

  async send() {
    this.elements.status.textContent = await shareLink({
      title: this.answer?.headline ?? "",
      url: absoluteUrl(this.#path()),
    });
  }

  #path() {
    const { variant, start, moves } = this.question;
    return [
      "/why",
      writeVariant(variant),
      writeMoves(moves, variant.width) || "-",
      ...(start ? [encodeURIComponent(start)] : []),
    ].join("/");
  }
}

/** The discs of the position that is asked about. @param {ExplanationRequest} question */
function discsOfQuestion({ start, moves }) {
  const discs = startDiscs(start);
  for (const column of moves) {
    const row = discs.filter((disc) => disc.column === column).length;
    discs.push({ column, row, side: discs.length % 2 ? "second" : "first" });
  }
  return discs;
}

/** @param {ExplanationDialog} why */
function buildElements(why) {
  return {
    headline: h("p.why-headline"),
    coach: h("div.why-coach", { "aria-live": "polite" }),
    prove: button("", () => why.prove(), { class: "why-prove", hidden: true }),
    words: h("p.why-words", { "aria-live": "polite" }),
    cells: h("p.quiet.small", { hidden: true }, t("why.page.cells")),
    replies: h("div.row"),
    walk: h("div.row.steps"),
    count: h("span.number.quiet"),
    play: button(t("why.play.start"), () => why.play(), { hidden: true }),
    against: h("div.row", { hidden: true }),
    save: button(t("why.page.save"), () => why.save(), { hidden: true }),
    send: button(t("share.link"), () => why.send(), { hidden: true }),
    status: h("p.quiet.small", { role: "status" }),
    back: /** @type {HTMLButtonElement | null} */ (null),
    next: /** @type {HTMLButtonElement | null} */ (null),
    menu: /** @type {HTMLSelectElement | null} */ (null),
  };
}
