// Shows a demo match of two computer players at an adjustable speed, as the players may be faster than a person can follow.
import { api } from "../common/api.js";
import { boardState, boardAtPly, writeMoves, writeVariant } from "../board/convert.js";
import { button, h } from "../common/dom.js";
import { writeStorage, readStorage } from "../common/storage.js";
import { t } from "../texts/texts.js";

/** @import { BoardState, Side } from "../page-types.js" */

const DROPS_PER_SECOND = [0.25, 0.5, 1, 2, 4];
/** @type {Record<string, "toggle" | "step" | "back" | undefined>} */
const KEY_ACTIONS = { " ": "toggle", ArrowRight: "step", ArrowLeft: "back" };

export class DemoPlayback {
  /** @param {import("./match-screen.js").MatchScreen} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {BoardState[]} */
    this.frames = []; // the frame after each number of drops
    this.ply = 0;
    this.isPaused = false;
    this.timer = 0;
    this.pauseButton = button("", () => this.toggle(), { class: "main" });
    this.speedOutput = h("output.number");
    this.speed = DROPS_PER_SECOND.includes(readStorage("pace", 1)) ? readStorage("pace", 1) : 1;
  }

  close() {
    clearInterval(this.timer);
  }

  get match() {
    return this.screen.match;
  }

  /** Starts at the first drop for the person who started the demo, and at the latest drop for a person who joins later. @param {boolean} fromStart */
  async start(fromStart) {
    await this.#loadFrames();
    if (this.screen.listenerAbort.signal.aborted) return;
    this.ply = fromStart ? 0 : this.frames.length - 1;
    this.#restartTimer();
  }

  async #loadFrames() {
    const { variant, moves, loadedView: view } = this.match;
    const written = { variant: writeVariant(variant), moves: writeMoves(moves, variant.width), start: view.start };
    const game = await api.game(written);
    const received = this.frames; // events that arrived during the request
    this.frames = game.positions.map((_, ply) => boardAtPly(game, ply));
    received.forEach((frame, ply) => {
      this.frames[ply] = frame;
    });
  }

  /** @param {import("../types.js").EventMessage} message */
  onEvent({ event, state }) {
    if (event === "dropped") this.frames[this.match.moves.length] = boardState(state, this.match.variant);
  }

  get board() {
    return this.frames[Math.min(this.ply, this.frames.length - 1)];
  }

  get isAtEnd() {
    return this.ply >= this.match.moves.length;
  }

  /** @returns {Side} */
  get sideToMove() {
    return (this.match.startPly + this.ply) % 2 ? "second" : "first";
  }

  #restartTimer() {
    clearInterval(this.timer);
    if (!this.isPaused) this.timer = setInterval(() => this.#showPly(this.ply + 1), 1000 / this.speed);
  }

  /** @param {number} ply */
  #showPly(ply) {
    if (ply < 0 || ply >= this.frames.length || !this.frames[ply]) return;
    this.ply = ply;
    this.screen.onChange();
  }

  toggle() {
    this.isPaused = !this.isPaused;
    this.#restartTimer();
    this.pauseButton.textContent = t(this.isPaused ? "pace.go" : "pace.pause");
  }

  step() {
    if (!this.isPaused) this.toggle();
    this.#showPly(this.ply + 1);
  }

  back() {
    if (!this.isPaused) this.toggle();
    this.#showPly(this.ply - 1);
  }

  /** @param {number} by */
  #changeSpeed(by) {
    this.speed =
      DROPS_PER_SECOND[Math.max(0, Math.min(DROPS_PER_SECOND.length - 1, DROPS_PER_SECOND.indexOf(this.speed) + by))];
    writeStorage("pace", this.speed);
    this.speedOutput.textContent = this.#speedText();
    this.#restartTimer();
  }

  #speedText() {
    return `${this.speed}×`;
  }

  buttons() {
    this.pauseButton.textContent = t(this.isPaused ? "pace.go" : "pace.pause");
    this.speedOutput.textContent = this.#speedText();
    this.speedOutput.setAttribute("aria-label", t("review.speed"));
    /** @param {string} sign @param {string} label @param {number} by */
    const speed = (sign, label, by) =>
      button(sign, () => this.#changeSpeed(by), { "aria-label": t(label), title: t(label), class: "slim" });
    return [
      this.pauseButton,
      button(t("pace.step"), () => this.step()),
      speed("−", "pace.slower", -1),
      this.speedOutput,
      speed("+", "pace.faster", 1),
    ];
  }

  /** Handles space and arrows, unless they press a focused button. @param {KeyboardEvent} event */
  onKey(event) {
    const act = KEY_ACTIONS[event.key];
    const presses = event.target instanceof Element && event.target.closest("button, a, summary, label");
    if (!act || event.repeat || (act === "toggle" && presses)) return false;
    this[act]();
    return true;
  }
}
