// <connectk-board>. README.md explains its attributes.

export interface BoardState {
  /** The number of drops that are shown. */
  ply: number;
  /** Their columns, from 0. */
  moves: number[];
}

export interface BoardEventMap {
  "connectk-ready": CustomEvent<BoardState>;
  /** A disc was dropped by anybody; after Undo `column`, `row` and `side` are null. */
  "connectk-move": CustomEvent<
    BoardState & { column: number | null; row: number | null; side: "first" | "second" | null }
  >;
  /** The game is over; `winner` is null after a draw. */
  "connectk-end": CustomEvent<BoardState & { winner: "first" | "second" | null }>;
  /** A viewer shows another ply. */
  "connectk-ply": CustomEvent<BoardState & { isVariation: boolean }>;
  /** The last disc lies. */
  "connectk-settled": CustomEvent<BoardState>;
  /** A puzzle is over: solved after so many wrong drops, or its solution was shown. */
  "connectk-solved": CustomEvent<{ solved: boolean; tries: number; puzzle: string }>;
  "connectk-error": CustomEvent<{ message: string; error: unknown }>;
}

export interface ConnectkBoardElement extends HTMLElement {
  /** What is shown. */
  readonly state: BoardState;
  readonly mode: "board" | "play" | "puzzle" | "viewer";
  addEventListener<K extends keyof BoardEventMap>(
    type: K,
    listener: (this: ConnectkBoardElement, event: BoardEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "connectk-board": ConnectkBoardElement;
  }
}
