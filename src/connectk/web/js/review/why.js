// Why a side wins or holds a position: boards and sentences, one step after the other, in a dialog over the game. It is
// loaded when somebody asks. What is shown was worked out and checked, or came with the file.
import { api, wordsOf } from "../common/api.js";
import { detailOf } from "../board/board.js";
import { cell, discsOf, writeMoves, writeVariant } from "../board/boards.js";
import { describeBoard } from "../board/words.js";
import { button, chip, download, h, select } from "../common/dom.js";
import { link } from "../common/paths.js";
import { share } from "../common/share.js";
import { loadMore, t } from "../texts/texts.js";
import { Overlay } from "./whymarks.js";

/** @import { ConnectkBoard } from "../board/board.js"
 *  @import { Handed, Page, WhyQuestion } from "../shapes.js"
 *  @import { WhyAnswer, WhyStepView } from "../types.js" */

/** An address or a file: the game that it is about, and the explanation over it.
 * @param {Page} page @param {string[]} path @param {Handed | null} handed */
export async function open(page, path, handed) {
  const { open: openGame } = await import("./review.js");
  if (!handed?.text) {
    const screen = await openGame(page, path, null);
    openWhy(screen.order());
    return screen;
  }
  const found = await api.checkWhy(handed.text);
  const { variant, start } = found.explanation ?? { variant: "7x6x4", start: "" };
  const screen = await openGame(page, [variant, "-", start || "-"], null);
  openWhy(screen.order(), async () => found);
  return screen;
}

let turn = 0; // of two clicks in a row the second one counts

/** @param {WhyQuestion} question @param {(question: WhyQuestion, signal: AbortSignal) => Promise<WhyAnswer>} source */
export async function openWhy(question, source = api.explain) {
  const mine = ++turn;
  /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"))?.close();
  await Promise.all([loadMore("why"), loadStyle()]);
  if (mine !== turn) return;
  const shown = new Why(question);
  await shown.load(source);
}

/** A page that came as one file brings its style along. */
function loadStyle() {
  const href = "css/why.css";
  if (document.getElementById("texts") || document.querySelector(`link[href="${href}"]`)) return undefined;
  return new Promise((resolve) => {
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
}

class Why {
  /** @param {WhyQuestion} question */
  constructor(question) {
    this.question = question;
    this.at = 0;
    /** @type {WhyAnswer | null} */
    this.answer = null;
    this.asking = new AbortController();
    this.board = /** @type {ConnectkBoard} */ (document.createElement("connectk-board"));
    this.board.setAttribute("stepping", "");
    this.overlay = new Overlay();
    this.part = partsOf(this);
    this.dialog = this.#build();
    document.body.append(this.dialog);
    this.dialog.showModal();
  }

  #build() {
    const { part, board } = this;
    describeBoard(board);
    board.addEventListener("choose", (event) => this.#reply(detailOf(event).column));
    const close = button(t("help.close"), () => this.dialog.close());
    return h(
      "dialog",
      {
        class: "why",
        "aria-labelledby": "why-title",
        onclose: () => this.#closed(),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      },
      h(
        "div.why-table",
        h("div.why-board", board, this.overlay.element),
        h(
          "div.why-side",
          h("h2", { id: "why-title", tabindex: -1, autofocus: true }, t("why.page.title")),
          h("div.row.apart.steps", part.walk, close),
          part.headline,
          part.words,
          part.cells,
          part.replies,
          h("div.row", part.save, part.send),
          part.status,
        ),
      ),
    );
  }

  /** @param {(question: WhyQuestion, signal: AbortSignal) => Promise<WhyAnswer>} source */
  async load(source) {
    this.part.headline.textContent = t("why.page.looking");
    try {
      this.answer = await source(this.question, this.asking.signal);
    } catch (error) {
      if (!this.asking.signal.aborted) this.part.headline.textContent = wordsOf(error);
      return;
    }
    this.#draw(this.answer);
    this.show(0);
  }

  #closed() {
    this.asking.abort();
    this.dialog.remove();
  }

  /** @param {WhyAnswer} answer */
  #draw(answer) {
    const { part } = this;
    part.headline.replaceChildren(...(answer.claim ? [chip(answer.claim.side)] : []), answer.headline);
    const boards = [...new Set(answer.steps.map((step) => step.page))];
    const words = boards.map((page, index) => [
      String(page),
      t("why.page.board", { number: index + 1, count: boards.length }),
    ]);
    const menu = select(t("why.page.boards"), words, "0", (page) => this.#toPage(Number(page)));
    part.menu = menu;
    /** @param {string} text @param {string} label @param {() => number} to */
    const step = (text, label, to) => button(text, () => this.show(to()), { "aria-label": label, title: label });
    part.back = step("‹", t("why.page.back"), () => this.at - 1);
    part.next = step("›", t("why.page.next"), () => this.at + 1);
    part.walk.replaceChildren(part.back, part.count, part.next, ...(boards.length > 1 ? [menu] : []));
    part.walk.hidden = answer.steps.length < 2;
    part.save.hidden = !answer.explanation;
    part.send.hidden = location.protocol === "file:";
  }

  /** @param {number} at */
  show(at) {
    const steps = this.answer?.steps ?? [];
    if (!steps.length || !this.answer) return;
    this.at = Math.max(0, Math.min(steps.length - 1, at));
    const step = steps[this.at];
    const { variant, claim } = this.answer;
    const columns = step.replies.map(({ column }) => column);
    this.board.show(
      {
        ...variant,
        discs: discsOf(step.board),
        last: step.last_drop && cell(step.last_drop),
        open: columns,
        hand: columns.length ? step.side_to_move : null,
      },
      { animate: false },
    );
    this.board.showLine(step.played.map(cell), step.side_to_move);
    this.overlay.show(step, variant, claim?.side ?? step.side_to_move);
    this.#tell(step, steps.length);
  }

  /** @param {WhyStepView} step @param {number} count */
  #tell(step, count) {
    const { part } = this;
    part.words.textContent = step.words;
    part.cells.hidden = !["rule", "answers"].includes(step.kind);
    part.count.textContent = `${this.at + 1} / ${count}`;
    if (part.back && part.next && part.menu) {
      part.back.disabled = this.at === 0;
      part.next.disabled = this.at === count - 1;
      part.menu.value = String(step.page);
    }
    part.replies.replaceChildren(
      ...step.replies.map(({ column, page }) =>
        button(t("why.page.reply", { column: column + 1 }), () => this.#toPage(page)),
      ),
    );
  }

  /** @param {number} page */
  #toPage(page) {
    this.show(this.answer?.steps.findIndex((step) => step.page === page) ?? 0);
  }

  /** The rival drops there: the board that answers it. @param {number} column */
  #reply(column) {
    const found = this.answer?.steps[this.at]?.replies.find((reply) => reply.column === column);
    if (found) this.#toPage(found.page);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = /** @type {Record<string, number | undefined>} */ ({
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -Infinity,
      End: Infinity,
    })[event.key];
    if (step === undefined || event.defaultPrevented || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    this.show(this.at + step);
  }

  save() {
    download("why.json", new Blob([`${JSON.stringify(this.answer?.explanation)}\n`], { type: "application/json" }));
    this.part.status.textContent = t("why.page.saved", { command: "connectk why --check why.json" });
  }

  async send() {
    this.part.status.textContent = await share({ title: this.answer?.headline ?? "", url: link(this.#path()) });
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

/** @param {Why} why */
function partsOf(why) {
  return {
    headline: h("p.why-headline"),
    words: h("p.why-words", { "aria-live": "polite" }),
    cells: h("p.quiet.small", { hidden: true }, t("why.page.cells")),
    replies: h("div.row"),
    walk: h("div.row"),
    count: h("span.number.quiet"),
    save: button(t("why.page.save"), () => why.save(), { hidden: true }),
    send: button(t("share.link"), () => why.send(), { hidden: true }),
    status: h("p.quiet.small", { role: "status" }),
    back: /** @type {HTMLButtonElement | null} */ (null),
    next: /** @type {HTMLButtonElement | null} */ (null),
    menu: /** @type {HTMLSelectElement | null} */ (null),
  };
}
