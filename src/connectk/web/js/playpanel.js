// What stands beside the board during a match. Built once, then only what changed is changed, and no button moves.
import { writeMoves, writeStart, writeVariant } from "./boards.js";
import { button, check, chip, h } from "./dom.js";
import { seriesScore } from "./games.js";
import { isYou, sideName } from "./names.js";
import { gamePath } from "./paths.js";
import { showClocks, showSeats } from "./seats.js";
import { t } from "./texts.js";

const SIDES = ["first", "second"];

export class PlayPanel {
  constructor(play) {
    this.play = play;
    this.ticking = setInterval(() => this.#tick(), 200);
  }

  close() { clearInterval(this.ticking); }

  get match() { return this.play.match; }

  draw() {
    const part = this.part = {
      headline: h("h1", { class: "headline" }), detail: h("p"), offer: h("div", { class: "row" }), ending: h("div", { class: "row" }),
      controls: h("div", { class: "row controls" }), moves: h("ol", { class: "moves", "aria-label": t("play.moves") }),
      watching: h("p", { class: "quiet small" }), invitation: h("div", { class: "stack" }), more: h("div", { class: "stack" }),
      thinking: h("div", { class: "stack quiet small thinking" }),
    };
    this.play.page.panel.replaceChildren(
      h("div", { class: "status" }, part.headline, h("div", { class: "deal" }, part.detail, part.offer, part.ending)), part.controls,
      part.invitation, part.thinking, part.moves, part.more, part.watching);
    this.#drawControls();
    this.#drawMore();
    this.#drawInvitation();
  }

  update() {
    if (!this.part) return;
    const { match, part, play } = this;
    const side = play.isOver ? match.state.result.winner : play.sideToMove;
    const words = play.headline();
    part.headline.replaceChildren(...(side ? [chip(side)] : []), words);
    part.headline.classList.toggle("over", play.isOver);
    play.page.title(words);
    part.detail.textContent = play.detail;
    this.#updateSeats();
    this.#updateOffer();
    this.#updateControls();
    this.#updateMoves();
    part.invitation.hidden = !match.state.waiting;
    part.watching.textContent = match.present?.watching ? t("play.watching", { count: match.present.watching }) : "";
    this.#updateThinking();
  }

  #drawControls() {
    const { play, match } = this;
    this.buttons = {
      undo: button(t("play.undo"), () => play.undo()),
      redo: button(t("play.redo"), () => play.redo()),
      hint: button(t("play.hint"), () => play.hint()),
      draw: button(t("play.offer_draw"), () => match.ask("offer_draw")),
      resign: button(t("play.resign"), () => play.resign()),
    };
    this.part.controls.append(...(play.pace ? play.pace.buttons() : Object.values(this.buttons)));
    this.part.ending.append(
      button(t("play.rematch"), () => match.ask("rematch"), { class: "main", name: "rematch" }),
      button(t("play.review"), () => this.#review()));
  }

  // Which buttons there are follows from who plays; which can be pressed, from the moment.
  #updateControls() {
    const { match, buttons, part, play } = this;
    const plays = match.sides.length > 0;
    const asks = plays && !match.isMine;
    const gone = match.isOver && !["line", "full"].includes(match.state.result.reason);
    buttons.undo.textContent = t(asks ? "play.ask_undo" : "play.undo");
    buttons.undo.disabled = !match.moves.length || gone || (asks && match.isOver) || match.state.next_match !== null;
    buttons.redo.disabled = !match.state.can_redo;
    buttons.hint.disabled = match.isOver;
    part.restart.disabled = !match.moves.length || gone;
    for (const name of ["draw", "resign"]) buttons[name].disabled = match.isOver;
    for (const name of ["redo", "hint"]) buttons[name].hidden = asks;
    for (const name of ["draw", "resign"]) buttons[name].hidden = !asks;
    part.controls.hidden = !(plays || play.pace) || match.state.waiting;
    for (const element of [part.resign, part.restart]) element.hidden = asks || !plays;
    part.resign.disabled = match.isOver;
    part.ending.hidden = !play.isOver || Boolean(match.state.offer && plays);
    part.ending.querySelector("[name=rematch]").hidden = !plays;
    part.detail.hidden = play.isOver && !play.detail;
    part.scores.hidden = !(match.isMine || (!plays && match.view.public) || match.isOver) || Boolean(play.pace);
  }

  #drawMore() {
    const { play, part } = this;
    part.scores = check(t("play.scores"), play.hints.wanted, (on) => play.hints.toggle(on));
    part.resign = button(t("play.resign"), () => play.resign());
    part.restart = button(t("play.restart"), () => play.restart());
    part.more.append(part.scores, h("div", { class: "row" }, part.restart, part.resign, button(t("play.leave"), () => play.leave())));
  }

  // You below the board, the other above it; where nobody is you, the first player is below.
  #updateSeats() {
    const { match, play } = this;
    const { state, view } = match;
    const wins = seriesScore(match.id, view.previous ?? null, play.isOver ? state.result.winner : null);
    const seat = (side) => ({
      side, name: sideName(match, side), turn: !match.isOver && play.sideToMove === side,
      you: isYou(match, side) && Boolean(view.seats[side].name), wins: wins ? wins[side] : null, clock: Boolean(state.clock),
      away: view.seats[side].kind === "person" && !match.sides.includes(side) && !match.isPresent(side) && !match.isOver,
    });
    const below = match.sides.length === 1 ? match.sides[0] : "first";
    showSeats(seat(below === "first" ? "second" : "first"), seat(below));
    this.#tick();
  }

  #tick() {
    const clock = this.match?.view?.state.clock;
    if (!clock || !this.part) return;
    showClocks((side) => {
      const spent = clock.running === side ? Math.max(0, this.match.live.now() - clock.since) : 0;
      return Math.max(0, clock[side] - spent);
    });
  }

  // An offer stands where the sentence stood: its place is kept, so nothing else moves.
  #updateOffer() {
    const { match, part } = this;
    const offer = match.state.offer;
    if (!offer || !match.sides.length) return part.offer.replaceChildren();
    const own = match.sides.includes(offer.side);
    const words = h("span", {}, t(own ? `offer.own.${offer.what}` : `offer.${offer.what}`, { name: sideName(match, offer.side) }));
    const answers = own ? [button(t("offer.withdraw"), () => match.ask("decline"))]
      : [button(t("offer.yes"), () => match.ask("accept"), { class: "main" }), button(t("offer.no"), () => match.ask("decline"))];
    if (!own && this.told !== match.view.seq) this.play.page.say(words.textContent);
    this.told = match.view.seq;
    return part.offer.replaceChildren(words, ...answers);
  }

  #updateMoves() {
    const moves = this.match.moves.slice(0, this.play.pace?.ply);
    const side = (index) => SIDES[(this.match.startPly + index) % 2];
    this.part.moves.replaceChildren(...moves.map((column, index) => h("li", {}, chip(side(index)), String(column + 1))));
    this.part.moves.scrollTop = this.part.moves.scrollHeight;
  }

  #updateThinking() {
    const until = this.play.pace?.ply ?? Infinity;
    const last = (side) => this.match.thoughts.findLast((thought) => thought.side === side && thought.ply <= until);
    const shown = this.match.sides.length ? [] : SIDES.map(last).filter(Boolean);
    this.part.thinking.replaceChildren(...shown.map((thought) => h("p", {}, chip(thought.side), " ", thoughtWords(this.match, thought))));
  }

  // The link can be had again by whoever holds the seat, for as long as the other one is free.
  async #drawInvitation() {
    const { play, match, part } = this;
    if (!match.state.waiting || !match.sides.length || !play.invitation) return;
    const { Invitation } = await import("./invitation.js");
    part.invitation.replaceChildren(new Invitation(play.page, play.id, play.invitation).element);
  }

  #review() {
    const { match } = this;
    const players = Object.fromEntries(SIDES.map((side) => [side, sideName(match, side)]));
    this.play.page.go(gamePath({ variant: writeVariant(match.variant), moves: writeMoves(match.moves, match.variant.width),
      start: writeStart(match.view.start) }), { players });
  }
}

function thoughtWords(match, { side, column, thought }) {
  const line = (thought.line ?? []).map((each) => each + 1).join(" ");
  return [t("thought.column", { name: sideName(match, side), column: column + 1 }),
    thought.score !== undefined && t("thought.score", { score: Number(thought.score.toFixed?.(2) ?? thought.score) }),
    thought.depth !== undefined && t("thought.depth", { count: thought.depth }),
    thought.nodes !== undefined && t("thought.nodes", { nodes: thought.nodes.toLocaleString(document.documentElement.lang) }),
    thought.proven && t("thought.proven"), line && t("thought.line", { line })].filter(Boolean).join(" ");
}
