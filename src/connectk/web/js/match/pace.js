// Two computers play faster than anyone can look: what they have played is shown about one drop a second, or as you like.
import { api } from "../common/api.js";
import { boardOf, gameBoard, writeMoves, writeVariant } from "../board/boards.js";
import { button, h } from "../common/dom.js";
import { remember, remembered } from "../common/memory.js";
import { t } from "../texts/texts.js";

/** @import { BoardState, Side } from "../shapes.js" */

const SPEEDS = [0.25, 0.5, 1, 2, 4]; // drops a second
/** @type {Record<string, "toggle" | "step" | "back" | undefined>} */
const KEYS = { " ": "toggle", ArrowRight: "step", ArrowLeft: "back" };

export class Pace {
  /** @param {import("./play.js").Play} play */
  constructor(play) {
    this.play = play;
    /** @type {BoardState[]} */
    this.frames = []; // the board after so many drops
    this.ply = 0; // that is shown
    this.isPaused = false;
    this.timer = 0;
    this.pausing = button("", () => this.toggle(), { class: "main" });
    this.shown = h("output.number");
    this.speed = SPEEDS.includes(remembered("pace", 1)) ? remembered("pace", 1) : 1;
  }

  close() {
    clearInterval(this.timer);
  }

  get match() {
    return this.play.match;
  }

  /** From its first disc for whoever started the demo; from where it is for one who comes to a match that is on. @param {boolean} fromStart */
  async begin(fromStart) {
    await this.#learnAll();
    if (this.play.listening.signal.aborted) return;
    this.ply = fromStart ? 0 : this.frames.length - 1;
    this.#run();
  }

  async #learnAll() {
    const { variant, moves, known: view } = this.match;
    const written = { variant: writeVariant(variant), moves: writeMoves(moves, variant.width), start: view.start };
    const game = await api.game(written);
    const heard = this.frames; // while the answer was on its way
    this.frames = game.positions.map((_, ply) => gameBoard(game, ply));
    heard.forEach((frame, ply) => {
      this.frames[ply] = frame;
    });
  }

  /** @param {import("../types.js").EventMessage} message */
  happened({ event, state }) {
    if (event === "dropped") this.frames[this.match.moves.length] = boardOf(state, this.match.variant);
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

  #run() {
    clearInterval(this.timer);
    if (!this.isPaused) this.timer = setInterval(() => this.#show(this.ply + 1), 1000 / this.speed);
  }

  /** @param {number} ply */
  #show(ply) {
    if (ply < 0 || ply >= this.frames.length || !this.frames[ply]) return;
    this.ply = ply;
    this.play.changed();
  }

  toggle() {
    this.isPaused = !this.isPaused;
    this.#run();
    this.pausing.textContent = t(this.isPaused ? "pace.go" : "pace.pause");
  }

  step() {
    if (!this.isPaused) this.toggle();
    this.#show(this.ply + 1);
  }

  back() {
    if (!this.isPaused) this.toggle();
    this.#show(this.ply - 1);
  }

  /** @param {number} by */
  #faster(by) {
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + by))];
    remember("pace", this.speed);
    this.shown.textContent = this.#words();
    this.#run();
  }

  #words() {
    return `${this.speed}×`;
  }

  buttons() {
    this.pausing.textContent = t(this.isPaused ? "pace.go" : "pace.pause");
    this.shown.textContent = this.#words();
    this.shown.setAttribute("aria-label", t("review.speed"));
    /** @param {string} sign @param {string} key @param {number} by */
    const speed = (sign, key, by) =>
      button(sign, () => this.#faster(by), { "aria-label": t(key), title: t(key), class: "slim" });
    return [
      this.pausing,
      button(t("pace.step"), () => this.step()),
      speed("−", "pace.slower", -1),
      this.shown,
      speed("+", "pace.faster", 1),
    ];
  }

  /** Space and arrows, wherever they mean nothing else. @param {KeyboardEvent} event */
  key(event) {
    const act = KEYS[event.key];
    const presses = event.target instanceof Element && event.target.closest("button, a, summary, label");
    if (!act || event.repeat || (act === "toggle" && presses)) return false;
    this[act]();
    return true;
  }
}
