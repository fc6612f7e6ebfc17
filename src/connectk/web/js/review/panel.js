// What stands beside the board in a review: graph, labelled moves, accuracy, turning point, threats, replay and files.
import { attempt } from "../common/api.js";
import { canExplain } from "../board/boards.js";
import { button, check, chip, h, select } from "../common/dom.js";
import { Graph } from "./graph.js";
import { whenReleased } from "../common/press.js";
import { Share } from "../common/share.js";
import { language, t } from "../texts/texts.js";

const SPEEDS = ["0.5", "1", "2", "4"];
/** @import { Review } from "./review.js"
 *  @import { Side } from "../shapes.js"
 *  @import { ReviewAnswer, ThreatView, WholeGameAnswer } from "../types.js" */

/** @type {Side[]} */
const SIDES = ["first", "second"];
const SIGNS = { blunder: "??", slip: "?", best: "", given: "·" };
const MOST_THREATS = 6; // sentences shown at once

export class ReviewPanel {
  /** @param {Review} review */
  constructor(review) {
    this.review = review;
    this.speed = "1";
    this.part = partsOf();
    this.playing = button("", () => (review.timer ? review.pause() : review.play(Number(this.speed))), {
      class: "playing",
    });
    this.on = button(t("review.play_on"), () => review.playFromHere().catch((error) => this.tell(error.message)), {
      class: "main",
    });
    this.whyHere = button(t("play.why"), () => this.#explain());
    this.graph = new Graph({
      label: t("review.graph"),
      tellPly: (ply) => (review.loaded ? this.#sentence(ply, review.loaded) : ""),
      onmove: (ply) => review.moveMain(ply),
    });
  }

  draw() {
    const { review } = this;
    this.graph.show(Array.from({ length: review.main.columns.length + 1 }, () => null));
    this.part = partsOf();
    const isGame = review.main.columns.length > 0;
    const title = isGame ? t("review.title") : t("review.analysis");
    review.page.panel.replaceChildren(
      h(
        "div.stack",
        h("h1", title),
        review.verdict ? h("p", review.verdict) : null,
        isGame ? null : h("p.quiet", t("review.empty")),
      ),
      h("div.stack", { hidden: !isGame }, this.graph.element, this.#drawControls(), this.part.tries, this.part.moves),
      h("div.row.onwards", review.alone ? null : this.on, this.whyHere),
      h(
        "div.row.checks",
        check(t("play.scores"), review.wishes.scores, (on) => review.wish("scores", on)),
        check(t("review.threats"), review.wishes.threats, (on) => review.wish("threats", on)),
      ),
      review.alone ? "" : new Share(review).element, // files need a server
      // What comes late, or is now short and now long, stands below what one presses.
      this.part.sentence,
      this.part.busy,
      this.part.facts,
      this.part.threats,
    );
    this.#drawMoves();
    this.drawTry();
  }

  // A try stands in a row of its own, with the way back; the row is kept when there is none.
  drawTry() {
    const { line } = this.review;
    if (this.review.alone) return this.part.tries.replaceChildren();
    if (!line) return this.part.tries.replaceChildren(h("span.quiet.small", t("review.try_hint")));
    const columns = line.game.columns.slice(line.from);
    /** @param {number} column @param {number} index */
    const step = (column, index) => {
      const ply = line.from + index + 1;
      const one = button("", () => this.review.moveTo(ply), { class: "step", "data-ply": ply });
      one.append(chip(this.#sideOf(ply)), String(column + 1));
      return one;
    };
    return this.part.tries.replaceChildren(
      h("span", t("review.try", { ply: line.from + 1 })),
      ...columns.map(step),
      button(t("review.back_to_game"), () => this.review.moveMain(line.from)),
    );
  }

  #drawControls() {
    const { review } = this;
    /** @param {string} text @param {string} label @param {() => number} ply */
    const step = (text, label, ply) => button(text, () => review.moveTo(ply()), { "aria-label": label, title: label });
    return h(
      "div.row.steps",
      step("«", t("review.first"), () => 0),
      step("‹", t("review.back"), () => review.ply - 1),
      this.playing,
      step("›", t("review.next"), () => review.ply + 1),
      step("»", t("review.last"), () => review.last),
      select(
        t("review.speed"),
        SPEEDS.map((speed) => [speed, `${speed}×`]),
        this.speed,
        (speed) => {
          this.speed = speed;
          if (review.timer) review.play(Number(speed));
        },
      ),
    );
  }

  /** @param {string} words */
  tell(words) {
    this.part.busy.textContent = words;
  }

  update() {
    const { review } = this;
    this.graph.moveTo(review.mainPly);
    this.playing.textContent = t(review.timer ? "review.pause" : "review.replay");
    this.part.sentence.textContent = this.sentence() + (review.line ? "" : this.#why(review.ply));
    this.on.disabled = review.view.result !== null;
    this.whyHere.hidden = !this.#hasWhy(review.ply);
    const { moves } = this.part;
    const reached = mark(moves, "button", review.mainPly);
    mark(this.part.tries, ".step", review.ply);
    if (reached) moves.scrollTop = reached.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  }

  // One sentence about the move that led to a ply, of the game or of the try that is walked.
  sentence(ply = this.review.ply) {
    return this.#sentence(ply, this.review.game);
  }

  /** @param {number} ply @param {WholeGameAnswer} game */
  #sentence(ply, game) {
    const { review } = this;
    const { result } = game.positions[ply];
    const ending = result
      ? ` ${result.winner ? t("result.other", { name: review.name(result.winner) }) : t("result.draw")}`
      : "";
    if (ply === 0) return game.columns.length ? t("review.start", { count: game.columns.length }) : "";
    const facts = { ply, name: review.name(this.#sideOf(ply)), column: game.columns[ply - 1] + 1 };
    return t("review.step", facts) + (game === review.main ? this.#judgement(ply) : "") + ending;
  }

  /** @param {number} ply */
  #judgement(ply) {
    const move = this.review.review?.moves[ply - 1];
    if (!move) return "";
    const label = ` ${t(`label.${move.label}`)}.`;
    if (move.label === "best" || move.label === "given") return label;
    const columns = move.best_columns.map((column) => column + 1).join(", ");
    return `${label} ${t("review.better", { columns, count: move.best_columns.length, worth: move.before_words, after: move.after_words })}`;
  }

  /** @param {number} ply */
  #sideOf(ply) {
    return SIDES[(this.review.main.positions[0].ply + ply + 1) % 2];
  }

  #drawMoves() {
    const { review } = this;
    this.part.moves.replaceChildren(
      ...review.main.columns.map((column, index) =>
        h(
          "li",
          h(
            "button",
            {
              type: "button",
              "data-ply": index + 1,
              onclick: () => review.moveMain(index + 1),
              "aria-label": this.#step(index + 1),
            },
            chip(this.#sideOf(index + 1)),
            String(column + 1),
            h("span.label"),
          ),
        ),
      ),
    );
  }

  /** @param {number} ply */
  #step(ply) {
    return t("review.step", {
      ply,
      name: this.review.name(this.#sideOf(ply)),
      column: this.review.main.columns[ply - 1] + 1,
    });
  }

  /** Into the room that each move keeps for its label. @param {ReviewAnswer["moves"]} moves */
  #labelMoves(moves) {
    this.part.moves.querySelectorAll("button").forEach((entry, index) => {
      const { label } = moves[index];
      entry.setAttribute("aria-label", `${this.#step(index + 1)}, ${t(`label.${label}`)}`);
      entry.querySelector(".label")?.replaceWith(h("span", { class: `label ${label}` }, SIGNS[label]));
    });
  }

  // Once the whole game is judged: the line of the graph, the labels, accuracy and the turning point.
  drawReview() {
    whenReleased(this, () => {
      this.#drawReview();
      this.update();
    });
  }

  #drawReview() {
    const { review } = this;
    const judged = review.review;
    if (!judged) return;
    const { moves, accuracy } = judged;
    const turning = moves.findIndex((move) => move.number === judged.turning_point) + 1;
    const marks = moves.flatMap((move, index) =>
      move.label === "best" || move.label === "given"
        ? []
        : [{ ply: index + 1, kind: move.label, label: this.#sentence(index + 1, review.main) }],
    );
    this.graph.show([judged.advantage, ...moves.map((move) => move.advantage)], marks);
    this.#labelMoves(moves);
    /** @param {number | null} value */
    const percent = (value) =>
      value === null ? "–" : new Intl.NumberFormat(language, { style: "percent" }).format(value / 100);
    this.part.facts.replaceChildren(
      h(
        "dl.facts",
        SIDES.flatMap((side) => [
          h("dt", t("review.accuracy_of", { name: review.name(side) })),
          h("dd.number", percent(accuracy[side])),
        ]),
      ),
      judged.given ? h("p.quiet.small", t("review.given", { count: judged.given })) : "",
      turning === 0 ? h("p", t("review.no_turning")) : this.#turning(turning),
      judged.exact ? "" : h("p.quiet.small", t("review.estimated")),
    );
  }

  /** @param {number} ply */
  #turning(ply) {
    const { review } = this;
    return h(
      "div.stack",
      { id: "turning" },
      h("p", h("strong", t("review.turning")), " ", this.#sentence(ply, review.main), this.#why(ply)),
      h(
        "div.row",
        button(t("review.go_there"), () => review.visit(ply - 1)),
        this.#hasWhy(ply) &&
          button(
            t("play.why"),
            () => {
              review.visit(ply);
              this.#explain();
            },
            { name: "why" },
          ),
        ...this.#lines(ply),
      ),
    );
  }

  /** Whether the board after so many moves can be explained: by whoever is asked, or by the file that brought the reason along. @param {number} ply */
  #hasWhy(ply) {
    const { review } = this;
    return review.alone
      ? Boolean(review.source.why?.(ply))
      : canExplain(review.game.variant) && review.game.positions[ply]?.result === null;
  }

  // Why the board that is shown is won, lost or drawn.
  async #explain() {
    const { review } = this;
    const kept = review.source.why?.(review.ply);
    await attempt(this.part.busy, async () => {
      const { openWhy } = await import("./why.js");
      await openWhy(review.order(), ...(kept ? [async () => kept] : []));
    });
  }

  /** The better line and the answer to the move, in words; pressed, on the board. @param {number} ply */
  #lines(ply) {
    const move = this.review.review?.moves[ply - 1];
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
        return button(t(key, { moves }).replace("….", "…"), () => this.review.showLine(from, cells), {
          class: "plain",
        });
      });
  }

  /** The server says it, in the page's language. @param {number} ply */
  #why(ply) {
    const reason = this.review.review?.moves[ply - 1]?.reason;
    return reason ? ` ${reason}` : "";
  }

  /** @param {ThreatView[]} threats */
  showThreats(threats) {
    const { review } = this;
    this.part.threats.replaceChildren(
      ...threats
        .slice(0, MOST_THREATS)
        .map((threat) =>
          h(
            "li",
            chip(threat.side),
            t(threat.now ? "threat.now" : "threat.later", {
              name: review.name(threat.side),
              column: threat.column + 1,
              row: threat.row + 1,
            }),
          ),
        ),
    );
    if (threats.length > MOST_THREATS)
      this.part.threats.append(h("li.quiet", t("threat.more", { count: threats.length - MOST_THREATS })));
    if (review.wishes.threats && !threats.length && !review.view.result)
      this.part.threats.append(h("li.quiet", t("threat.none")));
  }
}

function partsOf() {
  return {
    sentence: h("p.sentence"),
    busy: h("p.quiet.small"),
    facts: h("div.stack"),
    tries: h("div.row.tries"),
    moves: h("ol.moves", { "aria-label": t("play.moves") }),
    threats: h("ul.threats.stack.small", { id: "threats" }),
  };
}

/** The entry of the ply that is shown, unless it was marked before. @param {HTMLElement} list @param {string} selector @param {number} ply */
function mark(list, selector, ply) {
  const before = list.querySelector("[aria-current]");
  const entry = /** @type {HTMLElement | null} */ (list.querySelector(`${selector}[data-ply="${ply}"]`));
  if (entry === before) return null;
  before?.removeAttribute("aria-current");
  entry?.setAttribute("aria-current", "step");
  return entry;
}
