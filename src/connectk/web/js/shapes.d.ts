// What the page's modules hand to each other. What the server says is in types.d.ts.
import type { ConnectkBoard } from "./board/board.js";
import type {
  PositionOrder,
  ReviewAnswer,
  ReviewOrder,
  ScoresAnswer,
  ScoresOrder,
  ThreatsAnswer,
  VariantView,
  WholeGameAnswer,
  WhyAnswer,
  GameOrder,
} from "./types.js";

export type Side = "first" | "second";

export interface Cell {
  column: number;
  row: number;
}

export interface Disc extends Cell {
  side: Side;
}

/** What a board shows; which columns are open and which cells won is told to it. */
export interface BoardState {
  width: number;
  height: number;
  discs: Disc[];
  open: number[];
  hand: Side | null;
  last: Cell | null;
  lines: Cell[][];
}

/** What stands under a column: a word, a number, the same in short for narrow columns. */
export interface Score {
  word: string;
  number: string;
  short: string;
  kind: string;
  best: boolean;
}

export interface Threat extends Disc {
  line?: Cell[];
}

/** A column or a command that waits for its turn. */
export interface Wish {
  column?: number;
  act?: Act;
}

export type Act = "undo" | "redo" | "hint";

/** A game as it stands in an address. */
export interface Written {
  variant: string;
  moves: string;
  start?: string;
  tries?: { from: number; moves: string } | null;
}

/** What one screen hands to the next. */
export interface Handed {
  wishes?: Wish[];
  invitation?: string | null;
  fromStart?: boolean;
  players?: Partial<Record<Side, string>>;
  given?: number;
  verdict?: string;
  text?: string;
  alone?: boolean;
  play?: boolean;
}

export interface Notice {
  calm?: boolean;
  action?: [string, () => void] | null;
}

/** The page's frame, as its screens see it. */
export interface Page {
  board: ConnectkBoard;
  panel: HTMLElement;
  handed?: Handed | null;
  /** Whether another screen has been asked for since. */
  readonly isLeft?: boolean;
  opens(screen: Screen): void;
  say(text: string): void;
  title?(text: string | null | undefined): void;
  notice(text: string, how?: Notice): void;
  go(path: string, handed?: Handed | null): void;
}

/** One screen, while it is open. */
export interface Screen {
  close?(): void;
  revisit?(path: string[]): boolean | undefined;
  key?(event: KeyboardEvent): boolean;
  leaving?(): (() => Promise<boolean>) | null;
}

/** Where a review gets its facts: the server, or the file that it came in. */
export interface Source {
  game(body: Partial<GameOrder>, signal?: AbortSignal): Promise<WholeGameAnswer>;
  scores(body: Partial<ScoresOrder>, signal?: AbortSignal): Promise<ScoresAnswer>;
  threats(body: Partial<PositionOrder>, signal?: AbortSignal): Promise<ThreatsAnswer>;
  review(body: Partial<ReviewOrder>, signal?: AbortSignal): Promise<ReviewAnswer>;
  /** Of a file, which has some: whether there is one for the board after so many moves, and what it is. */
  why?(ply: number): WhyAnswer | undefined;
}

/** A position to explain; in a drawn one, for which side. */
export interface WhyQuestion {
  variant: VariantView;
  start: string;
  moves: number[];
  side?: Side;
}

export type Size = Pick<VariantView, "width" | "height">;

/** What `h` makes of a tag with its classes. */
export type ElementOf<T extends string> = T extends `${infer Tag extends keyof HTMLElementTagNameMap}.${string}`
  ? HTMLElementTagNameMap[Tag]
  : T extends keyof HTMLElementTagNameMap
    ? HTMLElementTagNameMap[T]
    : never;
