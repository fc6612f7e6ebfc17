// What stands beside the board during a match. Built once, then only what changed is changed, and no button moves.
import { canExplain, writeMoves, writeVariant } from "../board/boards.js";
import { button, check, chip, h } from "../common/dom.js";
import { seriesScore } from "./games.js";
import { isYou, sideName } from "../texts/names.js";
import { gamePath } from "../common/paths.js";
import { headline } from "./words.js";
import { showClocks, showSeats } from "./seats.js";
import { t } from "../texts/texts.js";

/** @import { Play } from "./play.js"
 *  @import { Thought } from "./match.js"
 *  @import { Side } from "../shapes.js"
 *  @typedef {ReturnType<typeof partsOf>} Parts */

/** @type {Side[]} */
const SIDES = ["first", "second"];
const ONE_LINE = 20; // letters of a headline that may be large without a second line

export class PlayPanel {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    /** @type {Parts | null} */
    this.part = null;
    /** @type {ReturnType<typeof buttonsOf> | null} */
    this.buttons = null;
    /** @type {number | null} */
    this.told = null; // the number of the offer that was spoken
    this.ticking = setInterval(() => this.#tick(), 200);
  }

  close() {
    clearInterval(this.ticking);
  }

  get match() {
    return this.play.match;
  }

  draw() {
    const part = (this.part = partsOf(this.play));
    this.play.page.panel.replaceChildren(
      h("div.status", part.headline, h("div.deal", part.detail, part.why, part.offer, part.ending)),
      part.controls,
      part.more,
      part.invitation,
      part.thinking,
      part.moves,
      part.watching,
    );
    this.#drawControls(part);
    this.#drawMore(part);
    this.#drawInvitation();
  }

  update() {
    if (!this.part) return;
    const { match, part, play } = this;
    const side = play.isOver ? match.state.result?.winner : play.sideToMove;
    const words = headline(play);
    part.headline.replaceChildren(...(side ? [chip(side)] : []), words);
    part.headline.classList.toggle("over", play.isOver);
    part.headline.classList.toggle("short", words.length < ONE_LINE);
    play.page.title?.(words);
    part.detail.textContent = play.state.detail;
    part.why.hidden = !play.hints.pointed || play.isOver || !canExplain(play.match.variant);
    this.#updateSeats();
    this.#updateOffer(part);
    this.#updateControls(part);
    this.#updateMoves(part);
    part.invitation.hidden = !match.state.waiting;
    part.watching.textContent = match.present?.watching ? t("play.watching", { count: match.present.watching }) : "";
    this.#updateThinking(part);
  }

  /** @param {Parts} part */
  #drawControls(part) {
    const { play } = this;
    const buttons = (this.buttons = buttonsOf(play));
    const { rematch, ...controls } = buttons;
    part.controls.append(...(play.pace ? play.pace.buttons() : Object.values(controls)));
    const { room } = play.match.known;
    part.ending.append(
      room ? h("a.button.main", { href: `#/room/${room}` }, t("play.room")) : rematch,
      button(t("play.review"), () => this.#review()),
    );
  }

  /** Which buttons there are follows from who plays; which can be pressed, from the moment. @param {Parts} part */
  #updateControls(part) {
    const { match, buttons, play } = this;
    if (!buttons) return;
    const plays = match.sides.length > 0;
    const asks = plays && !match.isMine;
    buttons.undo.textContent = t(asks ? "play.ask_undo" : "play.undo");
    this.#disable(buttons, part, asks);
    for (const element of [buttons.redo, buttons.hint]) element.hidden = asks;
    for (const element of [buttons.draw, buttons.resign]) element.hidden = !asks;
    for (const element of [part.resign, part.restart]) element.hidden = asks || !plays;
    part.controls.hidden = !(plays || play.pace) || match.state.waiting;
    part.ending.hidden = !play.isOver || Boolean(match.state.offer && plays);
    buttons.rematch.hidden = !plays;
    part.detail.hidden = play.isOver && !play.state.detail;
    part.scores.hidden = !(match.isMine || (!plays && match.known.public) || match.isOver) || Boolean(play.pace);
    if (match.known.room) this.#updateInRoom(buttons, part);
  }

  /** @param {ReturnType<typeof buttonsOf>} buttons @param {Parts} part @param {boolean} asks whether the other player is asked */
  #disable(buttons, part, asks) {
    const { isOver, moves, state } = this.match;
    const isFinal = !moves.length || (isOver && !["line", "full"].includes(state.result?.reason ?? ""));
    buttons.undo.disabled = isFinal || (asks && isOver) || state.next_match !== null;
    buttons.redo.disabled = !state.can_redo;
    part.restart.disabled = isFinal;
    for (const element of [buttons.hint, buttons.draw, buttons.resign, part.resign]) element.disabled = isOver;
  }

  /** In a room nothing is taken back, and nobody helps. @param {ReturnType<typeof buttonsOf>} buttons @param {Parts} part */
  #updateInRoom(buttons, part) {
    for (const element of [buttons.undo, buttons.redo, buttons.hint, part.restart, part.resign]) element.hidden = true;
    buttons.resign.hidden = false;
    part.scores.hidden = !this.match.isOver;
  }

  /** @param {Parts} part */
  #drawMore(part) {
    const { play } = this;
    part.more.append(
      part.scores,
      h(
        "div.row",
        part.restart,
        part.resign,
        button(t("play.leave"), () => play.leave()),
      ),
    );
  }

  // You below the board, the other above it; where nobody is you, the first player is below.
  #updateSeats() {
    const { match, play } = this;
    const { state, known: view } = match;
    const wins = seriesScore(match.id, view.previous ?? null, play.isOver ? (state.result?.winner ?? null) : null);
    /** @param {Side} side */
    const seat = (side) => ({
      side,
      name: sideName(match, side),
      turn: !match.isOver && play.sideToMove === side,
      you: isYou(match, side) && Boolean(view.seats[side].name),
      wins: wins ? wins[side] : null,
      clock: Boolean(state.clock),
      away:
        view.seats[side].kind === "person" && !match.sides.includes(side) && !match.isPresent(side) && !match.isOver,
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

  /** An offer stands where the sentence stood: its place is kept, so nothing else moves. @param {Parts} part */
  #updateOffer(part) {
    const { match } = this;
    const offer = match.state.offer;
    if (!offer || !match.sides.length) return part.offer.replaceChildren();
    const own = match.sides.includes(offer.side);
    const words = t(own ? `offer.own.${offer.what}` : `offer.${offer.what}`, { name: sideName(match, offer.side) });
    if (!own && this.told !== match.known.seq) this.play.page.say(words);
    this.told = match.known.seq;
    if (part.offer.firstChild?.textContent === words) return undefined; // a button that is just being pressed stays
    const decline = () => this.match.ask({ type: "decline" });
    const answers = own
      ? [button(t("offer.withdraw"), decline)]
      : [
          button(t("offer.yes"), () => this.match.ask({ type: "accept" }), { class: "main" }),
          button(t("offer.no"), decline),
        ];
    return part.offer.replaceChildren(h("span", words), ...answers);
  }

  /** @param {Parts} part */
  #updateMoves(part) {
    const moves = this.match.moves.slice(0, this.play.pace?.ply);
    /** @param {number} index */
    const side = (index) => SIDES[(this.match.startPly + index) % 2];
    part.moves.replaceChildren(...moves.map((column, index) => h("li", chip(side(index)), String(column + 1))));
    part.moves.scrollTop = part.moves.scrollHeight;
  }

  /** @param {Parts} part */
  #updateThinking(part) {
    const until = this.play.pace?.ply ?? Infinity;
    /** @param {Side} side */
    const last = (side) =>
      this.match.thoughts.findLast((thought) => thought.side === side && thought.ply <= until) ?? [];
    const shown = this.match.sides.length ? [] : SIDES.flatMap(last);
    part.thinking.replaceChildren(
      ...shown.map((thought) => h("p", chip(thought.side), " ", thoughtWords(this.match, thought))),
    );
  }

  // The link can be had again by whoever holds the seat, for as long as the other one is free.
  async #drawInvitation() {
    const { play, match, part } = this;
    if (!part || !match.state.waiting || !match.sides.length || !play.invitation) return;
    const { Invitation } = await import("./invitation.js");
    part.invitation.replaceChildren(new Invitation(play.page, play.id, play.invitation).element);
  }

  #review() {
    const { match } = this;
    const players = Object.fromEntries(SIDES.map((side) => [side, sideName(match, side)]));
    this.play.page.go(
      gamePath({
        variant: writeVariant(match.variant),
        moves: writeMoves(match.moves, match.variant.width),
        start: match.known.start,
      }),
      { players },
    );
  }
}

/** Everything that changes, by its name. @param {Play} play */
function partsOf(play) {
  return {
    headline: h("h1.headline"),
    detail: h("p"),
    offer: h("div.row"),
    ending: h("div.row"),
    controls: h("div.row.controls"),
    moves: h("ol.moves", { "aria-label": t("play.moves") }),
    why: button(t("play.why"), () => play.hints.why(), { name: "why", class: "plain" }),
    watching: h("p.quiet.small"),
    invitation: h("div.stack"),
    more: h("div.stack"),
    thinking: h("div.stack.quiet.small.thinking"),
    scores: check(t("play.scores"), play.hints.wanted, (on) => play.hints.toggle(on)),
    resign: button(t("play.resign"), () => play.resign()),
    restart: button(t("play.restart"), () => play.restart()),
  };
}

/** @param {Play} play */
function buttonsOf(play) {
  return {
    undo: button(t("play.undo"), () => play.undo()),
    redo: button(t("play.redo"), () => play.redo()),
    hint: button(t("play.hint"), () => play.hint()),
    draw: button(t("play.offer_draw"), () => play.match.ask({ type: "offer_draw" })),
    resign: button(t("play.resign"), () => play.resign()),
    rematch: button(t("play.rematch"), () => play.rematch(), { class: "main", name: "rematch" }),
  };
}

/** @param {import("./match.js").Match} match @param {Thought} thought */
function thoughtWords(match, { side, column, thought }) {
  const line = (thought.line ?? []).map((each) => each + 1).join(" ");
  return [
    t("thought.column", { name: sideName(match, side), column: column + 1 }),
    isNumber(thought.score) && t("thought.score", { score: Number(thought.score.toFixed(2)) }),
    isNumber(thought.depth) && t("thought.depth", { count: thought.depth }),
    isNumber(thought.nodes) &&
      t("thought.nodes", { nodes: thought.nodes.toLocaleString(document.documentElement.lang) }),
    thought.proven && t("thought.proven"),
    line && t("thought.line", { line }),
  ]
    .filter(Boolean)
    .join(" ");
}

/** @param {unknown} value @returns {value is number} */
const isNumber = (value) => typeof value === "number";
