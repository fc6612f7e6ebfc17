// The page's model of a match: what the server has reported, and the drop that is not confirmed yet.
import { boardState } from "../board/convert.js";
import { firstPlyToKeepOf } from "./reducer.js";

/** @import { LocalMatch } from "./local-match.js"
 *  @import { MatchSocket } from "./match-socket.js"
 *  @import { Side } from "../page-types.js"
 *  @import { DroppedEvent, EventMessage, MatchView, PresenceMessage, SaidMessage, StateView, ThoughtView, WelcomeMessage } from "../types.js"
 *  @import { SayCommand, SeatActionCommand, RedoCommand, TakeBackCommand } from "../types.js"
 *  @typedef {{ onWelcome: () => void, onChange: () => void, onDropAnswered: () => void, onRefused: (error: any, column?: number) => void,
 *    onEvent: (message: EventMessage, before: StateView) => void, onSaid: (message: SaidMessage) => void, onConnectionChange: (isUp: boolean) => void, onLost: (error: Error) => void }} MatchListener
 *  @typedef {{ ply: number, side: Side, column: number, thought: ThoughtView }} PlayedThought */

export class Match {
  /** @param {string} id @param {MatchListener} listener @param {(match: Match) => MatchSocket | LocalMatch} connect */
  constructor(id, listener, connect) {
    this.id = id;
    this.listener = listener;
    /** @type {MatchView | null} */
    this.view = null;
    /** @type {Side[]} */
    this.sides = []; // the sides that are played here
    /** @type {number[]} */
    this.moves = [];
    /** @type {PlayedThought[]} */
    this.thoughts = [];
    /** @type {PresenceMessage | null} */
    this.presence = null; // who is connected to each side, and how many watch
    /** @type {string | null} */
    this.invitation = null; // the secret of the invitation for the other player
    /** @type {{ column: number, ply: number, side: Side } | null} */
    this.pendingDrop = null; // a drop that is shown but not yet confirmed by the server
    this.connection = connect(this);
  }

  close() {
    this.connection.close();
  }

  /** The match; throws before the server has sent it. */
  get loadedView() {
    if (!this.view) throw new Error("the match is not known yet");
    return this.view;
  }

  get state() {
    return this.loadedView.state;
  }

  get variant() {
    return this.loadedView.variant;
  }

  get startPly() {
    return this.state.ply - this.moves.length;
  }

  /** The ply to which moves can be taken back. An exchange of seats is final. */
  get firstPlyToKeep() {
    return firstPlyToKeepOf(this.loadedView, this.startPly);
  }

  get isOver() {
    return this.state.result !== null;
  }

  get isMyTurn() {
    return !this.isOver && !this.state.waiting && this.sides.some((side) => side === this.state.turn);
  }

  /** Whether nobody elsewhere plays: the other seat is a computer player's, or both seats belong to this page. */
  get isControlledHere() {
    const people = Object.entries(this.loadedView.seats).filter(([, seat]) => seat.kind !== "player");
    return people.every(([side]) => this.sides.some((mine) => mine === side)) && this.sides.length > 0;
  }

  /** Whether two people play from two places, outside a room. */
  get isBetweenPeople() {
    const { seats, room } = this.loadedView;
    return !room && this.sides.length < 2 && Object.values(seats).every((seat) => seat.kind === "person");
  }

  /** Whether two computers play. */
  get isDemo() {
    return Object.values(this.loadedView.seats).every((seat) => seat.kind === "player");
  }

  get hand() {
    if (this.isOver || this.state.waiting || !this.sides.length || this.pendingDrop) return null;
    if (this.isMyTurn) return this.state.side_to_move;
    return this.isControlledHere ? this.sides[0] : null;
  }

  /** The board, with the drop that is not confirmed yet. */
  get board() {
    const board = boardState(this.state, this.variant, this.hand);
    const waiting = this.pendingDrop?.ply === this.state.ply ? this.pendingDrop : null;
    if (!waiting) return board;
    const row = this.state.board[waiting.column].length;
    const disc = { column: waiting.column, row, side: waiting.side };
    return { ...board, discs: [...board.discs, disc], last: disc };
  }

  /** Shows the disc at once; the server confirms or refuses it. @param {number} column */
  async drop(column) {
    const { ply, side_to_move: side } = this.state;
    if (!side) return;
    this.pendingDrop = { column, ply, side };
    this.listener.onChange();
    try {
      await this.connection.request({
        type: "drop",
        column,
        ply,
        key: crypto.randomUUID?.() ?? `k${Date.now()}${Math.random()}`.replace(".", ""),
      });
    } catch (error) {
      this.listener.onRefused(error, column);
    }
    if (this.pendingDrop?.ply === ply) this.pendingDrop = null;
    this.listener.onChange();
    this.listener.onDropAnswered();
  }

  /** @param {SeatActionCommand | RedoCommand | TakeBackCommand | SayCommand} message */
  async request(message) {
    try {
      return await this.connection.request(message);
    } catch (error) {
      this.listener.onRefused(error);
      return null;
    }
  }

  // Events of the connection.

  /** @param {WelcomeMessage} message */
  onWelcome({ match, sides, invitation }) {
    this.sides = sides;
    this.invitation = invitation ?? this.invitation;
    if (match) this.#load(match);
    this.listener.onWelcome();
  }

  /** @param {MatchView} match */
  #load(match) {
    this.view = match;
    this.moves = [...match.moves];
    this.thoughts = [];
  }

  /** @param {EventMessage} message */
  onEvent(message) {
    const { loadedView } = this;
    const before = loadedView.state;
    const seats = "seats" in message ? message.seats : loadedView.seats;
    const isExchange = message.event === "swapped" || message.event === "extended";
    const exchange = isExchange ? { [message.event]: true } : {};
    this.view = { ...loadedView, seq: message.seq, state: message.state, seats, ...exchange };
    if (isExchange && this.sides.length === 1) this.sides = [this.sides[0] === "first" ? "second" : "first"];
    if (message.event === "dropped") this.#applyDrop(message);
    else if (message.event === "taken_back" || message.event === "redone") this.moves = [...message.moves];
    if (this.pendingDrop && this.pendingDrop.ply !== message.state.ply) this.pendingDrop = null;
    this.listener.onChange();
    this.listener.onEvent(message, before);
  }

  /** @param {DroppedEvent} message */
  #applyDrop({ column, thought, side }) {
    this.moves.push(column);
    if (thought) this.thoughts.push({ ply: this.moves.length, side, column, thought });
  }

  /** @param {PresenceMessage} message */
  onPresence(message) {
    this.presence = message;
    this.listener.onChange();
  }

  /** @param {SaidMessage} message */
  onSaid(message) {
    this.listener.onSaid(message);
  }

  /** The side of a person elsewhere who is not connected. */
  get absentSide() {
    const { seats } = this.loadedView;
    const sides = /** @type {Side[]} */ (["first", "second"]);
    return sides.find((side) => seats[side].kind === "person" && !this.sides.includes(side) && !this.isPresent(side));
  }

  /** @param {Side} side */
  isPresent(side) {
    return this.presence === null || this.presence[side];
  }

  /** @param {boolean} isUp */
  onConnectionChange(isUp) {
    this.listener.onConnectionChange(isUp);
  }

  /** @param {Error} error */
  onLost(error) {
    this.listener.onLost(error);
  }
}
