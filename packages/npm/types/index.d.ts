// Connect Four and every connect-k game. Columns count from 0 in numbers and from 1 in text; scores are for the side to move:
// 0 is a draw, and a win whose last disc is the n-th of the game scores floor((width * height + 2 - n) / 2).
import type { HintAnswer, ReviewAnswer, ThreatView, WhyAnswer } from "./messages.js";

export type { HintAnswer, ReviewAnswer, ThreatView, WhyAnswer };
export type Side = "first" | "second";
export type Language = "en" | "fi" | "sv";
export type Cell = [column: number, row: number];

/** Moves such as "4453" (or "4,4,5,3" on boards with more than nine columns), a board such as "4xo.5x", or a game. */
export type PositionLike = string | Position | { variant?: string; start?: string; moves?: string | readonly number[] };

export interface Options {
  /** Width, height and run, such as "7x6x4", which is the default. */
  variant?: string;
  /** Stops the search; the promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
  /** The language of texts and errors; English is the default. */
  language?: Language;
}

export interface BestMoveOptions extends Options {
  /** A level from 1 to 10. */
  level?: number;
  /** The milliseconds of a search. Without a level and a time the move is perfect. */
  time?: number;
  /** A whole number below 2^53: a level with the same seed chooses the same column. */
  seed?: number;
}

export interface ReviewOptions extends Options {
  /** How many of the first moves nobody chose. */
  given?: number;
  /** The milliseconds for each position that is hard; 1000 is the default. */
  time?: number;
}

export interface WhyOptions extends Options {
  /** The side that the explanation is for. */
  side?: Side;
}

export interface Solution {
  score: number;
  result: "win" | "draw" | "loss";
  /** The number of discs that both sides still drop under best play. */
  plies: number;
  /** Every column that keeps the score. */
  bestColumns: number[];
  /** Best play of both sides to the end. */
  line: number[];
}

export interface Outcome {
  /** Null if it is a draw. */
  winner: Side | null;
  reason: string;
}

/** An input that is refused. */
export class ConnectkError extends Error {
  /** The rule that was broken, such as "ColumnFull". */
  readonly rule: string;
}

/** A board and the side to move; it never changes. */
export class Position {
  private constructor();
  /** The position after moves, or of a board that is set up; by default the empty board. */
  static from(position?: PositionLike, options?: Options): Promise<Position>;
  readonly variant: string;
  readonly width: number;
  readonly height: number;
  readonly run: number;
  /** The discs of each column from the bottom up, as "xo". */
  readonly board: string[];
  readonly moves: number[];
  /** The moves as text, such as "4453". */
  readonly movesText: string;
  /** The number of discs on the board. */
  readonly ply: number;
  /** Null once the game is over. */
  readonly sideToMove: Side | null;
  readonly lastDrop: Cell | null;
  readonly legalColumns: number[];
  readonly winningLines: Cell[][];
  /** Null while the game is open. */
  readonly outcome: Outcome | null;
  /** The position after a drop; this one is unchanged. */
  drop(column: number, options?: Options): Promise<Position>;
  /** Every cell where a disc would complete a line. */
  threats(options?: Options): Promise<ThreatView[]>;
  /** The board as text, such as "4xo.5x". */
  toString(): string;
}

/** The exact result of a position with perfect play. */
export function solve(position: PositionLike, options?: Options): Promise<Solution>;

/** The exact score of a drop into each column; null where none is possible. */
export function scoreColumns(position: PositionLike, options?: Options): Promise<(number | null)[]>;

/** The column that a level, a search of so many milliseconds, or else perfect play chooses. */
export function bestMove(position: PositionLike, options?: BestMoveOptions): Promise<HintAnswer>;

/** A review of every move of a game: labels, better moves, reasons, accuracy, turning point. */
export function review(game: PositionLike, options?: ReviewOptions): Promise<ReviewAnswer>;

/** Why a side wins or holds a position. What it claims was checked against every reply. */
export function why(position: PositionLike, options?: WhyOptions): Promise<WhyAnswer>;

/** Loads a larger opening book than the one in the package, from its address or its bytes. */
export function loadBook(source: string | URL | ArrayBuffer | Uint8Array): Promise<void>;
