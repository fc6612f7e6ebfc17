// A calm game on the first board, one drop a second, until anyone touches it. It is a game in writing: nobody thinks.
import { api } from "../common/api.js";
import { DEMO_GAME } from "../common/constants.js";
import { gameBoard } from "../board/boards.js";
import { stillness } from "../board/drawing.js";

const DROP_MS = 1100;
const REST_MS = 4000; // with the line in sight, before it begins again

export class Showing {
  /** @param {import("../board/board.js").ConnectkBoard} board @param {() => void} ended */
  constructor(board, ended) {
    this.board = board;
    this.ended = ended;
    this.timer = 0;
    this.touched = false;
  }

  get isOn() {
    return this.timer !== 0;
  }

  /** @param {AbortSignal} signal */
  async begin(signal) {
    if (stillness()) return;
    const game = await api.game({ variant: "7x6x4", moves: DEMO_GAME });
    if (signal.aborted || this.touched) return;
    const touch = () => this.touch();
    for (const event of ["pointerenter", "pointerdown", "focusin", "keydown"])
      this.board.addEventListener(event, touch, { signal, capture: true });
    this.#next(game, 0);
  }

  /** @param {import("../types.js").WholeGameAnswer} game @param {number} ply */
  #next(game, ply) {
    this.board.show(gameBoard(game, ply));
    const last = ply === game.columns.length;
    this.timer = setTimeout(() => this.#next(game, last ? 0 : ply + 1), last ? REST_MS : DROP_MS);
  }

  // Whoever touches the board wants to play: it is empty and ready.
  touch() {
    if (!this.isOn) return;
    this.clear();
    this.ended();
  }

  clear() {
    if (!this.isOn) return;
    this.end();
    this.board.show({ ...this.board.state, discs: [], lines: [], last: null }, { animate: false });
  }

  end() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.touched = true;
  }
}
