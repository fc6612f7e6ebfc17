// The messages of the server. Made by tools/make_descriptions.py from connectk.server.schemas.

export interface AboutAnswer {
  version: string;
  network: NetworkView | null;
  /** Whether this page is allowed to stop the server. */
  closable: boolean;
}

export interface AccuracyView {
  first: number | null;
  second: number | null;
}

export interface AddLevelRequest {
  level: number;
  team?: number | null;
}

export interface AddressAnswer {
  /** The page's address for other devices on this network. */
  address: string;
}

export interface AdmitRequest {
  members: Array<number>;
}

export interface AnalyseCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "analyse";
  /** The number of discs on the board to analyse; by default the current board. */
  ply?: number | null;
  seconds?: number | null;
}

export interface AnalysisMessage {
  exact: boolean;
  /** The score of each column for the side to move; null for a full column. */
  scores: Array<number | null> | null;
  /** How many discs the winner still drops; null for a draw and for a full column. */
  discs: Array<number | null> | null;
  /** Lowest and highest possible score of each column. */
  bounds: Array<[number, number] | null>;
  /** The engine's expected result of each column, from -1 to 1; only if the scores are not exact. */
  estimates: Array<number | null> | null;
  type: "analysis";
  id: number | null;
  ply: number;
}

export interface ArenaAnswer {
  lines: Array<StandingView>;
  /** For each pair of players, the points and the number of games. */
  crosstable: { [name: string]: { [name: string]: [number, number] } };
  /** Players whose ratings can be compared; different groups never met. */
  groups: Array<Array<string>>;
  games: number;
  /** The number of games with different moves; ratings count only these. */
  different_games: number;
  draws: number;
  mean_length: number;
  /** The reasons why bots forfeited games, each with its number of games. */
  forfeits: Array<LocalizedFaultView>;
}

/** An event on a board, in the same form as on the match's own socket. */
export interface BoardMessage {
  type: "board";
  match: string;
  message: JoinedEvent | DroppedEvent | SwappedEvent | ExtendedEvent | TakeBackAskedEvent | MovesEvent | OfferEvent | EndedEvent | RematchMadeEvent;
}

export interface ChallengeReplyRequest {
  /** A member of the room, counted from 1. */
  by: number;
  yes: boolean;
}

export interface ChallengeRequest {
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

export interface ClaimProfileRequest {
  /** The code that another device shows. */
  code: string;
  /** The secret with which this device uses the profile from now on. */
  secret: string;
}

export interface ClaimView {
  /** The keeper: the side that the explanation is for. */
  side: "first" | "second";
  /** `holds` means that the side gets at least a draw. */
  result: "wins" | "holds";
}

export interface ClientCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
}

export interface ClientModel {
}

export interface ClockInput {
  /** Each side's time for the whole game. */
  seconds: number;
  /** Seconds added to the clock after each drop. */
  increment?: number;
}

export interface ClockView {
  /** Seconds left at the beginning of the turn. */
  first: number;
  second: number;
  running: "first" | "second" | null;
  /** When the turn began, by the server's clock, in seconds since 1970. */
  since: number;
  increment: number;
}

/** One of the coach's sentences with its words. */
export interface CoachSentenceView {
  kind: "win_now" | "must_block" | "lost" | "fork" | "sequence" | "drop" | "beneath" | "several" | "count" | "endings" | "answers_win" | "answers_hold" | "middle" | "must_play" | "open_two" | "fates" | "certified" | "nearest";
  statements: Array<StatementView>;
  words: string;
}

/** One of the coach's sentences as statements, without words. These sentences come before the steps. */
export interface CoachView {
  kind: "win_now" | "must_block" | "lost" | "fork" | "sequence" | "drop" | "beneath" | "several" | "count" | "endings" | "answers_win" | "answers_hold" | "middle" | "must_play" | "open_two" | "fates" | "certified" | "nearest";
  statements: Array<StatementView>;
}

/** The notice that the server restarts. Reconnect with `after` when this many seconds have passed. */
export interface ComeBackMessage {
  type: "come_back";
  seconds: number;
}

export interface CrosstableAnswer {
  lines: Array<CrosstableLineView>;
}

/** One member's results against every member in the table. */
export interface CrosstableLineView {
  rank: number;
  /** A member's number. */
  member: number;
  name: string;
  points: number;
  /** The points of each game, for each line of the table. */
  results: Array<Array<number>>;
}

export interface DoneAnswer {
  done: boolean;
}

/** The confirmation of a request. It is sent after the request's event has been broadcast. */
export interface DoneMessage {
  type: "done";
  id: number | null;
  seq: number;
}

export interface DropCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "drop";
  /** A column, counted from 0 on the left. */
  column: number;
  /** The number of discs on the board. */
  ply: number;
  key?: string | null;
  took?: number | null;
}

export interface DropRequest {
  /** A column, counted from 0 on the left. */
  column: number;
  /** The number of discs on the board. */
  ply: number;
  took?: number | null;
}

export interface DroppedEvent {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "dropped";
  side: "first" | "second";
  column: number;
  row: number;
  /** The number of discs on the board before the drop. */
  ply: number;
  /** What a computer player reports about its choice; null for a person. */
  thought: ThoughtView | null;
}

/** The players of a match between strangers, whether it is rated, and its place in a series. */
export interface EncounterAnswer {
  first: EncounterPlayerView;
  second: EncounterPlayerView;
  rated: boolean;
  /** Whether the result has been entered. */
  settled: boolean;
  /** Whether the result has changed the ratings. */
  counted: boolean;
  /** The side that left the game. */
  abandoned: "first" | "second" | null;
  best_of: number;
  /** The number of this game in the series, from 1. */
  game: number;
  /** The points of both sides in the series so far. */
  points: Array<number>;
  series_over: boolean;
  /** Whether you have muted your opponent. */
  muted: boolean;
}

export interface EncounterPlayerView {
  name: string;
  before: RatingView;
  /** The rating after the match; null if it does not count. */
  after: RatingView | null;
  /** The rating that this win has reached and that only more opponents raise; else null. */
  ceiling: number | null;
}

export interface EndedEvent {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "ended";
  result: ResultView;
}

export interface EntryAnswer {
  match: MatchView;
  /** The sides that you play; empty for a spectator. */
  sides: Array<"first" | "second">;
  /** The secret to send as `Authorization: Bearer ...`. Sent only once. */
  secret: string | null;
  /** The invitation code for people who join or watch. Sent only once. */
  invitation: string | null;
}

export interface EventBase {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
}

export interface EventsAnswer {
  events: Array<JoinedEvent | DroppedEvent | SwappedEvent | ExtendedEvent | TakeBackAskedEvent | MovesEvent | OfferEvent | EndedEvent | RematchMadeEvent>;
  /** Whether there are more events; request those after the last of these. */
  more: boolean;
}

/** A page of an explanation. Empty fields are left out. */
export interface ExplanationPageView {
  drop?: number;
  force?: Array<number>;
  /** Each cell of the rival with the cell that answers it. */
  answers?: Array<[[number, number], Array<[number, number]>]>;
  /** The number of the page for each column of the rival. */
  replies?: { [name: string]: number };
}

/** An explanation in the format of the files that `connectk why --out` writes and `connectk why --check` checks again. */
export interface ExplanationView {
  variant: string;
  start: string;
  claim: ClaimView;
  format: "connectk-explanation";
  version: number;
  pages: Array<ExplanationPageView>;
}

export interface ExploredColumnView {
  column: number;
  people: OpeningCountsView;
  computers: OpeningCountsView;
}

/** The columns that were played in a position on this server. Mirror images count as one position. */
export interface ExplorerAnswer {
  columns: Array<ExploredColumnView>;
}

/** The second player asked to place two more discs, after which the first player chooses a side. The players exchange seats and sides. */
export interface ExtendedEvent {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "extended";
  /** The side that was given up. */
  side: "first" | "second";
  seats: SeatsView;
}

/** The game in a file (null if the page cannot show it), and the referee's verdict as a sentence. */
export interface FileAnswer {
  game: WrittenGameView | null;
  players: { [name in "first" | "second"]?: string };
  /** How many of the first moves were given rather than chosen by a player. */
  given: number;
  verdict: string;
}

/** A game that can be continued. To make a match of it, send `variant`, `start` and `moves`. */
export interface GameAnswer {
  variant: VariantView;
  start: string;
  moves: Array<number>;
  players: { [name in "first" | "second"]?: string };
  result: ResultView | null;
}

export interface GameMomentView {
  /** The number of discs on the board. */
  ply: number;
  side_to_move: "first" | "second" | null;
  legal_columns: Array<number>;
  winning_lines: Array<Array<[number, number]>>;
  last_drop: [number, number] | null;
  result: ResultView | null;
}

/** A game as text. `start` is a board set up before the first move, such as `4xo.5x`. In it, `-` is an empty cell below a disc, as in `4-x`. */
export interface GameRequest {
  variant?: string;
  moves?: string;
  start?: string;
}

/** The side that must drop beneath a threat first, if no new threat appears and both sides first fill all harmless cells. */
export interface HarmlessCountView {
  /** The number of remaining harmless cells. */
  cells: number;
  runs_out: "first" | "second";
  /** The side that then completes a line; null if the other side can give up a threat of its own first. */
  winner: "first" | "second" | null;
}

export interface HealthAnswer {
  status: "ok" | "stopping" | "not ready";
}

export interface HelloCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "hello";
  secret?: string | null;
  after?: number | null;
}

/** The member is here again and wants to be paired. */
export interface HereCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "here";
}

export interface HintAnswer {
  column: number;
  thought: ThoughtView;
}

export interface HintCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "hint";
}

export interface HintMessage {
  column: number;
  thought: ThoughtView;
  type: "hint";
  id: number | null;
  ply: number;
}

/** A code that makes one more person a host. It works once. */
export interface HostCodeAnswer {
  code: string;
  /** How long the code is valid. */
  seconds: number;
}

/** The code that another host has read out. A client that sends its own secret can repeat the request if no answer arrives. */
export interface HostCodeRequest {
  code: string;
  secret?: string | null;
}

export interface JoinMatchRequest {
  /** The invitation code; not needed for a public match. */
  invitation?: string | null;
  /** A name that everyone sees. */
  name?: string;
  /** A secret for your seat, of at least 32 random characters; by default the server makes one. With a secret of your own you can repeat the request after a lost answer without taking a second seat. */
  secret?: string | null;
}

/** A new member of a room. A client that sends its own secret can repeat the request if no answer arrives. */
export interface JoinRoomRequest {
  /** A name that everyone sees. */
  name: string;
  kind?: "person" | "bot";
  secret?: string | null;
  /** Between teams; null: the one with fewer members. */
  team?: number | null;
}

export interface JoinedEvent {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "joined";
  side: "first" | "second";
  name: string;
  seats: SeatsView;
}

/** The known facts about a position without an explanation. `side` is the winner of a finished game, otherwise the side to move. */
export interface KnownView {
  kind: "win" | "draw" | "loss" | "unknown" | "won" | "drawn";
  side: "first" | "second";
}

export interface LedgerView {
  threats: ThreatsBySide;
  /** Null if there is no threat, or if a side can complete a line now. */
  count: HarmlessCountView | null;
}

export interface LocalizedFaultView {
  reason: { [name in "en" | "fi" | "sv"]?: string };
  games: number;
}

export interface MarksBySide {
  first: MarksView;
  second: MarksView;
}

/** The number of a side's moves that count for its accuracy, and how many of these moves were judged by an estimate. */
export interface MarksView {
  count: number;
  estimated: number;
}

export interface MatchAnswer {
  match: MatchView;
  /** The sides that you play; empty for a spectator. */
  sides: Array<"first" | "second">;
}

export interface MatchView {
  id: string;
  /** The number of the last event. */
  seq: number;
  variant: VariantView;
  /** Discs set up before the first move, such as `4xo.5x`; empty for none. */
  start: string;
  /** The columns played, in order. */
  moves: Array<number>;
  seats: SeatsView;
  public: boolean;
  /** The id of the match before, if this is a rematch. */
  previous: string | null;
  /** The code of the room that made the match. */
  room: string | null;
  /** Whether the server has paired two people who do not know each other. */
  strangers: boolean;
  /** Whether the second player may take over the first player's side after its first disc. */
  swap: boolean;
  /** How many discs the first player places before that choice: 1, or 3 with a three-disc start. */
  swap_discs: number;
  /** Whether the second player has done so. */
  swapped: boolean;
  /** Whether two more discs are placed and the choice was given back. */
  extended: boolean;
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
  /** The id of the match; null if it was not played because a player was absent. */
  match: string | null;
  /** The winner's number; null for a draw and while the game is open. */
  winner: number | null;
  /** Why the game ended; null while it is open, `void` if it counts for nobody. */
  reason: string | null;
  no_show: number | null;
  /** Why a bot could not go on, in its own words. */
  failure: string | null;
  /** The member who lost because the connection was lost for too long. */
  gone: number | null;
}

/** A member's grade over all reviewed games. */
export interface MemberGradeView {
  /** A member's number. */
  member: number;
  name: string;
  games: number;
  /** The moves that had a choice; the accuracy is the mean of their marks. */
  moves: number;
  /** From 0 to 100; null without a move that had a choice. */
  accuracy: number | null;
  missed_wins: number;
  missed_blocks: number;
  /** Other than missed wins and blocks. */
  blunders: number;
}

export interface MemberView {
  number: number;
  name: string;
  kind: "person" | "bot" | "level";
  /** The computer level, such as `level:3`; null for people and bots. */
  player: string | null;
  left: boolean;
  /** Whether the member missed a game; they are paired again after sending `here`. */
  away: boolean;
  /** Whether the host has yet to let the member in; hide the name until then. */
  waiting: boolean;
  /** Whether the member is a host of the room, too. */
  host: boolean;
  /** The member's team, counted from 1; null if there are no teams. */
  team: number | null;
}

/** A position without its discs. The client already knows the discs from the earlier drops. */
export interface MomentView {
  /** The number of discs on the board. */
  ply: number;
  side_to_move: "first" | "second" | null;
  legal_columns: Array<number>;
  winning_lines: Array<Array<[number, number]>>;
  last_drop: [number, number] | null;
}

export interface MoveReviewView {
  /** The number of the move, from 1. */
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
  /** Whether both worths are certain: exact, or found by a search to the end of the game. */
  proven: boolean;
  best_columns: Array<number>;
  scores: Array<number | null>;
  label: "missed_win" | "missed_block" | "blunder" | "mistake" | "fine_point" | "good" | "best" | "given";
  /** How many of the levels 1 to 9 see what the move threw away. */
  seen_by: number | null;
  /** Whether most levels would already have seen an unavoidable loss. */
  was_lost: boolean;
  /** The height of the graph: 1 if the first player wins, -1 if the second player wins. */
  advantage: number;
  reason: string | null;
  reasons: Array<ReasonView>;
  /** The better line: good play from the position before the move. */
  better_line: Array<number>;
  /** The refutation: a good answer to the move and how play continues. */
  refutation: Array<number>;
  /** The cells of the first discs of the better line. */
  better_cells: Array<[number, number]>;
  /** The cells of the first discs of the refutation. */
  refutation_cells: Array<[number, number]>;
  /** The threats of both sides after the move. */
  ledger: LedgerView;
}

/** Moves were taken back or replayed. */
export interface MovesEvent {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "taken_back" | "redone";
  to_ply: number;
  moves: Array<number>;
}

export interface MuteRequest {
  muted?: boolean;
}

/** The address at which the local network reaches the server. It is sent only to a page on the server's own machine. */
export interface NetworkView {
  /** The page's address on this network if this page allowed access from it; null if it cannot. */
  possible: string | null;
  /** The page's address on this network; null while access from it is not allowed. */
  address: string | null;
}

/** A new match. For two people on one screen, both seats are `me`. For a demo, both seats are `player`. */
export interface NewMatchRequest {
  variant?: VariantInput;
  /** Discs set up before the first move, such as `4xo.5x`: columns count from 1, each is written from the bottom up, x is a disc of the first player, o of the second. Empty for none. */
  start?: string;
  moves?: Array<number>;
  first?: SeatInput;
  second?: SeatInput;
  /** Whether the match is listed for everyone to watch, and to join while a seat is free. */
  public?: boolean;
  clock?: ClockInput | null;
  /** Whether the second player may take over the first player's side after its first disc. If an odd number of discs is set up, the second player may do so before the first drop. */
  swap?: boolean;
  /** With `swap`, how many discs the first player places, of both colours in turn, before the second player chooses a side. After three the second player may instead place two more and give the choice back. That needs an empty board and a run of at least 4. */
  swap_discs?: 1 | 3;
}

/** A new profile. The client makes the secret, so that it can repeat the request if no answer arrives. */
export interface NewProfileRequest {
  secret: string;
  /** A name that everyone sees; empty for a guest. */
  name?: string;
}

/** A new room. Its games always have a clock, so that every game ends. */
export interface NewRoomRequest {
  title?: string;
  format?: "challenges" | "round_robin" | "swiss" | "ladder" | "knockout" | "arena" | "teams";
  variant?: VariantInput;
  clock?: ClockInput;
  /** Who may enter; computer levels always may. */
  who?: "everyone" | "people" | "bots";
  /** The number of rounds of a Swiss tournament or between two teams. */
  rounds?: number;
  /** How many games each pair plays in a round robin. */
  games?: number;
  /** The length of an arena tournament. */
  minutes?: number;
  /** The names of the two teams; without them they are `A` and `B`. */
  teams?: Array<string> | null;
  /** Whether people and bots wait until the host lets them in. */
  approval?: boolean;
  /** Whoever is not connected for so long loses the game; null: nobody. */
  gone_seconds?: number | null;
  /** The time in which each side must drop its first disc. */
  show_seconds?: number;
  /** A person's pause between two games. */
  rest_seconds?: number;
  /** The moves that each game starts with: none, balanced openings drawn by the server, starts that are proven to be draws, or one of these. */
  openings?: "empty" | "balanced" | "fair" | Array<Array<number>>;
  /** Whether the second player of a game may take over the first disc that is dropped. */
  swap?: boolean;
  /** With `swap`, how many discs the first player places before the second player chooses a side. */
  swap_discs?: 1 | 3;
}

/** A request to wait for somebody who wants to play on the same board with the same clock. */
export interface NewSeekRequest {
  /** A secret of your own making, which opens your seat in the match. */
  secret: string;
  /** A random text that this device keeps: it is not paired with itself. */
  device: string;
  rated?: boolean;
  variant?: VariantInput;
  clock?: ClockInput;
  /** Whether others may watch the match. */
  public?: boolean;
  best_of?: 1 | 3 | 5;
  /** Whether a computer level steps in if nobody comes within twenty seconds. */
  takes_level?: boolean;
  /** Whether others see the challenge; if not, only its link takes it. */
  listed?: boolean;
  /** After so many discs the second player may choose a side; 0 without the swap rule. */
  swap_discs?: 0 | 1 | 3;
}

export interface OfferEvent {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "draw_offered" | "rematch_offered" | "declined";
  side: "first" | "second";
}

export interface OfferView {
  what: "take_back" | "draw" | "rematch" | "fair_rematch";
  /** The side that makes the offer. */
  side: "first" | "second";
  to_ply: number | null;
}

/** A reply of the rival, and the answer of a certified strategy. */
export interface OpeningAnswerView {
  /** [column, row] */
  reply: [number, number];
  /** [column, row] */
  answer: [number, number];
  /** Whether the answer completes a line. */
  wins: boolean;
}

/** The results of the players who played a column. */
export interface OpeningCountsView {
  wins: number;
  draws: number;
  losses: number;
}

/** The moves in a position of a certified strategy for the whole board. */
export interface OpeningView {
  claim: ClaimView;
  /** The number of boards of the whole strategy. */
  boards: number;
  /** The cell where the claim's side drops; null if it is not to move. */
  drop: [number, number] | null;
  /** The answer to each reply after that. */
  answers: Array<OpeningAnswerView>;
}

export interface PingCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "ping";
}

export interface PlayerView {
  /** The name to use for a seat; the number in it can be changed. */
  name: string;
  sentence: string;
}

export interface PlayersAnswer {
  players: Array<PlayerView>;
}

export interface PongMessage {
  type: "pong";
  id: number | null;
  now: number;
}

/** A position: a board, the discs set up on it, and the moves after that. */
export interface PositionRequest {
  variant?: VariantInput;
  /** Discs set up before the first move, such as `4xo.5x`: columns count from 1, each is written from the bottom up, x is a disc of the first player, o of the second. Empty for none. */
  start?: string;
  moves?: Array<number>;
}

export interface PositionView {
  /** The number of discs on the board. */
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
  /** Whether the person in this seat is connected. */
  first: boolean;
  second: boolean;
  /** The number of connected spectators. */
  watching: number;
}

export interface ProfileAnswer {
  id: string;
  /** Empty for a guest. */
  name: string;
  rating: RatingView;
  wins: number;
  draws: number;
  losses: number;
  /** Seconds until this person may play strangers again, after abandoned games. */
  paused_seconds: number;
}

export interface ProfileNameRequest {
  /** A name that everyone sees. */
  name: string;
}

export interface PromoteRequest {
  /** Whether you hand over, so that you are a host no longer. */
  instead?: boolean;
}

/** A text to show as a QR code. Every text within the length limit fits into one code. */
export interface QrCodeRequest {
  text: string;
}

export interface RatingView {
  rating: number;
  deviation: number;
  /** Whether the rating is still uncertain. */
  provisional: boolean;
}

/** One reason why a move was worse than another. Columns and rows count from 0. */
export interface ReasonView {
  kind: "missed_win" | "missed_block" | "allowed_win" | "allowed_win_on_top" | "missed_fork" | "allowed_fork" | "missed_force" | "allowed_force" | "missed_line" | "allowed_line" | "missed_line_beneath" | "allowed_line_beneath";
  /** The side that completes a line, or would have completed it. */
  side: "first" | "second";
  /** The cells to highlight; the line is completed in the first one. */
  cells: Array<[number, number]>;
  /** The drops of both sides; for a missed chance they start before the move, otherwise after it. */
  line: Array<number>;
  /** Whether it holds whatever the other side plays, rather than in one line of play only. */
  holds: "every_line" | "one_line";
  run: number;
  columns: Array<number>;
  /** The number of the disc that completes the line, from 1. */
  disc?: number;
  /** Whether the column is the last open one when the loser drops beneath the cell. */
  last_column?: boolean;
}

export interface ReceiptAnswer {
  /** The number of the stored event. */
  seq: number;
  match: MatchView;
}

export interface RedoCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "redo";
  to_ply?: number | null;
}

/** The reason why a request was refused. A refused request changes nothing. */
export interface RefusedAnswer {
  /** A stable name for programs, such as `column_full`. */
  reason: string;
  /** The reason as a sentence for people. */
  message: string;
}

export interface RefusedMessage {
  /** A stable name for programs, such as `column_full`. */
  reason: string;
  /** The reason as a sentence for people. */
  message: string;
  type: "refused";
  id: number | null;
}

export interface RematchMadeEvent {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "rematch_made";
  /** The id of the new match. */
  match: string;
}

export interface RenameRequest {
  /** A name that everyone sees. */
  name: string;
}

export interface ReplyView {
  column: number;
  /** The number of the board that answers this column, from 0. */
  page: number;
}

export interface ReportRequest {
  reason: "left" | "stalled" | "name" | "programs" | "other";
}

export interface ResultView {
  /** The winner; null for a draw. */
  winner: "first" | "second" | null;
  reason: "line" | "full" | "resigned" | "agreed" | "time" | "forfeit";
}

export interface ReviewAnswer {
  variant: string;
  players: { [name in "first" | "second"]?: string };
  winner: "first" | "second" | null;
  /** How many of the first discs were given rather than chosen by a player. */
  given: number;
  exact: boolean;
  accuracy: AccuracyView;
  marks: MarksBySide;
  /** The number of the move that decided the game, the one a coach would discuss. */
  turning_point: number | null;
  /** The number of the last move that turned a win or a draw into a loss for the losing side. */
  lost_at: number | null;
  /** The height of the graph before the first move. */
  advantage: number;
  moves: Array<MoveReviewView>;
}

/** A game to review: its moves, and the board before the first move. */
export interface ReviewRequest {
  variant?: VariantInput;
  /** Discs set up before the first move, such as `4xo.5x`: columns count from 1, each is written from the bottom up, x is a disc of the first player, o of the second. Empty for none. */
  start?: string;
  moves?: Array<number>;
  /** The language of the sentences. */
  language?: "en" | "fi" | "sv";
  /** How many of the first moves were given rather than chosen by a player. */
  given?: number;
}

export interface RoomAnswer {
  room: RoomView;
  /** Your member number; null if you are not a member. */
  you: number | null;
  /** Whether you are the room's host. */
  host: boolean;
}

/** An event of the room, with the members and meetings that the event has changed. */
export interface RoomChangedMessage {
  type: "changed";
  /** The number of the event in the room, from 1 without gaps. */
  seq: number;
  at: number;
  event: "joined" | "admitted" | "team_changed" | "renamed" | "left" | "returned" | "challenged" | "accepted" | "declined" | "begun" | "paused" | "resumed" | "locked" | "unlocked" | "host_invited" | "host_added" | "host_left" | "paired" | "round_stopped" | "failed" | "scored" | "closed";
  /** The member who acted or whom the event concerns. */
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

/** The data that was deleted for good. */
export interface RoomDeletedAnswer {
  room: string;
  /** The numbers of the deleted members. */
  members: Array<number>;
  /** The number of deleted games. */
  matches: number;
}

export interface RoomDropCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "drop";
  match: string;
  /** A column, counted from 0 on the left. */
  column: number;
  /** The number of discs on the board. */
  ply: number;
  key?: string | null;
  took?: number | null;
}

export interface RoomEntryAnswer {
  room: RoomView;
  /** Your member number; null if you are not a member. */
  you: number | null;
  /** Whether you are the room's host. */
  host: boolean;
  /** The secret to send as `Authorization: Bearer ...`. Sent only once. */
  secret: string;
}

/** This bot cannot continue, for the given reason. It loses its game. */
export interface RoomFailureCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "fail";
  match: string;
  words: string;
}

/** A game that was played. `variant`, `start` and `moves` are in the notation of the page's addresses. */
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
  /** Whether there are more games; request those after the last of these. */
  more: boolean;
}

export interface RoomGradesAnswer {
  members: Array<MemberGradeView>;
  /** The number of games that have been reviewed. */
  reviewed: number;
  /** The number of games that are still to be reviewed; ask again. */
  left: number;
}

/** The first message on a room's socket. It has the secret of a member or the host. A spectator sends no secret. */
export interface RoomHelloCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "hello";
  secret?: string | null;
  /** Whether to send the events of all boards, for a wall display. */
  boards?: boolean;
}

/** The current state of a board that you play at or watch. */
export interface RoomMatchMessage {
  type: "match";
  sides: Array<"first" | "second">;
  meeting: number;
  match: MatchView;
}

export interface RoomPingCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "ping";
}

export interface RoomSeatActionCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "swap" | "extend" | "resign" | "offer_draw" | "accept" | "decline";
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
  /** The points from games against members with equally many points. */
  direct: number;
  /** The points of all beaten opponents plus half the points of those who drew. */
  sonneborn_berger: number;
  /** The rating on a scale where level n has 200 n; null while unknown. */
  elo: number | null;
  /** Half the width of the rating's 95% interval. */
  margin: number | null;
  /** The rating is a guess: it comes from fewer than ten games. */
  provisional: boolean;
  /** Whether the next game in an arena counts double. */
  streak: boolean;
}

/** The part of a room that changes with its events. */
export interface RoomStateView {
  title: string;
  begun: boolean;
  /** Whether new members are refused. */
  locked: boolean;
  closed: boolean;
  /** Whether no new games start. */
  paused: boolean;
  /** The time at which an arena ends; null while it is not running. */
  ends: number | null;
  /** The round of a tournament in rounds, from 1. */
  round: number;
  /** The number of rounds; of a knock-out tournament once it has begun. */
  rounds: number;
  challenges: Array<ChallengeView>;
  /** The members who had a bye, listed once for each bye; in a Swiss tournament one point each. */
  byes: Array<number>;
  /** Members who rest in this round. */
  resting: Array<number>;
  /** Members who no longer play in a knock-out tournament. */
  out: Array<number>;
}

export interface RoomTeamView {
  name: string;
  points: number;
}

/** A room as every member and spectator sees it. */
export interface RoomView {
  code: string;
  seq: number;
  format: "challenges" | "round_robin" | "swiss" | "ladder" | "knockout" | "arena" | "teams";
  variant: VariantView;
  clock: RoomClockView;
  who: "everyone" | "people" | "bots";
  rounds: number;
  games: number;
  minutes: number;
  approval: boolean;
  gone_seconds: number | null;
  show_seconds: number;
  swap: boolean;
  swap_discs: number;
  created: number;
  state: RoomStateView;
  members: Array<MemberView>;
  /** All open meetings, and the latest of those that ended. */
  meetings: Array<MeetingView>;
  standings: Array<RoomStandingView>;
  /** The teams with their points; empty without teams. */
  teams: Array<RoomTeamView>;
  /** The ties of each round of a knock-out tournament that has begun. */
  bracket: Array<Array<TieView>>;
  /** Members who are connected. */
  here: Array<number>;
}

export interface RoomWelcomeMessage {
  room: RoomView;
  /** Your member number; null if you are not a member. */
  you: number | null;
  /** Whether you are the room's host. */
  host: boolean;
  type: "welcome";
  id: number | null;
  now: number;
}

/** A phrase or a face from a player. It is not an event and is not stored. */
export interface SaidMessage {
  type: "said";
  side: "first" | "second";
  phrase: "hello" | "good_luck" | "good_move" | "oops" | "thanks" | "good_game" | "one_more" | "bye" | "smile" | "think" | "surprised" | "sad" | "cool";
}

/** A game to write to a file. */
export interface SavedGameRequest {
  variant?: string;
  moves?: string;
  start?: string;
  players?: { [name in "first" | "second"]?: string };
}

/** A ready-made phrase or a face for the opponent. It is shown for a moment and not stored. */
export interface SayCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "say";
  phrase: "hello" | "good_luck" | "good_move" | "oops" | "thanks" | "good_game" | "one_more" | "bye" | "smile" | "think" | "surprised" | "sad" | "cool";
}

export interface ScoresAnswer {
  exact: boolean;
  /** The score of each column for the side to move; null for a full column. */
  scores: Array<number | null> | null;
  /** How many discs the winner still drops; null for a draw and for a full column. */
  discs: Array<number | null> | null;
  /** Lowest and highest possible score of each column. */
  bounds: Array<[number, number] | null>;
  /** The engine's expected result of each column, from -1 to 1; only if the scores are not exact. */
  estimates: Array<number | null> | null;
}

/** A position whose columns should be scored. */
export interface ScoresRequest {
  variant?: VariantInput;
  /** Discs set up before the first move, such as `4xo.5x`: columns count from 1, each is written from the bottom up, x is a disc of the first player, o of the second. Empty for none. */
  start?: string;
  moves?: Array<number>;
  seconds?: number | null;
}

/** An action that needs nothing but a seat. */
export interface SeatActionCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "swap" | "extend" | "resign" | "offer_draw" | "accept" | "decline" | "rematch" | "fair_rematch";
}

/** The player who gets a seat: the client itself, an invited person, or a computer player. */
export interface SeatInput {
  kind: "me" | "invited" | "player";
  /** A name that everyone sees. */
  name?: string;
  /** The computer player: a name from /api/players. */
  player?: string | null;
}

export interface SeatView {
  kind: "person" | "player" | "free";
  name: string;
  /** The computer player's name, as in /api/players; null for a person. */
  player: string | null;
}

export interface SeatsView {
  first: SeatView;
  second: SeatView;
}

export interface SeekAnswer {
  seek: SeekView;
  state: "waiting" | "paired";
  /** The match, once there is one; the seek's secret opens your seat. */
  match: string | null;
  /** Whether a computer level has stepped in, because nobody came. */
  level: boolean;
  /** How many people wait for an opponent now, you included. */
  waiting: number;
  /** Seconds until a computer level steps in; null if none will. */
  level_in: number | null;
}

export interface SeekView {
  id: string;
  name: string;
  rating: RatingView;
  variant: VariantView;
  /** The seconds of each side, and those added after each drop. */
  clock: Array<number>;
  rated: boolean;
  public: boolean;
  best_of: number;
  swap_discs: number;
  /** Seconds since this person began to wait. */
  waited: number;
}

export interface SeeksAnswer {
  seeks: Array<SeekView>;
}

export interface StandingView {
  name: string;
  /** The rating, where 0 is the mean of the player's group; null for a player without games. */
  elo: number | null;
  margin: number | null;
  games: number;
  points: number;
  wins: number;
  draws: number;
  losses: number;
  forfeits: number;
  /** The mean thinking time for a move. */
  seconds: number;
  slowest: number;
}

export interface StandingsMessage {
  type: "standings";
  lines: Array<RoomStandingView>;
  teams: Array<RoomTeamView>;
  bracket: Array<Array<TieView>>;
}

/** The part of a match that changes with its events. */
export interface StateView {
  /** The number of discs on the board. */
  ply: number;
  side_to_move: "first" | "second" | null;
  legal_columns: Array<number>;
  winning_lines: Array<Array<[number, number]>>;
  last_drop: [number, number] | null;
  /** Each column from the bottom up: x is the first player's disc, o the second's. */
  board: Array<string>;
  /** The result; null while the match is open. */
  result: ResultView | null;
  /** Whether a seat is still free. */
  waiting: boolean;
  offer: OfferView | null;
  can_redo: boolean;
  /** The side whose player is to act; null when the match is over. It is not `side_to_move`, the colour of the next disc, while one player places the discs of both. */
  turn: "first" | "second" | null;
  /** Whether the side to move may swap sides instead of dropping a disc. */
  can_swap: boolean;
  /** Whether the side to move may place two more discs and give the choice of a side back. */
  can_extend: boolean;
  /** Whether a side is chosen after the next disc or a later one. */
  is_placing: boolean;
  clock: ClockView | null;
  /** The id of the rematch. */
  next_match: string | null;
}

/** One claim of a sentence, as data that lines of play can prove or refute. Columns and rows count from 0. */
export interface StatementView {
  count?: number;
  of?: number;
  /** `zugzwang`: `side` ends up in the first cell, unless it has lost elsewhere before, and the other side then wins in the second. `zugzwang_in_one`: the same for pairs of cells, one of which decides each line; the other side gives up `count` of the pairs. `never_all`: `side` never has discs in all of these cells. `never_completes`: `side` completes none of these lines. `threat`: any reply in another column lets `side` win in this cell at once. `fork`: whatever the reply, `side` then wins in one of these cells. `completes`: the last disc completed a line. `loses_at_once`: a disc of `side` in the first cell lets the other side win in the second. `wins_without`, `holds_without`: if all but the first of these cells were empty, a disc of `side` in the first would win, or get at least a draw. */
  kind: "wins" | "holds" | "zugzwang" | "zugzwang_in_one" | "never_all" | "never_completes" | "threat" | "fork" | "completes" | "loses_at_once" | "best_play" | "forced" | "gives_away" | "rest_left" | "on_top" | "ends_at" | "column_wins" | "column_draws" | "column_loses" | "must_play" | "open_two" | "middle" | "wins_without" | "holds_without";
  side: "first" | "second";
  cells: Array<[number, number]>;
  /** The lines that the claim is about. */
  lines: Array<Array<[number, number]>>;
  /** The board of the explanation whose answers the keeper follows. */
  page: number;
  /** The columns played from the explained position to the claim's board. */
  moves: Array<number>;
  /** Columns of the rival that lead to another board, where the claim may not hold. */
  unless: Array<number>;
  /** Whether the claim holds in every line of play from there, or only in the one shown. */
  holds: "every_line" | "one_line";
}

/** The facts of a step. Each kind of step has some of these fields. Columns and rows count from 0. */
export interface StepFacts {
  column?: number;
  columns?: Array<number>;
  line?: Array<number>;
  /** Each cell of the rival with the cells that answer it. */
  answers?: Array<[[number, number], Array<[number, number]>]>;
  rule?: string;
  /** The cells that the rule is about. */
  cells?: Array<Array<[number, number]>>;
  /** The number of lines. */
  count?: number;
}

/** The second player took over the first player's side. The players exchange their seats and sides. */
export interface SwappedEvent {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "swapped";
  /** The side that was given up. */
  side: "first" | "second";
  seats: SeatsView;
}

export interface TakeBackAskedEvent {
  type: "event";
  /** The number of the event in the match, from 1 without gaps. */
  seq: number;
  /** The time by the server's clock, in seconds since 1970. */
  at: number;
  state: StateView;
  event: "take_back_asked";
  side: "first" | "second";
  to_ply: number;
}

export interface TakeBackCommand {
  /** Repeated in the answer to this message. */
  id?: number | null;
  type: "take_back";
  to_ply?: number | null;
}

/** A request to take somebody's challenge. */
export interface TakeSeekRequest {
  /** A secret of your own making, which opens your seat in the match. */
  secret: string;
  /** A random text that this device keeps: it is not paired with itself. */
  device: string;
  rated?: boolean;
}

export interface TeamRequest {
  /** A team of the room, counted from 1. */
  team: number;
}

/** A computer player's report about its choice. `score` is for the side to move, in the player's own unit. */
export interface ThoughtView {
  score?: number | null;
  line?: Array<number>;
  depth?: number | null;
  nodes?: number | null;
  proven?: boolean;
}

/** The empty cells where a side would complete a line, grouped into odd and even rows. Here the rows count from 1. */
export interface ThreatCellsView {
  odd: Array<[number, number]>;
  even: Array<[number, number]>;
}

export interface ThreatView {
  column: number;
  row: number;
  side: "first" | "second";
  line: Array<[number, number]>;
  /** Whether the next disc can be dropped into the cell. */
  now: boolean;
}

export interface ThreatsAnswer {
  threats: Array<ThreatView>;
}

export interface ThreatsBySide {
  first: ThreatCellsView;
  second: ThreatCellsView;
}

/** A tie in the bracket of a knock-out tournament. A member is null while the place is empty. */
export interface TieView {
  first: number | null;
  second: number | null;
  /** Who goes on; null while it is open, and if nobody does. */
  winner: number | null;
}

export interface ToPlyRequest {
  /** The number of discs to go back or forward to; by default, your last turn. */
  to_ply?: number | null;
}

export interface TransferAnswer {
  /** Type it on the other device; it works once. */
  code: string;
  seconds: number;
}

export interface VariantInput {
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
  /** The Connect-Z code, 0 to 9. */
  code: number;
  name: string;
  /** The number of the line with the gravest offence, from 1. */
  line: number | null;
  moves: number;
  winner: "first" | "second" | null;
  winning_cells: Array<[number, number]>;
  /** The code of the first offence; null if it is also the gravest. */
  first_code: number | null;
  first_line: number | null;
  /** The game; null if it breaks a rule. */
  game: GameAnswer | null;
}

export interface WelcomeMessage {
  type: "welcome";
  id: number | null;
  /** The sides that you play after event `seq`. */
  sides: Array<"first" | "second">;
  seq: number;
  /** The match; null for a client that reconnected with `after`. */
  match: MatchView | null;
  /** The invitation code; only for the match's creator while a seat is free. */
  invitation: string | null;
  now: number;
}

export interface WhoIsHereMessage {
  type: "present";
  /** Members who are connected. */
  here: Array<number>;
  watching: number;
}

/** Every position of a game, one after each move. `start` and `moves` have the same format as in the page's addresses. */
export interface WholeGameAnswer {
  variant: VariantView;
  start: string;
  moves: string;
  columns: Array<number>;
  positions: Array<GameMomentView>;
}

/** Why a side wins or holds a position. Every explanation that is sent has been checked against all replies. */
export interface WhyAnswer {
  variant: VariantView;
  /** The claim; null if no short explanation was found in time. */
  claim: ClaimView | null;
  kind: "force" | "strategy" | "tree" | null;
  /** What is known of the position if there is no claim. */
  known: KnownView | null;
  /** The certified strategy's play, for positions that have no short explanation. */
  opening: OpeningView | null;
  boards: number;
  /** The number of positions that the checker visited. */
  checked: number;
  explanation: ExplanationView | null;
  headline: string;
  /** At most three sentences that summarize the explanation. */
  coach: Array<CoachSentenceView>;
  /** The steps; without an explanation, one step with the line of best play. */
  steps: Array<WhyStepView>;
}

/** A position to explain. */
export interface WhyRequest {
  variant?: VariantInput;
  /** Discs set up before the first move, such as `4xo.5x`: columns count from 1, each is written from the bottom up, x is a disc of the first player, o of the second. Empty for none. */
  start?: string;
  moves?: Array<number>;
  /** In a drawn position, the side whose defence is explained. */
  side?: "first" | "second" | null;
  /** The language of the sentences. */
  language?: "en" | "fi" | "sv";
}

/** One step of an explanation: one board and one sentence. */
export interface WhyStepView {
  /** The number of the step's board, from 0. */
  page: number;
  /** The board, written as in a position. */
  board: Array<string>;
  side_to_move: "first" | "second";
  last_drop: [number, number] | null;
  /** The kind of sentence, whose details are in `facts`. */
  kind: string;
  facts: StepFacts;
  /** The drops that follow on this board, the sides taking turns. */
  played: Array<[number, number]>;
  /** Each cell of the rival with the cell that answers it. */
  pairs: Array<[[number, number], [number, number]]>;
  /** Lines that the rival will not complete; in a `win`, the keeper's. */
  lines: Array<Array<[number, number]>>;
  /** The keeper's threats. */
  threats: Array<[number, number]>;
  /** The columns of the rival that lead to another board. */
  replies: Array<ReplyView>;
  /** The claims of the sentence as data. */
  statements: Array<StatementView>;
  words: string;
}

export interface WorthView {
  kind: "wins" | "draw" | "loses" | "about";
  /** How many discs the winner still drops. */
  count: number;
  /** The estimated result, from -1 for a loss to 1 for a win. */
  score: number;
}

export interface WrittenGameView {
  variant: string;
  start: string;
  moves: string;
}

export interface WrongAnswer {
  /** The error message, in the language of the request. */
  wrong: string;
}

export type ClientMessage = HelloCommand | DropCommand | TakeBackCommand | RedoCommand | SeatActionCommand | SayCommand | PingCommand | AnalyseCommand | HintCommand;

export type ServerMessage = WelcomeMessage | JoinedEvent | DroppedEvent | SwappedEvent | ExtendedEvent | TakeBackAskedEvent | MovesEvent | OfferEvent | EndedEvent | RematchMadeEvent | DoneMessage | RefusedMessage | AnalysisMessage | HintMessage | PresenceMessage | SaidMessage | ComeBackMessage | PongMessage;

export type EventMessage = JoinedEvent | DroppedEvent | SwappedEvent | ExtendedEvent | TakeBackAskedEvent | MovesEvent | OfferEvent | EndedEvent | RematchMadeEvent;

export type RoomClientMessage = RoomHelloCommand | RoomDropCommand | RoomSeatActionCommand | RoomFailureCommand | HereCommand | RoomPingCommand;

export type RoomServerMessage = RoomWelcomeMessage | RoomChangedMessage | RoomMatchMessage | BoardMessage | StandingsMessage | WhoIsHereMessage | DoneMessage | RefusedMessage | ComeBackMessage | PongMessage;
