// A match as this page knows it: what the server has said, and the disc that is on its way.
import { boardOf } from "../board/boards.js";

/** @import { LocalLive } from "./locallive.js"
 *  @import { Live } from "./live.js"
 *  @import { Side } from "../shapes.js"
 *  @import { DroppedEvent, EventMessage, MatchView, PresenceMessage, StateView, ThoughtView, WelcomeMessage } from "../types.js"
 *  @import { Plain, Redo, TakeBack } from "../types.js"
 *  @typedef {{ welcomed: () => void, changed: () => void, confirmed: () => void, refused: (error: any, column?: number) => void,
 *    happened: (message: EventMessage, before: StateView) => void, connection: (isUp: boolean) => void, lost: (error: Error) => void }} Listener
 *  @typedef {{ ply: number, side: Side, column: number, thought: ThoughtView }} Thought */

export class Match {
  /** @param {string} id @param {Listener} listener @param {(match: Match) => Live | LocalLive} connect */
  constructor(id, listener, connect) {
    this.id = id;
    this.listener = listener;
    /** @type {MatchView | null} */
    this.view = null;
    /** @type {Side[]} */
    this.sides = []; // that are played here
    /** @type {number[]} */
    this.moves = [];
    /** @type {Thought[]} */
    this.thoughts = [];
    /** @type {PresenceMessage | null} */
    this.present = null; // how many hold each side, and how many watch
    /** @type {string | null} */
    this.invitation = null; // as the server tells it to whoever holds the seat
    /** @type {{ column: number, ply: number, side: Side } | null} */
    this.pending = null; // shown, not yet confirmed
    this.live = connect(this);
  }

  close() {
    this.live.close();
  }

  // The match, once the server has told it.
  get known() {
    if (!this.view) throw new Error("the match is not known yet");
    return this.view;
  }

  get state() {
    return this.known.state;
  }

  get variant() {
    return this.known.variant;
  }

  get startPly() {
    return this.state.ply - this.moves.length;
  }

  get isOver() {
    return this.state.result !== null;
  }

  get isMyTurn() {
    return !this.isOver && !this.state.waiting && this.sides.some((side) => side === this.state.side_to_move);
  }

  // Nobody else need be asked: the other seat is a computer's, or both are held here.
  get isMine() {
    const people = Object.entries(this.known.seats).filter(([, seat]) => seat.kind !== "player");
    return people.every(([side]) => this.sides.some((mine) => mine === side)) && this.sides.length > 0;
  }

  // Two computers play: whoever looks at it sets the pace.
  get isDemo() {
    return Object.values(this.known.seats).every((seat) => seat.kind === "player");
  }

  get hand() {
    if (this.isOver || this.state.waiting || !this.sides.length || this.pending) return null;
    if (this.isMyTurn) return this.state.side_to_move;
    return this.isMine ? this.sides[0] : null;
  }

  // The board with the disc that is on its way.
  get board() {
    const board = boardOf(this.state, this.variant, this.hand);
    const waiting = this.pending?.ply === this.state.ply ? this.pending : null;
    if (!waiting) return board;
    const row = this.state.board[waiting.column].length;
    const disc = { column: waiting.column, row, side: waiting.side };
    return { ...board, discs: [...board.discs, disc], last: disc };
  }

  /** Show the disc at once; the server confirms it or takes it back. @param {number} column */
  async drop(column) {
    const { ply, side_to_move: side } = this.state;
    if (!side) return;
    this.pending = { column, ply, side };
    this.listener.changed();
    try {
      await this.live.ask({
        type: "drop",
        column,
        ply,
        key: crypto.randomUUID?.() ?? `k${Date.now()}${Math.random()}`.replace(".", ""),
      });
    } catch (error) {
      this.listener.refused(error, column);
    }
    if (this.pending?.ply === ply) this.pending = null;
    this.listener.changed();
    this.listener.confirmed();
  }

  /** @param {Plain | Redo | TakeBack} message */
  async ask(message) {
    try {
      return await this.live.ask(message);
    } catch (error) {
      this.listener.refused(error);
      return null;
    }
  }

  // What the socket tells.

  /** @param {WelcomeMessage} message */
  welcome({ match, sides, invitation }) {
    this.sides = sides;
    this.invitation = invitation ?? this.invitation;
    if (match) this.#learn(match);
    this.listener.welcomed();
  }

  /** @param {MatchView} match */
  #learn(match) {
    this.view = match;
    this.moves = [...match.moves];
    this.thoughts = [];
  }

  /** @param {EventMessage} message */
  event(message) {
    const { known } = this;
    const before = known.state;
    const seats = message.event === "joined" ? message.seats : known.seats;
    this.view = { ...known, seq: message.seq, state: message.state, seats };
    if (message.event === "dropped") this.#dropped(message);
    else if (message.event === "taken_back" || message.event === "redone") this.moves = [...message.moves];
    if (this.pending && this.pending.ply !== message.state.ply) this.pending = null;
    this.listener.changed();
    this.listener.happened(message, before);
  }

  /** @param {DroppedEvent} message */
  #dropped({ column, thought, side }) {
    this.moves.push(column);
    if (thought) this.thoughts.push({ ply: this.moves.length, side, column, thought });
  }

  /** @param {PresenceMessage} message */
  presence(message) {
    this.present = message;
    this.listener.changed();
  }

  /** @param {Side} side */
  isPresent(side) {
    return this.present === null || this.present[side];
  }

  /** @param {boolean} isUp */
  connection(isUp) {
    this.listener.connection(isUp);
  }

  /** @param {Error} error */
  lost(error) {
    this.listener.lost(error);
  }
}
