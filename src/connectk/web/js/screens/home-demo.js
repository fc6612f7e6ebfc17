// The demo on the home screen: a game in progress that goes on, about one drop a second, until the board is touched.
import { api } from "../common/api.js";
import { DEMO_GAME } from "../common/constants.js";
import { boardAtPly, discsOfMoves } from "../board/convert.js";
import { prefersReducedMotion } from "../board/drawing.js";
import { button } from "../common/dom.js";
import { t } from "../texts/texts.js";

const FIRST_PLY = 9; // the number of discs on the board when the page opens
const DROP_INTERVAL_MS = 1100;
const RESTART_DELAY_MS = 4000; // the delay at the end before the demo starts again

/** @typedef {import("../types.js").WholeGameAnswer} WholeGameAnswer */

export class HomeDemo {
  /** @param {import("../board/board.js").ConnectkBoard} board @param {() => void} onInterrupt */
  constructor(board, onInterrupt) {
    this.board = board;
    this.onInterrupt = onInterrupt;
    this.timer = 0;
    this.isShown = false;
    // The badge says that this is a demo, and stops the demo without a touch on the board.
    this.badge = button(t("home.demo_badge"), () => this.interrupt(), { id: "demo" });
  }

  /** Shows the game at once, and plays on unless the person prefers reduced motion. @param {AbortSignal} signal */
  async start(signal) {
    this.isShown = true;
    const [width, height] = [7, 6];
    const discs = discsOfMoves(Array.from(DEMO_GAME.slice(0, FIRST_PLY), (digit) => Number(digit) - 1));
    const open = Array.from({ length: width }, (_, column) => column);
    this.board.show({ width, height, discs, open, hand: "first" }, { animate: false });
    this.board.parentElement?.after(this.badge);
    const interrupt = () => this.interrupt();
    for (const event of ["pointerenter", "pointerdown", "focusin", "keydown"])
      this.board.addEventListener(event, interrupt, { signal, capture: true });
    const game = await api.game({ variant: "7x6x4", moves: DEMO_GAME });
    if (!this.isShown || signal.aborted || prefersReducedMotion()) return;
    this.timer = setTimeout(() => this.#showPly(game, FIRST_PLY + 1), DROP_INTERVAL_MS);
  }

  /** @param {WholeGameAnswer} game @param {number} ply */
  #showPly(game, ply) {
    this.board.show({ ...boardAtPly(game, ply, "first"), open: game.positions[0].legal_columns });
    const last = ply === game.columns.length;
    this.timer = setTimeout(() => this.#showPly(game, last ? 0 : ply + 1), last ? RESTART_DELAY_MS : DROP_INTERVAL_MS);
  }

  /** Stops the demo and shows an empty board to play on. */
  interrupt() {
    if (!this.isShown) return;
    this.clear();
    this.onInterrupt();
  }

  clear() {
    if (!this.isShown) return;
    this.stop();
    this.board.show({ ...this.board.state, discs: [], lines: [], last: null }, { animate: false });
  }

  stop() {
    clearTimeout(this.timer);
    this.isShown = false;
    this.badge.remove();
  }
}
