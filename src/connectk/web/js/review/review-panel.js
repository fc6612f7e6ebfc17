// The panel beside the board in a review: graph, labelled moves, accuracy, turning point, threats, replay and files.
import { runOrShowError } from "../common/api.js";
import { boardAtPly, canExplain, writeVariant } from "../board/convert.js";
import { SIDES, writeDiscs } from "../board/start-position.js";
import { isEmbedded } from "../common/storage.js";
import { button, checkbox, discIcon, h, select } from "../common/dom.js";
import { openText } from "../common/file-drop.js";
import { AdvantageGraph } from "./advantage-graph.js";
import { redrawWhenReleased } from "../common/deferred-redraw.js";
import { SharePanel } from "../common/share.js";
import { coachText, ledgerText } from "../core/review-text.js";
import { winText } from "../texts/side-names.js";
import { language, t } from "../texts/texts.js";

const REPLAY_SPEEDS = ["0.5", "1", "2", "4"];
/** @import { ReviewScreen } from "./review-screen.js"
 *  @import { Side } from "../page-types.js"
 *  @import { MarksView, ReviewAnswer, ThreatView, WholeGameAnswer } from "../types.js" */

const LABEL_SIGNS = {
  missed_win: "??",
  missed_block: "??",
  blunder: "??",
  mistake: "?",
  fine_point: "?!",
  good: "",
  best: "",
  given: "·",
};
const FLAWED_LABELS = new Set(["missed_win", "missed_block", "blunder", "mistake", "fine_point"]);
const MAX_THREATS_SHOWN = 6;

export class ReviewPanel {
  /** @param {ReviewScreen} review */
  constructor(review) {
    this.review = review;
    this.speed = "1";
    this.elements = buildElements();
    this.replayButton = button(
      "",
      () => (review.replayTimer ? review.stopReplay() : review.startReplay(Number(this.speed))),
      { class: "playing" },
    );
    this.playOnButton = button(
      t("review.play_on"),
      () => review.playFromHere().catch((error) => this.showStatus(error.message)),
      { class: "main" },
    );
    this.explainButton = button(t("play.why"), () => this.#explain());
    this.graph = new AdvantageGraph({
      label: t("review.graph"),
      describePly: (ply) => (review.state.mainGame ? this.#sentence(ply, review.mainGame) : ""),
      onMove: (ply) => review.goToMainPly(ply),
    });
  }

  draw() {
    const { review } = this;
    this.graph.show(Array.from({ length: review.mainGame.columns.length + 1 }, () => null));
    this.elements = buildElements();
    const isGame = review.mainGame.columns.length > 0;
    const { busy, explorer, facts, sentence, tries, moves, threats } = this.elements;
    // Text that comes late or changes its length has reserved space or is below the buttons, so that no button moves.
    const reviewFacts = h("div.review-facts", busy, facts);
    const stepped = [this.#graphBox(), this.#drawControls(), reviewFacts, sentence, tries, moves];
    review.page.panel.replaceChildren(
      h("div.stack.tight", h("h1", t("review.title")), isGame ? this.#verdict() : h("p.quiet", t("review.empty"))),
      isGame || review.isStandalone ? "" : pasteForm(review.page),
      h("div.stack.stepped", { hidden: !isGame }, isGame ? stepped : null),
      h("div.row.onwards", review.isStandalone ? null : this.playOnButton, this.explainButton),
      h(
        "div.row.checks",
        checkbox(t("play.scores"), review.options.scores, (isOn) => review.setOption("scores", isOn)),
        checkbox(t("review.signs"), review.options.signs, (isOn) => review.setOption("signs", isOn)),
        checkbox(t("review.threats"), review.options.threats, (isOn) => review.setOption("threats", isOn)),
        !review.isStandalone &&
          !isEmbedded &&
          checkbox(t("explorer.title"), review.options.explorer, (isOn) => review.setOption("explorer", isOn)),
      ),
      explorer,
      review.isStandalone ? "" : new SharePanel(review).element, // a page in one file has no sharing
      isGame ? "" : sentence,
      isGame ? "" : reviewFacts,
      threats,
    );
    this.#drawMoves();
    this.drawVariation();
  }

  // The line that says how the game ended.
  #verdict() {
    const { review } = this;
    const { result } = review.mainGame.positions[review.mainGame.columns.length];
    const winner = result?.winner;
    const words = winner ? winText(review.playerName(winner)) : result ? t("result.draw") : "";
    return h("p.verdict", winner ? discIcon(winner) : null, review.verdict || words);
  }

  // The graph with the name of the first player above its middle and of the second player below it.
  #graphBox() {
    /** @param {Side} side */
    const name = (side) =>
      h(
        "span",
        { class: `graph-name ${side}`, "aria-hidden": "true" },
        discIcon(side),
        t("review.ahead", { name: this.review.playerName(side) }),
      );
    return h("div.graph-box", this.graph.element, name("first"), name("second"));
  }

  // The moves of a variation and a button back to the game, in a row whose height is reserved.
  drawVariation() {
    const { variation } = this.review.state;
    if (this.review.source.isFixed) return this.elements.tries.replaceChildren();
    if (!variation) return this.elements.tries.replaceChildren(h("span.quiet.small", t("review.try_hint")));
    const columns = variation.game.columns.slice(variation.from);
    /** @param {number} column @param {number} index */
    const step = (column, index) => {
      const ply = variation.from + index + 1;
      const one = button("", () => this.review.goToPly(ply), { class: "step", "data-ply": ply });
      one.append(discIcon(this.#sideOf(ply)), String(column + 1));
      return one;
    };
    return this.elements.tries.replaceChildren(
      h("span", t("review.try", { ply: variation.from + 1 })),
      ...columns.map(step),
      button(t("review.back_to_game"), () => this.review.goToMainPly(variation.from)),
    );
  }

  #drawControls() {
    const { review } = this;
    /** @param {string} text @param {string} label @param {() => number} ply */
    const step = (text, label, ply) => button(text, () => review.goToPly(ply()), { "aria-label": label, title: label });
    return h(
      "div.row.steps",
      step("«", t("review.first"), () => 0),
      step("‹", t("review.back"), () => review.ply - 1),
      this.replayButton,
      step("›", t("review.next"), () => review.ply + 1),
      step("»", t("review.last"), () => review.lastPly),
      select(
        t("review.speed"),
        REPLAY_SPEEDS.map((speed) => [speed, `${speed}×`]),
        this.speed,
        (speed) => {
          this.speed = speed;
          if (review.replayTimer) review.startReplay(Number(speed));
        },
      ),
    );
  }

  /** @param {string} words */
  showStatus(words) {
    this.elements.busy.textContent = words;
  }

  update() {
    const { review } = this;
    this.graph.moveTo(review.mainPly);
    this.replayButton.textContent = t(review.replayTimer ? "review.pause" : "review.replay");
    this.elements.sentence.textContent = this.sentence() + (review.state.variation ? "" : this.#reasonText(review.ply));
    this.playOnButton.disabled = review.moment.result !== null;
    this.explainButton.hidden = !this.#canExplain(review.ply);
    const { moves } = this.elements;
    const reached = markCurrent(moves, "button", review.mainPly);
    markCurrent(this.elements.tries, ".step", review.ply);
    if (reached) moves.scrollTop = reached.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  }

  // One sentence about the move that led to a ply of the shown game or variation.
  sentence(ply = this.review.ply) {
    return this.#sentence(ply, this.review.game);
  }

  /** @param {number} ply @param {WholeGameAnswer} game */
  #sentence(ply, game) {
    const { review } = this;
    const { result } = game.positions[ply];
    const ending = result ? ` ${result.winner ? winText(review.playerName(result.winner)) : t("result.draw")}` : "";
    if (ply === 0) return game.columns.length ? t("review.start", { count: game.columns.length }) : "";
    const facts = { ply, name: review.playerName(this.#sideOf(ply)), column: game.columns[ply - 1] + 1 };
    const move = game === review.mainGame ? review.state.analysis?.moves[ply - 1] : null;
    if (!move) return t("review.step", facts) + ending;
    if (move.label === "best" || move.label === "given")
      return `${t("review.step", facts)} ${t(`label.${move.label}`)}.${ending}`;
    const story = coachText(move, facts.name, review.playerName(this.#sideOf(ply - 1)));
    return t("review.move", { ...facts, story }) + ending;
  }

  /** @param {number} ply */
  #sideOf(ply) {
    return SIDES[(this.review.mainGame.positions[0].ply + ply + 1) % 2];
  }

  #drawMoves() {
    const { review } = this;
    this.elements.moves.replaceChildren(
      ...review.mainGame.columns.map((column, index) =>
        h(
          "li",
          { "data-number": Math.floor((review.mainGame.positions[index].ply + 2) / 2), class: this.#sideOf(index + 1) },
          h(
            "button",
            {
              type: "button",
              "data-ply": index + 1,
              onclick: () => review.goToMainPly(index + 1),
              "aria-label": this.#moveLabel(index + 1),
            },
            discIcon(this.#sideOf(index + 1)),
            String(column + 1),
            h("span.label"),
          ),
        ),
      ),
    );
  }

  /** @param {number} ply */
  #moveLabel(ply) {
    return t("review.step", {
      ply,
      name: this.review.playerName(this.#sideOf(ply)),
      column: this.review.mainGame.columns[ply - 1] + 1,
    });
  }

  /** Fills the space that is reserved for each move's label. @param {ReviewAnswer["moves"]} moves */
  #labelMoves(moves) {
    this.elements.moves.querySelectorAll("button").forEach((entry, index) => {
      const { label } = moves[index];
      entry.setAttribute("aria-label", `${this.#moveLabel(index + 1).replace(/\.$/, "")}, ${t(`label.${label}`)}`);
      entry.querySelector(".label")?.replaceWith(h("span", { class: `label ${label}` }, LABEL_SIGNS[label]));
    });
  }

  /** Draws the finished analysis: graph, labels, accuracy and turning point. */
  drawReview() {
    redrawWhenReleased(this, () => {
      this.#drawReview();
      this.update();
    });
  }

  #drawReview() {
    const { review } = this;
    const judged = review.state.analysis;
    if (!judged) return;
    const { moves, accuracy, marks: counted } = judged;
    const turning = moves.findIndex((move) => move.number === judged.turning_point) + 1;
    const marks = moves.flatMap((move, index) =>
      FLAWED_LABELS.has(move.label)
        ? [{ ply: index + 1, kind: move.label, label: this.#sentence(index + 1, review.mainGame) }]
        : [],
    );
    this.graph.show([judged.advantage, ...moves.map((move) => move.advantage)], marks);
    this.#labelMoves(moves);
    /** @param {number | null} value */
    const percent = (value) =>
      value === null
        ? "–"
        : t("play.accuracy", { accuracy: new Intl.NumberFormat(language, { style: "percent" }).format(value / 100) });
    this.elements.facts.replaceChildren(
      h(
        "dl.facts.accuracies",
        SIDES.flatMap((side) => [
          h("dt", discIcon(side), h("span.name", review.playerName(side))),
          this.#accuracyOf(percent(accuracy[side]), accuracy[side], counted[side]),
        ]),
      ),
      judged.given ? h("p.quiet.small", t("review.given", { count: judged.given })) : "",
      turning === 0 ? h("p", t("review.no_turning")) : this.#turningPoint(turning),
      judged.exact ? "" : h("p.quiet.small", t("review.estimated")),
    );
  }

  /** @param {string} words @param {number | null} share @param {MarksView} counted */
  #accuracyOf(words, share, counted) {
    const element = h("dd.number", words, this.#estimatedShare(counted));
    element.style.setProperty("--share", `${share ?? 0}%`);
    return element;
  }

  /** The words that say how much of an accuracy is an estimate. @param {MarksView} marks */
  #estimatedShare({ count, estimated }) {
    return estimated ? h("span.small.quiet", ` (${t("review.estimated_share", { count, estimated })})`) : "";
  }

  /** @param {number} ply */
  #turningPoint(ply) {
    const { review } = this;
    const isFine = review.state.analysis?.moves[ply - 1].label === "fine_point";
    return h(
      "div.stack",
      { id: "turning" },
      h(
        "p",
        h("strong", t(isFine ? "review.finest" : "review.turning")),
        " ",
        this.#sentence(ply, review.mainGame),
        this.#reasonText(ply),
      ),
      h(
        "div.row",
        button(t("review.go_there"), () => review.goToPlyInView(ply - 1)),
        this.#canExplain(ply) &&
          button(
            t("play.why"),
            () => {
              review.goToPlyInView(ply);
              this.#explain();
            },
            { name: "why" },
          ),
        review.isStandalone ? null : this.#practiseButton(ply),
        ...this.#lineButtons(ply),
      ),
    );
  }

  /** A button that keeps the position before a move as a puzzle to repeat. @param {number} ply */
  #practiseButton(ply) {
    const { review } = this;
    return button(t("review.practise"), async () => {
      const { Practice, dayOf } = await import("../learn/practice.js");
      const move = review.state.analysis?.moves[ply - 1];
      if (!move) return;
      const start = writeDiscs(boardAtPly(review.mainGame, ply - 1).discs);
      const variant = writeVariant(review.mainGame.variant);
      const mistake = { variant, start, answers: move.best_columns, label: move.label };
      new Practice().addOwn(mistake, dayOf(new Date()));
      this.showStatus(t("review.practised"));
    });
  }

  /** Whether a position of the game can be explained: by the file of a standalone review, or else by the server or
   * the core.
   * @param {number} ply */
  #canExplain(ply) {
    const { review } = this;
    return review.isStandalone
      ? Boolean(review.source.storedExplanation?.(ply))
      : canExplain(review.game.variant) && review.game.positions[ply]?.result === null;
  }

  // Explains why the shown board is won, lost or drawn.
  async #explain() {
    const { review } = this;
    const kept = review.source.storedExplanation?.(review.ply);
    await runOrShowError(this.elements.busy, async () => {
      const { openExplanation } = await import("./explanation-dialog.js");
      await openExplanation(review.position(), ...(kept ? [async () => kept] : []));
    });
  }

  /** Buttons that show the better moves, and the best answer to the move, on the board. @param {number} ply */
  #lineButtons(ply) {
    const move = this.review.state.analysis?.moves[ply - 1];
    if (!move) return [];
    /** @type {[string, number[], [number, number][], number][]} */
    const lines = [
      ["review.better_line", move.better_line, move.better_cells, ply - 1],
      ["review.refutation", move.refutation, move.refutation_cells, ply],
    ];
    return lines
      .filter(([, columns]) => columns.length)
      .map(([key, columns, cells, from]) => {
        const more = columns.length > cells.length ? " …" : "";
        const moves =
          columns
            .slice(0, cells.length)
            .map((column) => column + 1)
            .join(" ") + more;
        return button(t(key, { moves }).replace("….", "…"), () => this.review.showVariationCells(from, cells), {
          class: "plain",
        });
      });
  }

  /** @param {number} ply */
  #reasonText(ply) {
    const move = this.review.state.analysis?.moves[ply - 1];
    if (!move) return "";
    const { label, seen_by: count } = move;
    const reason = move.reasons.some(({ kind }) => kind === label) ? "" : move.reason; // the coach has said it
    const isHard = (label === "mistake" || label === "fine_point") && count !== null;
    const seen = isHard ? ` ${count ? t("review.seen_by", { count }) : t("review.seen_by_none")}` : "";
    return `${reason ? ` ${reason}` : ""}${seen}`;
  }

  /** Shows each side's threats in odd and in even rows after the shown move, and which side runs out of harmless cells. */
  #ledger() {
    const { review } = this;
    const ledger = review.state.variation ? null : review.state.analysis?.moves[review.ply - 1]?.ledger;
    return ledger ? ledgerText(ledger, (side) => review.playerName(side)) : [];
  }

  /** @param {ThreatView[]} threats */
  showThreats(threats) {
    const { review } = this;
    this.elements.threats.replaceChildren(
      ...threats
        .slice(0, MAX_THREATS_SHOWN)
        .map((threat) =>
          h(
            "li",
            discIcon(threat.side),
            t(
              `threat.${threat.now ? "now" : "later"}${review.playerName(threat.side) === t("name.you") ? "_you" : ""}`,
              { name: review.playerName(threat.side), column: threat.column + 1, row: threat.row + 1 },
            ),
          ),
        ),
    );
    if (threats.length > MAX_THREATS_SHOWN)
      this.elements.threats.append(h("li.quiet", t("threat.more", { count: threats.length - MAX_THREATS_SHOWN })));
    if (review.options.threats && !threats.length && !review.moment.result)
      this.elements.threats.append(h("li.quiet", t("threat.none")));
    if (threats.length) this.elements.threats.append(...this.#ledger().map((words) => h("li.ledger", words)));
  }
}

/** A field for moves and saved games. @param {import("../page-types.js").Page} page */
function pasteForm(page) {
  const input = h("textarea", { rows: 1, "aria-label": t("paste.label"), placeholder: "4453" });
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (input.value.trim()) openText(input.value, page);
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) go(event);
  });
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!input.value) setTimeout(() => openText(text, page)); // text that is pasted into an empty field opens at once
  });
  return h("form.row.paste-form", { onsubmit: go }, input, h("button", { type: "submit" }, t("paste.open")));
}

function buildElements() {
  return {
    sentence: h("p.sentence"),
    busy: h("p.quiet.small"),
    explorer: h("div"),
    facts: h("div.stack"),
    tries: h("div.row.tries"),
    moves: h("ol.moves.numbered", { "aria-label": t("play.moves") }),
    threats: h("ul.threats.stack.small", { id: "threats" }),
  };
}

/** Marks the entry of the shown ply. Returns the entry, or null if it was marked before. @param {HTMLElement} list @param {string} selector @param {number} ply */
function markCurrent(list, selector, ply) {
  const before = list.querySelector("[aria-current]");
  const entry = /** @type {HTMLElement | null} */ (list.querySelector(`${selector}[data-ply="${ply}"]`));
  if (entry === before) return null;
  before?.removeAttribute("aria-current");
  entry?.setAttribute("aria-current", "step");
  return entry;
}
