// What stands beside the board in a review: graph, labelled moves, accuracy, turning point, threats, replay and files.
import { button, check, chip, h, select } from "./dom.js";
import { Graph } from "./graph.js";
import { Share } from "./share.js";
import { language, t } from "./texts.js";

const SPEEDS = ["0.5", "1", "2", "4"];
const SIDES = ["first", "second"];
const MOST_THREATS = 6; // sentences shown at once

export class ReviewPanel {
  constructor(review) {
    this.review = review;
    this.speed = "1";
  }

  draw() {
    const { review } = this;
    this.graph = new Graph({ label: t("review.graph"), tellPly: (ply) => this.#sentence(ply, review.main), onmove: (ply) => review.moveMain(ply) });
    this.graph.show(Array.from({ length: review.main.columns.length + 1 }, () => null));
    this.part = {
      sentence: h("p", { class: "sentence" }), busy: h("p", { class: "quiet small" }), facts: h("div", { class: "stack" }),
      tries: h("div", { class: "row tries" }), moves: h("ol", { class: "moves", "aria-label": t("play.moves") }), threats: h("ul", { class: "threats stack small", id: "threats" }),
    };
    this.drawn = this.#drawControls();
    const isGame = review.main.columns.length > 0;
    const title = isGame ? t("review.title") : t("review.analysis");
    review.page.panel.replaceChildren(
      h("div", { class: "stack" }, h("h1", {}, title), review.verdict ? h("p", {}, review.verdict) : null,
        isGame ? null : h("p", { class: "quiet" }, t("review.empty"))),
      h("div", { class: "stack", hidden: !isGame }, this.graph.element, this.drawn, this.part.tries),
      this.part.sentence, this.part.facts, this.part.busy, this.part.moves,
      h("div", { class: "stack" },
        check(t("play.scores"), review.wishes.scores, (on) => review.wish("scores", on)),
        check(t("review.threats"), review.wishes.threats, (on) => review.wish("threats", on)), this.part.threats),
      ...this.#onwards());
    this.#drawMoves();
    this.drawTry();
  }

  // A try stands in a row of its own, with the way back; the row is kept when there is none.
  drawTry() {
    const { line } = this.review;
    if (this.review.alone) return this.part.tries.replaceChildren();
    if (!line) return this.part.tries.replaceChildren(h("span", { class: "quiet small" }, t("review.try_hint")));
    const columns = line.game.columns.slice(line.from);
    const step = (column, index) => button("", () => this.review.moveTo(line.from + index + 1), { class: "step", "data-ply": line.from + index + 1 });
    return this.part.tries.replaceChildren(h("span", {}, t("review.try", { ply: line.from + 1 })),
      ...columns.map((column, index) => { const one = step(column, index); one.append(chip(this.#sideOf(line.from + index + 1)), String(column + 1)); return one; }),
      button(t("review.back_to_game"), () => this.review.moveMain(line.from)));
  }

  #drawControls() {
    const { review } = this;
    const step = (text, label, ply) => button(text, () => review.moveTo(ply()), { "aria-label": label, title: label });
    this.playing = button("", () => (review.timer ? review.pause() : review.play(Number(this.speed))), { class: "playing" });
    return h("div", { class: "row steps" },
      step("«", t("review.first"), () => 0), step("‹", t("review.back"), () => review.ply - 1), this.playing,
      step("›", t("review.next"), () => review.ply + 1), step("»", t("review.last"), () => review.last),
      select(t("review.speed"), SPEEDS.map((speed) => [speed, `${speed}×`]), this.speed, (speed) => {
        this.speed = speed;
        if (review.timer) review.play(Number(speed));
      }));
  }

  // What needs a server: playing on, and files.
  #onwards() {
    const on = h("div", { class: "row" }, this.#playOn());
    return this.review.alone ? [] : [on, new Share(this.review).element];
  }

  #playOn() {
    this.on = button(t("review.play_on"), () => this.review.playFromHere().catch((error) => this.tell(error.message)), { class: "main" });
    return this.on;
  }

  tell(words) { this.part.busy.textContent = words; }

  update() {
    const { review } = this;
    this.graph.moveTo(review.mainPly);
    this.playing.textContent = t(review.timer ? "review.pause" : "review.replay");
    this.part.sentence.textContent = this.sentence() + (review.line ? "" : this.#why(review.ply));
    this.on.disabled = review.view.result !== null;
    for (const entry of this.part.moves.querySelectorAll("button")) {
      if (Number(entry.dataset.ply) === review.mainPly) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
    }
    for (const entry of this.part.tries.querySelectorAll(".step")) {
      if (Number(entry.dataset.ply) === review.ply) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
    }
    const current = this.part.moves.querySelector("[aria-current]");
    if (current) this.part.moves.scrollTop = current.offsetTop - this.part.moves.offsetTop - this.part.moves.clientHeight / 2;
  }

  // One sentence about the move that led to a ply, of the game or of the try that is walked.
  sentence(ply = this.review.ply) { return this.#sentence(ply, this.review.game); }

  #sentence(ply, game) {
    const { review } = this;
    const { result } = game.positions[ply];
    const ending = result ? ` ${result.winner ? t("result.other", { name: review.name(result.winner) }) : t("result.draw")}` : "";
    if (ply === 0) return game.columns.length ? t("review.start", { count: game.columns.length }) : "";
    const facts = { ply, name: review.name(this.#sideOf(ply)), column: game.columns[ply - 1] + 1 };
    return t("review.step", facts) + (game === review.main ? this.#judgement(ply) : "") + ending;
  }

  #judgement(ply) {
    const move = this.review.review?.moves[ply - 1];
    if (!move) return "";
    const label = ` ${t(`label.${move.label}`)}.`;
    if (move.label === "best" || move.label === "given") return label;
    const columns = move.best_columns.map((column) => column + 1).join(", ");
    return `${label} ${t("review.better", { columns, count: move.best_columns.length, worth: move.before_words, after: move.after_words })}`;
  }

  #sideOf(ply) { return SIDES[(this.review.main.positions[0].ply + ply + 1) % 2]; }

  #drawMoves() {
    const { review } = this;
    const labels = review.review?.moves ?? [];
    const mark = { blunder: "??", slip: "?", best: "", given: "·" };
    this.part.moves.replaceChildren(...review.main.columns.map((column, index) => {
      const label = labels[index]?.label;
      const words = label ? `, ${t(`label.${label}`)}` : "";
      return h("li", {}, h("button", { type: "button", "data-ply": index + 1, onclick: () => review.moveMain(index + 1),
        "aria-label": t("review.step", { ply: index + 1, name: review.name(this.#sideOf(index + 1)), column: column + 1 }) + words },
        chip(this.#sideOf(index + 1)), String(column + 1), label && mark[label] ? h("span", { class: `label ${label}` }, mark[label]) : null));
    }));
  }

  // Once the whole game is judged: the line of the graph, the labels, accuracy and the turning point.
  drawReview() {
    const { review } = this;
    const { moves, accuracy } = review.review;
    const turning = moves.findIndex((move) => move.number === review.review.turning_point) + 1;
    const marks = moves.flatMap((move, index) => (move.label === "best" || move.label === "given" ? [] : [{ ply: index + 1, kind: move.label, label: this.#sentence(index + 1, review.main) }]));
    this.graph.show([review.review.advantage, ...moves.map((move) => move.advantage)], marks);
    this.#drawMoves();
    const percent = (value) => (value === null ? "–" : new Intl.NumberFormat(language, { style: "percent" }).format(value / 100));
    this.part.facts.replaceChildren(
      h("dl", { class: "facts" }, SIDES.flatMap((side) => [h("dt", {}, t("review.accuracy_of", { name: review.name(side) })),
        h("dd", { class: "number" }, percent(accuracy[side]))])),
      review.review.given ? h("p", { class: "quiet small" }, t("review.given", { count: review.review.given })) : "",
      turning === 0 ? h("p", {}, t("review.no_turning")) : this.#turning(turning),
      review.review.exact ? "" : h("p", { class: "quiet small" }, t("review.estimated")));
  }

  #turning(ply) {
    const { review } = this;
    return h("div", { class: "stack", id: "turning" }, h("p", {}, h("strong", {}, t("review.turning")), " ", this.#sentence(ply, review.main), this.#why(ply)),
      h("div", { class: "row" }, button(t("review.go_there"), () => review.visit(ply - 1)), ...this.#lines(ply)));
  }

  // The better line and the answer to the move, in words; pressed, on the board.
  #lines(ply) {
    const move = this.review.review.moves[ply - 1];
    const lines = [["review.better_line", move.better_line, move.better_cells, ply - 1],
      ["review.refutation", move.refutation, move.refutation_cells, ply]];
    return lines.filter(([, columns]) => columns.length).map(([key, columns, cells, from]) => {
      const more = columns.length > cells.length ? " …" : "";
      const moves = columns.slice(0, cells.length).map((column) => column + 1).join(" ") + more;
      return button(t(key, { moves }).replace("….", "…"), () => this.review.showLine(from, cells), { class: "plain" });
    });
  }

  // The server says it, in the page's language.
  #why(ply) {
    const reason = this.review.review?.moves[ply - 1]?.reason;
    return reason ? ` ${reason}` : "";
  }

  showThreats(threats) {
    const { review } = this;
    this.part.threats.replaceChildren(...threats.slice(0, MOST_THREATS).map((threat) =>
      h("li", {}, chip(threat.side), t(threat.now ? "threat.now" : "threat.later", { name: review.name(threat.side),
        column: threat.column + 1, row: threat.row + 1 }))));
    if (threats.length > MOST_THREATS) this.part.threats.append(h("li", { class: "quiet" }, t("threat.more", { count: threats.length - MOST_THREATS })));
    if (review.wishes.threats && !threats.length && !review.view.result) this.part.threats.append(h("li", { class: "quiet" }, t("threat.none")));
  }
}
