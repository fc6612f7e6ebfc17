// Types that the page's modules share. The types of the server's messages are in types.d.ts.
import type { ConnectkBoard } from "./board/board.js";
import type { Seat } from "./match/seats.js";
import type {
  PositionRequest,
  ReviewAnswer,
  ReviewRequest,
  ScoresAnswer,
  ScoresRequest,
  ThreatsAnswer,
  VariantView,
  WholeGameAnswer,
  WhyAnswer,
  GameRequest,
} from "./types.js";

export type Side = "first" | "second";

export interface Cell {
  column: number;
  row: number;
}

export interface Disc extends Cell {
  side: Side;
}

/** Everything that a board shows. */
export interface BoardState {
  width: number;
  height: number;
  discs: Disc[];
  open: number[];
  hand: Side | null;
  last: Cell | null;
  lines: Cell[][];
}

/** The label under a column: a word, a number, and a short form for narrow columns. */
export interface ColumnLabel {
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
export interface QueuedInput {
  column?: number;
  act?: Command;
}

export type Command = "undo" | "redo" | "hint";

/** A game as written in an address. */
export interface GameAddress {
  variant: string;
  moves: string;
  start?: string;
  variation?: { from: number; moves: string } | null;
}

/** What one screen passes to the next. */
export interface NavigationState {
  queue?: QueuedInput[];
  invitation?: string | null;
  fromStart?: boolean;
  players?: Partial<Record<Side, string>>;
  given?: number;
  verdict?: string;
  text?: string;
  /** A review outside the page: it has no address, and its game goes on nowhere else. */
  isStandalone?: boolean;
  startMatch?: boolean;
  seek?: boolean;
  detail?: string;
}

export interface NoticeOptions {
  calm?: boolean;
  action?: [string, () => void] | null;
}

/** The page, as its screens see it. */
export interface Page {
  board: ConnectkBoard;
  panel: HTMLElement;
  navigationState?: NavigationState | null;
  /** Whether another screen has been asked for since. */
  readonly isClosed?: boolean;
  setScreen(screen: Screen): void;
  announce(text: string): void;
  setTitle?(text: string | null | undefined): void;
  showNotice(text: string, how?: NoticeOptions): void;
  navigate(path: string, navigationState?: NavigationState | null): void;
  /** Shows who sits above and below the board. */
  showSeats(above: Seat | null, below: Seat | null): void;
  /** Asks before a running game is left; at once true if none is. */
  mayLeave?(): Promise<boolean>;
}

/** One screen, while it is open. */
export interface Screen {
  close?(): void;
  showPath?(path: string[]): boolean | undefined;
  onKey?(event: KeyboardEvent): boolean;
  confirmLeaving?(): (() => Promise<boolean>) | null;
}

/** Where a review gets its data: the server, or the file of a standalone review. */
export interface ReviewSource {
  game(body: Partial<GameRequest>, signal?: AbortSignal): Promise<WholeGameAnswer>;
  scores(body: Partial<ScoresRequest>, signal?: AbortSignal): Promise<ScoresAnswer>;
  threats(body: Partial<PositionRequest>, signal?: AbortSignal): Promise<ThreatsAnswer>;
  review(body: Partial<ReviewRequest>, signal?: AbortSignal): Promise<ReviewAnswer>;
  /** Whether it answers for one game only, so that no other moves can be tried. */
  isFixed?: boolean;
  /** The explanation for a ply that the file contains, if any. */
  storedExplanation?(ply: number): WhyAnswer | undefined;
}

/** A position to explain, and in a drawn one the side. */
export interface ExplanationRequest {
  variant: VariantView;
  start: string;
  moves: number[];
  side?: Side;
}

export type Size = Pick<VariantView, "width" | "height">;

/** The element that `h` creates from a tag with classes. */
export type ElementOf<T extends string> = T extends `${infer Tag extends keyof HTMLElementTagNameMap}.${string}`
  ? HTMLElementTagNameMap[Tag]
  : T extends keyof HTMLElementTagNameMap
    ? HTMLElementTagNameMap[T]
    : never;
