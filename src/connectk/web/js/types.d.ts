// The messages of the server. Made by tools/make_descriptions.py from connectk.server.schemas.

export interface AboutAnswer {
  version: string;
  network: NetworkView | null;
  /** Whether this page may stop the server. */
  closable: boolean;
}

export interface AccuracyView {
  first: number | null;
  second: number | null;
}

export interface AddressAnswer {
  /** Where others on this network find the page. */
  address: string;
}

export interface Analyse {
  /** Given back in the answer. */
  id?: number | null;
  type: "analyse";
  /** The board as it was with so many discs; left out: as it is now. */
  ply?: number | null;
  seconds?: number | null;
}

export interface AnalysisMessage {
  exact: boolean;
  /** From the side to move; null where no disc fits. */
  scores: Array<number | null> | null;
  /** How many discs the winner still drops; null for a draw and where no disc fits. */
  discs: Array<number | null> | null;
  /** Lowest and highest possible score of each column. */
  bounds: Array<[number, number] | null>;
  /** Where the scores are not exact: the engine's expected result of each column, from -1 to 1. */
  estimates: Array<number | null> | null;
  type: "analysis";
  id: number | null;
  ply: number;
}

export interface ArenaAnswer {
  lines: Array<StandingView>;
  /** Points and games of each against each other. */
  crosstable: { [name: string]: { [name: string]: [number, number] } };
  games: number;
  draws: number;
  mean_length: number;
  /** Why bots lost, each reason once. */
  forfeits: Array<{ [name in "en" | "fi" | "sv"]?: string }>;
}

/** What happened at a board: the same as on the match's own socket. */
export interface BoardMessage {
  type: "board";
  match: string;
  message: JoinedEvent | DroppedEvent | TakeBackAskedEvent | MovesEvent | OfferEvent | EndedEvent | RematchMadeEvent;
}

export interface ChallengeOrder {
  /** A member of the room, counted from 1. */
  to: number;
}

export interface ChallengeView {
  /** A member's number. */
  by: number;
  /** A member's number. */
  to: number;
  accepted: boolean;
}

export interface ClaimView {
  /** The keeper: the side that the explanation is for. */
  side: "first" | "second";
  /** `holds`: at least a draw. */
  result: "wins" | "holds";
}

export interface ClockOrder {
  /** For each side, for the whole game. */
  seconds: number;
  /** Seconds given back after each drop. */
  increment?: number;
}

export interface ClockView {
  /** Seconds left when the turn began. */
  first: number;
  second: number;
  running: "first" | "second" | null;
  /** When the turn began, by the server's clock, in seconds since 1970. */
  since: number;
  increment: number;
}

/** The server restarts; connect again after so many seconds, with `after`. */
export interface ComeBackMessage {
  type: "come_back";
  seconds: number;
}

/** Comes after the event itself, which everyone is told. */
export interface DoneMessage {
  type: "done";
  id: number | null;
  seq: number;
}

export interface Drop {
  /** Given back in the answer. */
  id?: number | null;
  type: "drop";
  /** A column, counted from 0 on the left. */
  column: number;
  /** How many discs lie on the board. */
  ply: number;
  key?: string | null;
  took?: number | null;
}

export interface DropOrder {
  /** A column, counted from 0 on the left. */
  column: number;
  /** How many discs lie on the board. */
  ply: number;
  took?: number | null;
}

export interface DroppedEvent {
  type: "event";
  /** From 1, without a gap. */
  seq: number;
  /** By the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "dropped";
  side: "first" | "second";
  column: number;
  row: number;
  /** How many discs lay on the board before. */
  ply: number;
  /** Of a computer player. */
  thought: ThoughtView | null;
}

export interface EndedEvent {
  type: "event";
  /** From 1, without a gap. */
  seq: number;
  /** By the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "ended";
  result: ResultView;
}

export interface EntryAnswer {
  match: MatchView;
  /** The sides that you play; none when you watch. */
  sides: Array<"first" | "second">;
  /** Send it as `Authorization: Bearer ...`. Shown this once. */
  secret: string | null;
  /** For whoever you invite to play or watch. Shown this once. */
  invitation: string | null;
}

export interface EventBase {
  type: "event";
  /** From 1, without a gap. */
  seq: number;
  /** By the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
}

export interface EventsAnswer {
  events: Array<JoinedEvent | DroppedEvent | TakeBackAskedEvent | MovesEvent | OfferEvent | EndedEvent | RematchMadeEvent>;
  /** There are more: ask again, after the last of these. */
  more: boolean;
}

/** What is empty is left out. */
export interface ExplanationPageView {
  drop?: number;
  force?: Array<number>;
  /** The rival's disc, and where it is answered. */
  answers?: Array<[[number, number], Array<[number, number]>]>;
  /** A column of the rival, and its page. */
  replies?: { [name: string]: number };
}

/** An explanation as `connectk why --save` writes it; saved as a file, `connectk why --check` proves it again. */
export interface ExplanationView {
  variant: string;
  start: string;
  claim: ClaimView;
  format: "connectk-explanation";
  version: number;
  pages: Array<ExplanationPageView>;
}

/** The game that a file holds; none where none can be shown. The verdict is a sentence of the referee. */
export interface FileAnswer {
  game: WrittenGameView | null;
  players: { [name in "first" | "second"]?: string };
  /** How many of the first moves nobody chose. */
  given: number;
  verdict: string;
}

/** A game that can be played on: send `variant`, `start` and `moves` to make a match of it. */
export interface GameAnswer {
  variant: VariantView;
  start: string;
  moves: Array<number>;
  players: { [name in "first" | "second"]?: string };
  result: ResultView | null;
}

export interface GameMomentView {
  /** How many discs lie on the board. */
  ply: number;
  side_to_move: "first" | "second" | null;
  legal_columns: Array<number>;
  winning_lines: Array<Array<[number, number]>>;
  last_drop: [number, number] | null;
  result: ResultView | null;
}

/** A game in writing. `start` is a board set up, such as `4xo.5x`; `-` is an empty cell below a disc: `4-x`. */
export interface GameOrder {
  variant?: string;
  moves?: string;
  start?: string;
}

export interface HealthAnswer {
  status: "ok" | "stopping" | "not ready";
}

export interface Hello {
  /** Given back in the answer. */
  id?: number | null;
  type: "hello";
  secret?: string | null;
  after?: number | null;
}

/** I am here: pair me again. */
export interface Here {
  /** Given back in the answer. */
  id?: number | null;
  type: "here";
}

export interface Hint {
  /** Given back in the answer. */
  id?: number | null;
  type: "hint";
}

export interface HintAnswer {
  column: number;
  thought: ThoughtView;
}

export interface HintMessage {
  column: number;
  thought: ThoughtView;
  type: "hint";
  id: number | null;
  ply: number;
}

export interface JoinOrder {
  /** The code; a public match needs none. */
  invitation?: string | null;
  /** Shown to everyone, as it is. */
  name?: string;
  /** The secret that your seat shall have, of at least 32 random characters; left out: the server makes one. With your own you may send the same request again when no answer came: one seat is taken. */
  secret?: string | null;
}

export interface JoinedEvent {
  type: "event";
  /** From 1, without a gap. */
  seq: number;
  /** By the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "joined";
  side: "first" | "second";
  name: string;
  seats: SeatsView;
}

/** What is known of a position without an explanation; `side` is to move, or has won. */
export interface KnownView {
  kind: "win" | "draw" | "loss" | "unknown" | "won" | "drawn";
  side: "first" | "second";
}

export interface LevelOrder {
  level: number;
}

export interface MatchAnswer {
  match: MatchView;
  /** The sides that you play; none when you watch. */
  sides: Array<"first" | "second">;
}

/** A new match. Two people on one screen: both seats `me`. A demo: both seats `player`. */
export interface MatchOrder {
  variant?: VariantOrder;
  /** Discs set up before the first move, such as `4xo.5x`: columns from 1, each from the bottom up, x the first player's, o the second's. Empty: none. */
  start?: string;
  moves?: Array<number>;
  first?: SeatOrder;
  second?: SeatOrder;
  /** Listed for everyone to watch, and to join where a seat is free. */
  public?: boolean;
  clock?: ClockOrder | null;
}

export interface MatchView {
  id: string;
  /** The number of the last event. */
  seq: number;
  variant: VariantView;
  /** Discs set up before the first move, such as `4xo.5x`; or empty. */
  start: string;
  /** The columns played, in order. */
  moves: Array<number>;
  seats: SeatsView;
  public: boolean;
  /** The match that this is a rematch of. */
  previous: string | null;
  /** The code of the room that has made it. */
  room: string | null;
  created: number;
  state: StateView;
}

export interface MatchesAnswer {
  matches: Array<MatchView>;
}

export interface MeetingView {
  number: number;
  round: number;
  /** A member's number. */
  first: number;
  /** A member's number. */
  second: number;
  /** Null where nobody played, because one never came. */
  match: string | null;
  /** A member; null for a draw and while it is open. */
  winner: number | null;
  /** Null while it is open; `void` where it counts for nobody. */
  reason: string | null;
  no_show: number | null;
}

/** Someone who comes in. Bring a secret of your own making, and you may ask again when no answer came. */
export interface MemberOrder {
  /** Shown to everyone, as it is. */
  name: string;
  kind?: "person" | "bot";
  secret?: string | null;
}

export interface MemberView {
  number: number;
  name: string;
  kind: "person" | "bot" | "level";
  /** Of a computer level, such as `level:3`. */
  player: string | null;
  left: boolean;
  /** Did not show up; is paired again when they say that they are here. */
  away: boolean;
}

export interface Message {
  /** Given back in the answer. */
  id?: number | null;
}

/** A position without its discs, which the drops before it tell. */
export interface MomentView {
  /** How many discs lie on the board. */
  ply: number;
  side_to_move: "first" | "second" | null;
  legal_columns: Array<number>;
  winning_lines: Array<Array<[number, number]>>;
  last_drop: [number, number] | null;
}

export interface MoveReviewView {
  /** From 1. */
  number: number;
  side: "first" | "second";
  column: number;
  row: number;
  /** The score before the move, from the mover's side. */
  before: number;
  after: number;
  worth_before: WorthView;
  worth_after: WorthView;
  before_words: string;
  after_words: string;
  exact: boolean;
  /** Whether both are certain: exact, or seen to their end. */
  proven: boolean;
  best_columns: Array<number>;
  scores: Array<number | null>;
  label: "best" | "slip" | "blunder" | "given";
  /** For the graph: 1 first wins, -1 second wins. */
  advantage: number;
  reason: string | null;
  reason_kind: string | null;
  reason_facts: ReasonFacts;
  cells: Array<[number, number]>;
  /** How play should have gone on. */
  better_line: Array<number>;
  /** How the move is met. */
  refutation: Array<number>;
  /** Where the first discs of the better line come to lie. */
  better_cells: Array<[number, number]>;
  /** And those of the answer. */
  refutation_cells: Array<[number, number]>;
}

/** Moves were taken back, or played again. */
export interface MovesEvent {
  type: "event";
  /** From 1, without a gap. */
  seq: number;
  /** By the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "taken_back" | "redone";
  to_ply: number;
  moves: Array<number>;
}

/** For a page on the machine that the server runs on. */
export interface NetworkView {
  /** Where others on this network would find the page. */
  possible: string | null;
  /** Where they find it, once they are let in. */
  address: string | null;
}

export interface OfferEvent {
  type: "event";
  /** From 1, without a gap. */
  seq: number;
  /** By the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "draw_offered" | "rematch_offered" | "declined";
  side: "first" | "second";
}

export interface OfferView {
  what: "take_back" | "draw" | "rematch";
  /** Who asks. */
  side: "first" | "second";
  to_ply: number | null;
}

export interface Order {
}

export interface Ping {
  /** Given back in the answer. */
  id?: number | null;
  type: "ping";
}

/** What needs no more than a seat. */
export interface Plain {
  /** Given back in the answer. */
  id?: number | null;
  type: "resign" | "offer_draw" | "accept" | "decline" | "rematch";
}

export interface PlayerView {
  /** To be used as it is, or with another number. */
  name: string;
  sentence: string;
}

export interface PlayersAnswer {
  players: Array<PlayerView>;
}

export interface PlyOrder {
  /** Where to go back or on to; left out: your own last turn. */
  to_ply?: number | null;
}

export interface PongMessage {
  type: "pong";
  id: number | null;
  now: number;
}

/** A position: a board, discs set up on it, and moves from there. */
export interface PositionOrder {
  variant?: VariantOrder;
  /** Discs set up before the first move, such as `4xo.5x`: columns from 1, each from the bottom up, x the first player's, o the second's. Empty: none. */
  start?: string;
  moves?: Array<number>;
}

export interface PositionView {
  /** How many discs lie on the board. */
  ply: number;
  side_to_move: "first" | "second" | null;
  legal_columns: Array<number>;
  winning_lines: Array<Array<[number, number]>>;
  last_drop: [number, number] | null;
  /** Each column from the bottom up: x is the first player's disc, o the second's. */
  board: Array<string>;
}

export interface PresenceMessage {
  type: "presence";
  /** Whether someone who holds this seat is connected. */
  first: boolean;
  second: boolean;
  /** How many only watch. */
  watching: number;
}

/** What a reason tells of, counted from 0; each kind of reason has some of these. */
export interface ReasonFacts {
  columns?: Array<number>;
  column?: number;
  threat_column?: number;
  row?: number;
  run?: number;
  /** The number of a disc, from 1. */
  move?: number;
  winner?: "first" | "second";
  loser?: "first" | "second";
  /** Why the loser has to drop beneath the threat. */
  why?: "parity" | "squeezed";
  cells_left?: number;
}

export interface ReceiptAnswer {
  /** The number under which it is stored. */
  seq: number;
  match: MatchView;
}

export interface Redo {
  /** Given back in the answer. */
  id?: number | null;
  type: "redo";
  to_ply?: number | null;
}

/** Why something was refused; nothing has changed. */
export interface RefusedAnswer {
  /** A stable name to rely on, such as `column_full`. */
  reason: string;
  /** A sentence for a person. */
  message: string;
}

export interface RefusedMessage {
  /** A stable name to rely on, such as `column_full`. */
  reason: string;
  /** A sentence for a person. */
  message: string;
  type: "refused";
  id: number | null;
}

export interface RematchMadeEvent {
  type: "event";
  /** From 1, without a gap. */
  seq: number;
  /** By the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "rematch_made";
  /** The id of the new match. */
  match: string;
}

export interface RenameOrder {
  /** Shown to everyone, as it is. */
  name: string;
}

export interface ReplyOrder {
  /** A member of the room, counted from 1. */
  by: number;
  yes: boolean;
}

export interface ReplyView {
  column: number;
  /** The board that tells what to do about it, from 0. */
  page: number;
}

export interface ResultView {
  /** Null for a draw. */
  winner: "first" | "second" | null;
  reason: "line" | "full" | "resigned" | "agreed" | "time" | "forfeit";
}

export interface ReviewAnswer {
  variant: string;
  players: { [name in "first" | "second"]?: string };
  winner: "first" | "second" | null;
  /** How many of the first discs were nobody's choice. */
  given: number;
  exact: boolean;
  accuracy: AccuracyView;
  /** The number of the move that decided the game. */
  turning_point: number | null;
  /** Before the first move. */
  advantage: number;
  moves: Array<MoveReviewView>;
}

/** A game to review: its moves, and the board they begin on. */
export interface ReviewOrder {
  variant?: VariantOrder;
  /** Discs set up before the first move, such as `4xo.5x`: columns from 1, each from the bottom up, x the first player's, o the second's. Empty: none. */
  start?: string;
  moves?: Array<number>;
  /** In which the sentences are. */
  language?: "en" | "fi" | "sv";
  /** How many of the first moves nobody chose. */
  given?: number;
}

export interface RoomAnswer {
  room: RoomView;
  /** Your number, where you are a member. */
  you: number | null;
  /** Whether the room is yours. */
  host: boolean;
}

/** Something has happened; with it come the members and meetings that it has changed. */
export interface RoomChangedMessage {
  type: "changed";
  /** Of the room, from 1, without a gap. */
  seq: number;
  at: number;
  event: "joined" | "renamed" | "left" | "returned" | "challenged" | "accepted" | "declined" | "begun" | "paired" | "scored" | "closed";
  /** The member whom it is about, or who did it. */
  by: number | null;
  to: number | null;
  byes: Array<number>;
  state: RoomStateView;
  members: Array<MemberView>;
  meetings: Array<MeetingView>;
}

export interface RoomClockView {
  seconds: number;
  increment: number;
}

export interface RoomDrop {
  /** Given back in the answer. */
  id?: number | null;
  type: "drop";
  match: string;
  /** A column, counted from 0 on the left. */
  column: number;
  /** How many discs lie on the board. */
  ply: number;
  key?: string | null;
  took?: number | null;
}

export interface RoomEntryAnswer {
  room: RoomView;
  /** Your number, where you are a member. */
  you: number | null;
  /** Whether the room is yours. */
  host: boolean;
  /** Send it as `Authorization: Bearer ...`. Shown this once. */
  secret: string;
}

/** A game that was played: `variant`, `start` and `moves` as they stand in an address of the page. */
export interface RoomGameView {
  number: number;
  round: number;
  first: string;
  second: string;
  variant: string;
  start: string;
  moves: string;
  winner: "first" | "second" | null;
  reason: string;
}

export interface RoomGamesAnswer {
  games: Array<RoomGameView>;
  /** There are more: ask again, after the last of these. */
  more: boolean;
}

/** A member's or the host's secret, or none for one who looks on. */
export interface RoomHello {
  /** Given back in the answer. */
  id?: number | null;
  type: "hello";
  secret?: string | null;
  /** Tell me of every board, as a wall wants it. */
  boards?: boolean;
}

/** A board that you play at, or look at, as it stands. */
export interface RoomMatchMessage {
  type: "match";
  sides: Array<"first" | "second">;
  meeting: number;
  match: MatchView;
}

/** A new room. Games always have a clock, so that they end without anybody's help. */
export interface RoomOrder {
  title?: string;
  format?: "challenges" | "round_robin" | "swiss" | "ladder";
  variant?: VariantOrder;
  clock?: ClockOrder;
  /** Who may come in; computer levels always may. */
  who?: "everyone" | "people" | "bots";
  /** Of a Swiss tournament. */
  rounds?: number;
  /** Of each pair in a round robin. */
  games?: number;
  /** For each side's first disc. */
  show_seconds?: number;
  /** Between two games of a person. */
  rest_seconds?: number;
  /** Discs that lie on the board when a game begins: none, drawn, or these. */
  openings?: "empty" | "balanced" | Array<Array<number>>;
}

export interface RoomPing {
  /** Given back in the answer. */
  id?: number | null;
  type: "ping";
}

export interface RoomPlain {
  /** Given back in the answer. */
  id?: number | null;
  type: "resign" | "offer_draw" | "accept" | "decline";
  match: string;
}

export interface RoomStandingView {
  rank: number;
  /** A member's number. */
  member: number;
  points: number;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  byes: number;
  /** The sum of the opponents' points. */
  opposition: number;
  /** Level n stands at 200 n; null where it is not known yet. */
  elo: number | null;
  /** The rating lies within so much of it, 95 times of 100. */
  margin: number | null;
}

/** What changes about the room as a whole. */
export interface RoomStateView {
  title: string;
  begun: boolean;
  closed: boolean;
  /** Of a Swiss tournament, from 1. */
  round: number;
  challenges: Array<ChallengeView>;
  /** Members who rested with a point, once for each time. */
  byes: Array<number>;
}

/** A room as everyone in it may see it. */
export interface RoomView {
  code: string;
  seq: number;
  format: "challenges" | "round_robin" | "swiss" | "ladder";
  variant: VariantView;
  clock: RoomClockView;
  who: "everyone" | "people" | "bots";
  rounds: number;
  games: number;
  show_seconds: number;
  created: number;
  state: RoomStateView;
  members: Array<MemberView>;
  /** All that are open, and the last that are not. */
  meetings: Array<MeetingView>;
  standings: Array<RoomStandingView>;
  /** Members who are connected. */
  here: Array<number>;
}

export interface RoomWelcomeMessage {
  room: RoomView;
  /** Your number, where you are a member. */
  you: number | null;
  /** Whether the room is yours. */
  host: boolean;
  type: "welcome";
  id: number | null;
  now: number;
}

/** A game to write to a file. */
export interface SavedOrder {
  variant?: string;
  moves?: string;
  start?: string;
  players?: { [name in "first" | "second"]?: string };
}

export interface ScoresAnswer {
  exact: boolean;
  /** From the side to move; null where no disc fits. */
  scores: Array<number | null> | null;
  /** How many discs the winner still drops; null for a draw and where no disc fits. */
  discs: Array<number | null> | null;
  /** Lowest and highest possible score of each column. */
  bounds: Array<[number, number] | null>;
  /** Where the scores are not exact: the engine's expected result of each column, from -1 to 1. */
  estimates: Array<number | null> | null;
}

/** A position whose columns shall be scored. */
export interface ScoresOrder {
  variant?: VariantOrder;
  /** Discs set up before the first move, such as `4xo.5x`: columns from 1, each from the bottom up, x the first player's, o the second's. Empty: none. */
  start?: string;
  moves?: Array<number>;
  seconds?: number | null;
}

/** Who sits there: you, someone you invite, or a computer player. */
export interface SeatOrder {
  kind: "me" | "invited" | "player";
  /** Shown to everyone, as it is. */
  name?: string;
  /** For a computer player: one of /api/players. */
  player?: string | null;
}

export interface SeatView {
  kind: "person" | "player" | "free";
  name: string;
  /** A computer player, as in /api/players. */
  player: string | null;
}

export interface SeatsView {
  first: SeatView;
  second: SeatView;
}

export interface StandingView {
  name: string;
  elo: number;
  margin: number;
  games: number;
  points: number;
  wins: number;
  draws: number;
  losses: number;
  forfeits: number;
  /** The mean time for a move. */
  seconds: number;
  slowest: number;
}

export interface StandingsMessage {
  type: "standings";
  lines: Array<RoomStandingView>;
}

/** What changes with every event. */
export interface StateView {
  /** How many discs lie on the board. */
  ply: number;
  side_to_move: "first" | "second" | null;
  legal_columns: Array<number>;
  winning_lines: Array<Array<[number, number]>>;
  last_drop: [number, number] | null;
  /** Each column from the bottom up: x is the first player's disc, o the second's. */
  board: Array<string>;
  /** Null while the match is open. */
  result: ResultView | null;
  /** A seat is still free. */
  waiting: boolean;
  offer: OfferView | null;
  can_redo: boolean;
  clock: ClockView | null;
  /** The rematch. */
  next_match: string | null;
}

/** What a step tells of, counted from 0; each kind of step has some of these. */
export interface StepFacts {
  column?: number;
  columns?: Array<number>;
  line?: Array<number>;
  /** The rival's disc, and where it may be answered. */
  answers?: Array<[[number, number], Array<[number, number]>]>;
  rule?: string;
  /** Where the rule holds. */
  cells?: Array<Array<[number, number]>>;
  /** Of lines. */
  count?: number;
}

export interface TakeBack {
  /** Given back in the answer. */
  id?: number | null;
  type: "take_back";
  to_ply?: number | null;
}

export interface TakeBackAskedEvent {
  type: "event";
  /** From 1, without a gap. */
  seq: number;
  /** By the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "take_back_asked";
  side: "first" | "second";
  to_ply: number;
}

/** A text to draw; this long, it fits a code however its letters are written. */
export interface TextOrder {
  text: string;
}

/** What a computer player tells about its choice; `score` is from the side to move, in the player's own unit. */
export interface ThoughtView {
  score?: number | null;
  line?: Array<number>;
  depth?: number | null;
  nodes?: number | null;
  proven?: boolean;
}

export interface ThreatView {
  column: number;
  row: number;
  side: "first" | "second";
  line: Array<[number, number]>;
  /** Whether the next disc can reach it. */
  now: boolean;
}

export interface ThreatsAnswer {
  threats: Array<ThreatView>;
}

export interface VariantOrder {
  width?: number;
  height?: number;
  /** How many discs in a row win. */
  run?: number;
}

export interface VariantView {
  width: number;
  height: number;
  /** How many discs in a row win. */
  run: number;
}

export interface VerdictAnswer {
  /** 0 to 9. */
  code: number;
  name: string;
  /** The line of the gravest offence, from 1. */
  line: number | null;
  moves: number;
  winner: "first" | "second" | null;
  winning_cells: Array<[number, number]>;
  /** The first offence, where it is another than the gravest. */
  first_code: number | null;
  first_line: number | null;
  /** The game, where the file holds one without offence. */
  game: GameAnswer | null;
}

export interface WelcomeMessage {
  type: "welcome";
  id: number | null;
  sides: Array<"first" | "second">;
  seq: number;
  /** Null for one who came back with `after`. */
  match: MatchView | null;
  /** For whoever made the match, while a seat is free. */
  invitation: string | null;
  now: number;
}

export interface WhoIsHereMessage {
  type: "present";
  /** Members who are connected. */
  here: Array<number>;
  watching: number;
}

/** Every moment of a game; `start` and `moves` as they stand in an address. */
export interface WholeGameAnswer {
  variant: VariantView;
  start: string;
  moves: string;
  columns: Array<number>;
  positions: Array<GameMomentView>;
}

/** Why a side wins or holds a position. Every explanation that is sent was played through against all replies. */
export interface WhyAnswer {
  variant: VariantView;
  /** Null where no short explanation was found in time. */
  claim: ClaimView | null;
  kind: "force" | "strategy" | "tree" | null;
  /** Where nothing is claimed. */
  known: KnownView | null;
  boards: number;
  /** How many positions were played through. */
  checked: number;
  explanation: ExplanationView | null;
  headline: string;
  /** Without an explanation, one step with the line of best play. */
  steps: Array<WhyStepView>;
}

/** A position to explain. */
export interface WhyOrder {
  variant?: VariantOrder;
  /** Discs set up before the first move, such as `4xo.5x`: columns from 1, each from the bottom up, x the first player's, o the second's. Empty: none. */
  start?: string;
  moves?: Array<number>;
  /** In a drawn position, the side whose holding shall be explained. */
  side?: "first" | "second" | null;
  /** In which the sentences are. */
  language?: "en" | "fi" | "sv";
}

/** One board and one sentence. */
export interface WhyStepView {
  /** Which of the boards this step is on, from 0. */
  page: number;
  /** As in a position. */
  board: Array<string>;
  side_to_move: "first" | "second";
  last_drop: [number, number] | null;
  /** What is said; `facts` tells of what, counted from 0. */
  kind: string;
  facts: StepFacts;
  /** Drops from this board on, in order, the sides taking turns. */
  played: Array<[number, number]>;
  /** The rival's disc, and where it is answered. */
  pairs: Array<[[number, number], [number, number]]>;
  /** Lines that the rival will not complete; in a `win`, the keeper's. */
  lines: Array<Array<[number, number]>>;
  /** Of the keeper. */
  threats: Array<[number, number]>;
  /** Columns of the rival that have a board of their own. */
  replies: Array<ReplyView>;
  words: string;
}

export interface WorthView {
  kind: "wins" | "draw" | "loses" | "about";
  /** The discs that the winner drops until then. */
  count: number;
  /** Of an estimate, from -1 for a loss to 1 for a win. */
  score: number;
}

export interface WrittenGameView {
  variant: string;
  start: string;
  moves: string;
}

export interface WrongAnswer {
  /** What is wrong, in the language of the request. */
  wrong: string;
}

export type ClientMessage = Hello | Drop | TakeBack | Redo | Plain | Ping | Analyse | Hint;

export type ServerMessage = WelcomeMessage | JoinedEvent | DroppedEvent | TakeBackAskedEvent | MovesEvent | OfferEvent | EndedEvent | RematchMadeEvent | DoneMessage | RefusedMessage | AnalysisMessage | HintMessage | PresenceMessage | ComeBackMessage | PongMessage;

export type EventMessage = JoinedEvent | DroppedEvent | TakeBackAskedEvent | MovesEvent | OfferEvent | EndedEvent | RematchMadeEvent;

export type RoomClientMessage = RoomHello | RoomDrop | RoomPlain | Here | RoomPing;

export type RoomServerMessage = RoomWelcomeMessage | RoomChangedMessage | RoomMatchMessage | BoardMessage | StandingsMessage | WhoIsHereMessage | DoneMessage | RefusedMessage | ComeBackMessage | PongMessage;
