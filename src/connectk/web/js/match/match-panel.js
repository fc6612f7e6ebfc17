// The panel beside the board during a match. It is built once and then updated in place, so that no button moves.
import { canExplain, writeMoves, writeVariant } from "../board/convert.js";
import { SIDES } from "../board/start-position.js";
import { button, checkbox, discIcon, h } from "../common/dom.js";
import { seriesScore } from "./saved-games.js";
import { levelOf, opponentName } from "../texts/levels.js";
import { isYou, sideName } from "../texts/side-names.js";
import { sharedUrl, gamePath } from "../common/paths.js";
import { shareLink } from "../common/share-link.js";
import { headlineText, sideChoiceText } from "./sentences.js";
import { showClocks, showSeats } from "./seats.js";
import { t } from "../texts/texts.js";

/** @import { MatchScreen } from "./match-screen.js"
 *  @import { PlayedThought } from "./match.js"
 *  @import { Side } from "../page-types.js"
 *  @typedef {ReturnType<typeof buildElements>} PanelElements */

const SHORT_HEADLINE_LETTERS = 20; // a shorter headline is large, as it fits into one line

export class MatchPanel {
  /** @param {MatchScreen} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {PanelElements | null} */
    this.elements = null;
    /** @type {ReturnType<typeof buildButtons> | null} */
    this.buttons = null;
    /** @type {number | null} */
    this.announcedOfferSeq = null; // the offer that was announced to screen readers
    /** @type {AbortController | null} */
    this.summaryAbort = null;
    this.clockTimer = setInterval(() => this.#updateClocks(), 200);
  }

  close() {
    clearInterval(this.clockTimer);
    this.summaryAbort?.abort();
  }

  get match() {
    return this.screen.match;
  }

  draw() {
    const elements = (this.elements = buildElements(this.screen));
    this.screen.page.panel.replaceChildren(
      h("div.status", elements.headline, h("div.deal", elements.detail, elements.why, elements.offer, elements.ending)),
      elements.controls,
      elements.invitation,
      elements.people,
      elements.more,
      elements.thinking,
      elements.moves,
      elements.watching,
    );
    this.#drawControls(elements);
    this.#drawMore(elements);
    this.#drawInvitation();
  }

  update() {
    if (!this.elements) return;
    const { match, elements, screen } = this;
    const side = screen.isOver ? match.state.result?.winner : screen.sideToMove;
    const words = headlineText(screen);
    elements.headline.replaceChildren(...(side ? [discIcon(side)] : []), words);
    elements.headline.classList.toggle("over", screen.isOver);
    if (!screen.isOver) this.#clearSummary(elements);
    elements.headline.classList.toggle("short", words.length < SHORT_HEADLINE_LETTERS);
    screen.page.setTitle?.(words);
    elements.detail.textContent = screen.state.detail;
    elements.why.hidden = !screen.hints.hintedPosition || screen.isOver || !canExplain(screen.match.variant);
    this.#updateSeats();
    this.#updateOffer(elements);
    this.#updateControls(elements);
    this.#updateMoves(elements);
    elements.invitation.hidden = !match.state.waiting;
    screen.page.panel.classList.toggle("inviting", match.state.waiting && match.sides.length > 0);
    elements.watching.textContent = match.presence?.watching
      ? t("play.watching", { count: match.presence.watching })
      : "";
    this.#updateThinking(elements);
  }

  /** @param {PanelElements} elements */
  #drawControls(elements) {
    const { screen } = this;
    const buttons = (this.buttons = buildButtons(screen));
    const { rematch, next, ...controls } = buttons;
    elements.controls.append(...(screen.playback ? screen.playback.buttons() : Object.values(controls)));
    const { room } = screen.match.loadedView;
    elements.ending.append(
      ...(room ? [h("a.button.main", { href: `#/room/${room}` }, t("play.room"))] : [rematch, next]),
      button(t("play.review"), () => this.#review()),
      button(t("share.share"), () => this.#share()),
    );
  }

  /** Shows the buttons that suit the players of the match, and enables the buttons that can be used now. @param {PanelElements} elements */
  #updateControls(elements) {
    const { match, buttons, screen } = this;
    if (!buttons) return;
    const plays = match.sides.length > 0;
    const asks = plays && !match.isControlledHere;
    buttons.undo.textContent = t(asks ? "play.ask_undo" : "play.undo");
    this.#updateDisabled(buttons, elements, asks);
    for (const element of [buttons.redo, buttons.hint]) element.hidden = asks;
    for (const element of [buttons.draw, buttons.resign]) element.hidden = !asks;
    for (const element of [elements.resign, elements.restart]) element.hidden = asks || !plays;
    elements.more.classList.toggle("ended", screen.isOver && plays && !match.loadedView.room);
    this.#updateNext(buttons);
    buttons.rematch.hidden = !plays;
    this.#updateSections(elements, plays);
    elements.detail.hidden = screen.isOver && !screen.state.detail;
    this.#updateArranged(buttons, elements);
  }

  /** Hides what players do not have whom a room or the server has paired. @param {ReturnType<typeof buildButtons>} buttons @param {PanelElements} elements */
  #updateArranged(buttons, elements) {
    const { room, strangers } = this.match.loadedView;
    if (room) this.#updateInRoom(buttons, elements);
    else if (strangers) this.#updateBetweenStrangers(buttons, elements);
  }

  /** @param {PanelElements} elements @param {boolean} plays whether a seat is held here */
  #updateSections(elements, plays) {
    const { match, screen } = this;
    const isDemo = Boolean(screen.playback);
    elements.controls.hidden = !(plays || isDemo) || match.state.waiting;
    elements.ending.hidden = !screen.isOver || Boolean(match.state.offer && plays);
    const mayAnalyse = match.isControlledHere || (!plays && match.loadedView.public) || match.isOver;
    elements.scores.hidden = isDemo || !mayAnalyse;
  }

  /** Shows the button for the next opponent once this opponent is beaten; until then rematch is the main button. @param {NonNullable<MatchPanel["buttons"]>} buttons */
  #updateNext({ next, rematch }) {
    const { nextOpponent } = this.screen;
    next.hidden = nextOpponent === null;
    next.textContent = nextOpponent === null ? "" : t("play.next", { name: opponentName(nextOpponent) });
    rematch.classList.toggle("main", nextOpponent === null);
  }

  /** Shows how the game went as soon as it has ended. */
  async showSummary() {
    const { match, elements, screen } = this;
    if (!elements || !match.sides.length || match.loadedView.room || !match.moves.length) return;
    this.#clearSummary(elements);
    const { signal } = (this.summaryAbort = new AbortController());
    try {
      const { showSummary } = await import("./match-summary.js");
      if (screen.isOver && !signal.aborted)
        await showSummary(match, elements.summary, signal, () => screen.rematch("fair_rematch"));
    } catch {
      // The server is busy or unreachable: the review screen asks again and reports the error.
    }
  }

  /** @param {PanelElements} elements */
  #clearSummary(elements) {
    this.summaryAbort?.abort();
    elements.summary.replaceChildren();
  }

  async #share() {
    const words = await shareLink({ title: headlineText(this.screen), url: sharedUrl(this.#path()) });
    this.screen.page.showNotice(words, { calm: true });
  }

  /** @param {ReturnType<typeof buildButtons>} buttons @param {PanelElements} elements @param {boolean} asks whether the other player is asked */
  #updateDisabled(buttons, elements, asks) {
    const { isOver, firstPlyToKeep, state } = this.match;
    const isFinal = state.ply <= firstPlyToKeep || (isOver && !["line", "full"].includes(state.result?.reason ?? ""));
    buttons.undo.disabled = isFinal || (asks && isOver) || state.next_match !== null;
    buttons.redo.disabled = !state.can_redo;
    elements.restart.disabled = isFinal;
    for (const element of [buttons.hint, buttons.draw, buttons.resign, elements.resign]) element.disabled = isOver;
  }

  /** Hides undo and hints in a room, where matches have neither. @param {ReturnType<typeof buildButtons>} buttons @param {PanelElements} elements */
  #updateInRoom(buttons, elements) {
    for (const element of [buttons.undo, buttons.redo, buttons.hint, elements.restart, elements.resign])
      element.hidden = true;
    buttons.resign.hidden = false;
    elements.scores.hidden = !this.match.isOver;
  }

  /** Hides what strangers do not have while they play. @param {ReturnType<typeof buildButtons>} buttons @param {PanelElements} elements */
  #updateBetweenStrangers(buttons, elements) {
    buttons.undo.hidden = true;
    elements.scores.hidden = !this.match.isOver;
  }

  /** @param {PanelElements} elements */
  #drawMore(elements) {
    const { screen } = this;
    elements.more.append(
      elements.summary,
      elements.scores,
      h(
        "div.row",
        elements.restart,
        elements.resign,
        button(t("play.leave"), () => screen.leave()),
      ),
    );
  }

  // Shows the person's own side below the board. Spectators and two players at one screen see the first player there.
  #updateSeats() {
    const { match, screen } = this;
    const { state, loadedView: view } = match;
    const wins = seriesScore(match.id, view.previous ?? null, screen.isOver ? (state.result?.winner ?? null) : null);
    /** @param {Side} side */
    const seat = (side) => ({
      side,
      name: sideName(match, side),
      level: levelOf(view.seats[side].player),
      turn: !match.isOver && screen.sideToMove === side,
      you: isYou(match, side) && Boolean(view.seats[side].name),
      wins: wins ? wins[side] : null,
      clock: Boolean(state.clock),
      rating: screen.people?.ratingOf(side) ?? null,
      said: screen.people?.said[side] ?? "",
      drawSaid: () => screen.people?.drawSaid(side) ?? null,
      away: view.seats[side].kind === "person" && !match.sides.includes(side) && !match.isPresent(side),
    });
    const below = match.sides.length === 1 ? match.sides[0] : "first";
    showSeats(seat(below === "first" ? "second" : "first"), seat(below));
    this.#updateClocks();
  }

  #updateClocks() {
    const clock = this.match?.view?.state.clock;
    if (!clock || !this.elements) return;
    showClocks((side) => {
      const spent = clock.running === side ? Math.max(0, this.match.connection.now() - clock.since) : 0;
      return Math.max(0, clock[side] - spent);
    });
  }

  /** Shows an offer in the reserved row under the headline. @param {PanelElements} elements */
  #updateOffer(elements) {
    const { match } = this;
    const offer = match.state.offer;
    if (!offer || !match.sides.length) return this.#updateSwap(elements);
    const own = match.sides.includes(offer.side);
    const words = t(own ? `offer.own.${offer.what}` : `offer.${offer.what}`, { name: sideName(match, offer.side) });
    if (!own && this.announcedOfferSeq !== match.loadedView.seq) this.screen.page.announce(words);
    this.announcedOfferSeq = match.loadedView.seq;
    if (elements.offer.firstChild?.textContent === words) return undefined; // redrawing would break a click on a button
    const decline = () => this.match.request({ type: "decline" });
    const answers = own
      ? [button(t("offer.withdraw"), decline)]
      : [
          button(t("offer.yes"), () => this.match.request({ type: "accept" }), { class: "main" }),
          button(t("offer.no"), decline),
        ];
    return elements.offer.replaceChildren(h("span", words), ...answers);
  }

  /** Asks in the reserved row under the headline to choose a side, or to place discs before. The other player reads what
   * is being decided. @param {PanelElements} elements */
  #updateSwap(elements) {
    const { match, screen } = this;
    const { can_swap: isChoice, can_extend: mayExtend } = match.state;
    const words = match.sides.length ? sideChoiceText(match) : "";
    if (!words) return elements.offer.replaceChildren();
    if (elements.offer.firstChild?.textContent === words) return undefined;
    const buttons = [
      isChoice && button(t("swap.swap"), () => screen.swap(), { class: "main", name: "swap" }),
      mayExtend && button(t("swap.extend"), () => screen.extend(), { name: "extend" }),
    ].filter((one) => one instanceof Node);
    return elements.offer.replaceChildren(h("span", words), ...(match.isMyTurn ? buttons : []));
  }

  /** @param {PanelElements} elements */
  #updateMoves(elements) {
    const moves = this.match.moves.slice(0, this.screen.playback?.ply);
    /** @param {number} index */
    const side = (index) => SIDES[(this.match.startPly + index) % 2];
    elements.moves.replaceChildren(...moves.map((column, index) => h("li", discIcon(side(index)), String(column + 1))));
    elements.moves.scrollTop = elements.moves.scrollHeight;
  }

  /** @param {PanelElements} elements */
  #updateThinking(elements) {
    const until = this.screen.playback?.ply ?? Infinity;
    /** @param {Side} side */
    const last = (side) =>
      this.match.thoughts.findLast((thought) => thought.side === side && thought.ply <= until) ?? [];
    const shown = this.match.sides.length ? [] : SIDES.flatMap(last);
    elements.thinking.replaceChildren(
      ...shown.map((thought) => h("p", discIcon(thought.side), " ", thoughtText(this.match, thought))),
    );
  }

  // Shows the invitation to the person who holds a seat, as long as the other seat is free.
  async #drawInvitation() {
    const { screen, match, elements } = this;
    if (!elements || !match.state.waiting || !match.sides.length || !screen.invitation) return;
    const [{ Invitation }, { matchFacts }] = await Promise.all([import("./invitation.js"), import("./facts.js")]);
    const facts = matchFacts(match.loadedView, match.sides[0], true);
    elements.invitation.replaceChildren(new Invitation(screen.page, screen.id, screen.invitation, facts).element);
  }

  #review() {
    const players = Object.fromEntries(SIDES.map((side) => [side, sideName(this.match, side)]));
    this.screen.page.navigate(this.#path(), { players });
  }

  // The address of the game's review.
  #path() {
    const { match } = this;
    const moves = writeMoves(match.moves, match.variant.width);
    return gamePath({ variant: writeVariant(match.variant), moves, start: match.loadedView.start });
  }
}

/** @param {MatchScreen} play */
function buildElements(play) {
  return {
    headline: h("h1.headline"),
    detail: h("p"),
    offer: h("div.row"),
    ending: h("div.row.ending"),
    summary: h("div.summary"),
    controls: h("div.row.controls"),
    moves: h("ol.moves", { "aria-label": t("play.moves") }),
    why: button(t("play.why"), () => play.hints.explain(), { name: "why", class: "plain" }),
    watching: h("p.quiet.small"),
    invitation: h("div.stack"),
    people: h("div.stack"),
    more: h("div.stack.more"),
    thinking: h("div.stack.quiet.small.thinking"),
    scores: checkbox(t("play.scores"), play.hints.areScoresShown, (on) => play.hints.toggleScores(on)),
    resign: button(t("play.resign"), () => play.resign()),
    restart: button(t("play.restart"), () => play.restart()),
  };
}

/** @param {MatchScreen} play */
function buildButtons(play) {
  return {
    undo: button(t("play.undo"), () => play.undo()),
    redo: button(t("play.redo"), () => play.redo()),
    hint: button(t("play.hint"), () => play.hint()),
    draw: button(t("play.offer_draw"), () => play.match.request({ type: "offer_draw" })),
    resign: button(t("play.resign"), () => play.resign()),
    rematch: button(t("play.rematch"), () => play.rematch(), { class: "main", name: "rematch" }),
    next: button("", () => play.playNext(), { class: "main", name: "next" }),
  };
}

/** @param {import("./match.js").Match} match @param {PlayedThought} thought */
function thoughtText(match, { side, column, thought }) {
  const line = (thought.line ?? []).slice(1).map((each) => each + 1); // the first column of the line is the move itself
  const outlook = `thought.${thought.proven ? "proven_" : ""}${outlookOf(thought.score ?? 0)}`;
  return [
    t("thought.column", { name: sideName(match, side), column: column + 1 }),
    isNumber(thought.score) && t(outlook),
    isNumber(thought.depth) && t("thought.depth", { count: thought.depth }),
    isNumber(thought.nodes) &&
      t("thought.nodes", { count: thought.nodes, nodes: thought.nodes.toLocaleString(document.documentElement.lang) }),
    line.length > 0 && t("thought.line", { line: line.join(" ") }),
  ]
    .filter(Boolean)
    .join(" ");
}

/** The outlook by the sign of a score. Players have different units, but the sign means the same for all. @param {number} score */
const outlookOf = (score) => (score > 0 ? "ahead" : score < 0 ? "behind" : "even");

/** @param {unknown} value @returns {value is number} */
const isNumber = (value) => typeof value === "number";
