// What stands beside the board during a match. Built once, then only what changed is changed.
import { api } from "./api.js";
import { writeMoves, writeVariant } from "./boards.js";
import { button, check, chip, h } from "./dom.js";
import { isYou, sideName } from "./names.js";
import { gamePath, link } from "./paths.js";
import { t } from "./texts.js";

const SIDES = ["first", "second"];
const SHORT = 20; // seconds left that are shown in warning

export class PlayPanel {
  constructor(play) {
    this.play = play;
    this.ticking = setInterval(() => this.#tick(), 200);
  }

  close() { clearInterval(this.ticking); }

  get match() { return this.play.match; }

  draw() {
    const part = this.part = {
      headline: h("strong"), detail: h("p"), players: h("ul", { class: "players" }), offer: h("div", { class: "row" }),
      controls: h("div", { class: "row controls" }), ending: h("div", { class: "row" }), moves: h("ol", { class: "moves", "aria-label": t("play.moves") }),
      watching: h("p", { class: "quiet small" }), invitation: h("div", { class: "stack" }), more: h("div", { class: "stack" }),
      thinking: h("div", { class: "stack quiet small thinking" }),
    };
    this.play.page.panel.replaceChildren(
      h("div", { class: "status" }, part.headline, part.detail), part.offer, part.controls, part.ending, part.players, part.invitation,
      part.thinking, part.moves, part.more, part.watching);
    this.#drawControls();
    this.#drawMore();
    if (this.play.invitation) this.#drawInvitation();
  }

  update() {
    if (!this.part) return;
    const { match, part } = this;
    const side = match.isOver ? match.state.result.winner : match.state.side_to_move;
    part.headline.replaceChildren(...(side ? [chip(side)] : []), this.play.headline());
    part.detail.textContent = this.play.detail;
    this.#updatePlayers();
    this.#updateOffer();
    this.#updateControls();
    this.#updateMoves();
    part.invitation.hidden = !match.state.waiting;
    part.watching.textContent = match.present?.watching ? t("play.watching", { count: match.present.watching }) : "";
    this.#updateThinking();
  }

  #drawControls() {
    const { play } = this;
    this.buttons = {
      undo: button(t("play.undo"), () => play.undo()),
      redo: button(t("play.redo"), () => play.redo()),
      hint: button(t("play.hint"), () => play.hint()),
      restart: button(t("play.restart"), () => play.restart()),
    };
    this.part.controls.append(...Object.values(this.buttons));
    this.part.ending.append(
      button(t("play.rematch"), () => this.match.ask("rematch"), { class: "main", name: "rematch" }),
      button(t("play.review"), () => this.#review()));
  }

  #updateControls() {
    const { match, buttons } = this;
    const plays = match.sides.length > 0;
    const asks = plays && !match.isMine;
    const gone = match.isOver && !["line", "full"].includes(match.state.result.reason);
    buttons.undo.textContent = t(asks ? "play.ask_undo" : "play.undo");
    buttons.undo.disabled = !match.moves.length || gone || (asks && match.isOver) || match.state.next_match !== null;
    buttons.redo.disabled = !match.state.can_redo;
    buttons.hint.disabled = !match.isMyTurn;
    buttons.restart.disabled = !match.moves.length || gone;
    this.part.controls.hidden = !plays || match.state.waiting;
    for (const name of ["redo", "hint", "restart"]) buttons[name].hidden = asks;
    this.part.ending.hidden = !match.isOver;
    this.part.ending.querySelector("[name=rematch]").hidden = !plays;
    for (const element of this.part.open) element.hidden = match.isOver || match.state.waiting || !plays;
    this.part.scores.hidden = !(match.isMine || (!plays && match.view.public) || match.isOver);
  }

  #drawMore() {
    const { play, match, part } = this;
    part.scores = check(t("play.scores"), play.showScores, (on) => play.toggleScores(on));
    part.open = [button(t("play.resign"), () => match.ask("resign")),
      ...(match.isMine ? [] : [button(t("play.offer_draw"), () => match.ask("offer_draw"))])];
    part.more.append(part.scores, h("div", { class: "row" }, ...part.open, button(t("play.leave"), () => play.page.go("/"))));
  }

  #updatePlayers() {
    const { match } = this;
    this.part.players.replaceChildren(...SIDES.map((side) => {
      const seat = match.view.seats[side];
      const away = seat.kind === "person" && !match.sides.includes(side) && !match.isPresent(side) && !match.isOver;
      return h("li", { class: match.state.side_to_move === side ? "turn" : "" }, chip(side),
        h("span", { class: "name" }, sideName(match, side)),
        isYou(match, side) && seat.name && h("span", { class: "quiet small" }, t("play.that_is_you")),
        away && h("span", { class: "quiet small" }, t("play.away")),
        match.state.clock && h("span", { class: "clock", "data-side": side }));
    }));
    this.#tick();
  }

  #tick() {
    const clock = this.match?.view?.state.clock;
    if (!clock || !this.part) return;
    for (const element of this.part.players.querySelectorAll(".clock")) {
      const side = element.dataset.side;
      const spent = clock.running === side ? Math.max(0, this.match.live.now() - clock.since) : 0;
      const left = Math.max(0, clock[side] - spent);
      element.textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
      element.classList.toggle("short", left < SHORT);
    }
  }

  #updateOffer() {
    const { match } = this;
    const offer = match.state.offer;
    if (!offer || !match.sides.length) return this.part.offer.replaceChildren();
    const own = match.sides.includes(offer.side);
    const words = h("span", {}, t(own ? `offer.own.${offer.what}` : `offer.${offer.what}`, { name: sideName(match, offer.side) }));
    const answers = own ? [button(t("offer.withdraw"), () => match.ask("decline"))]
      : [button(t("offer.yes"), () => match.ask("accept"), { class: "main" }), button(t("offer.no"), () => match.ask("decline"))];
    if (!own && this.told !== match.view.seq) this.play.page.say(words.textContent);
    this.told = match.view.seq;
    return this.part.offer.replaceChildren(words, ...answers);
  }

  #updateMoves() {
    const { moves } = this.match;
    const side = (index) => SIDES[(this.match.startPly + index) % 2];
    this.part.moves.replaceChildren(...moves.map((column, index) =>
      h("li", {}, chip(side(index)), String(column + 1))));
    this.part.moves.scrollTop = this.part.moves.scrollHeight;
  }

  #updateThinking() {
    const last = (side) => this.match.thoughts.findLast((thought) => thought.side === side);
    const shown = this.match.sides.length ? [] : SIDES.map(last).filter(Boolean);
    this.part.thinking.replaceChildren(...shown.map((thought) => h("p", {}, chip(thought.side), " ", thoughtWords(this.match, thought))));
  }

  async #drawInvitation() {
    const address = link(`/join/${this.play.id}/${this.play.invitation}`);
    const box = h("input", { type: "text", readonly: true, value: address, "aria-label": t("invite.link"), onfocus: () => box.select() });
    const copied = button(t("invite.copy"), async () => {
      await navigator.clipboard?.writeText(address);
      copied.textContent = t("invite.copied");
    });
    const code = h("div", { class: "qr", role: "img", "aria-label": t("invite.qr") });
    this.part.invitation.append(h("h2", {}, t("invite.title")), h("p", { class: "quiet" }, t("invite.lead")), box, h("div", { class: "row" }, copied), code);
    const picture = new DOMParser().parseFromString(await api.qr(address), "image/svg+xml").documentElement;
    code.append(document.importNode(picture, true));
  }

  #review() {
    const { match } = this;
    const start = (match.view.start ?? []).map((discs, column) => (discs ? `${column + 1}${discs}` : "")).filter(Boolean).join(".");
    const players = Object.fromEntries(SIDES.map((side) => [side, sideName(match, side)]));
    this.play.page.go(gamePath({ variant: writeVariant(match.variant), moves: writeMoves(match.moves, match.variant.width), start }), { players });
  }
}

export function thoughtWords(match, { side, column, thought }) {
  const line = (thought.line ?? []).map((each) => each + 1).join(" ");
  return [t("thought.column", { name: sideName(match, side), column: column + 1 }),
    thought.score !== undefined && t("thought.score", { score: Number(thought.score.toFixed?.(2) ?? thought.score) }),
    thought.depth !== undefined && t("thought.depth", { count: thought.depth }),
    thought.nodes !== undefined && t("thought.nodes", { nodes: thought.nodes.toLocaleString(document.documentElement.lang) }),
    thought.proven && t("thought.proven"), line && t("thought.line", { line })].filter(Boolean).join(" ");
}
