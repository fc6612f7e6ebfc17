// A match as this page knows it: what the server has said, and the disc that is on its way.
import { boardOf, discsOf } from "./boards.js";
import { Live } from "./live.js";

export class Match {
  constructor(id, secret, listener) {
    this.id = id;
    this.listener = listener;
    /** @type {import("./types.js").MatchView | null} */
    this.view = null;
    /** @type {import("./types.js").WelcomeMessage["sides"]} */
    this.sides = []; // that are played here
    /** @type {number[]} */
    this.moves = [];
    this.thoughts = [];
    this.connected = true;
    this.present = null; // how many hold each side, and how many watch
    this.invitation = null; // as the server tells it to whoever holds the seat
    this.pending = null; // { column, ply, side }: shown, not yet confirmed
    this.live = new Live(id, secret, this);
  }

  close() { this.live.close(); }

  get state() { return this.view.state; }

  get variant() { return this.view.variant; }

  get startPly() { return (this.view.start ?? []).join("").length; }

  get isOver() { return this.state.result !== null; }

  get isMyTurn() { return !this.isOver && !this.state.waiting && this.sides.includes(this.state.side_to_move); }

  // Nobody else need be asked: the other seat is a computer's, or both are held here.
  get isMine() {
    const people = Object.entries(this.view.seats).filter(([, seat]) => seat.kind !== "player");
    return people.every(([side]) => this.sides.some((mine) => mine === side)) && this.sides.length > 0;
  }

  // Two computers play: whoever looks at it sets the pace.
  get isDemo() { return Object.values(this.view.seats).every((seat) => seat.kind === "player"); }

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

  // Show the disc at once; the server confirms it or takes it back.
  async drop(column) {
    const ply = this.state.ply;
    this.pending = { column, ply, side: this.state.side_to_move };
    this.listener.changed();
    try {
      await this.live.ask({ type: "drop", column, ply, key: crypto.randomUUID?.() ?? `k${Date.now()}${Math.random()}`.replace(".", "") });
    } catch (error) {
      this.listener.refused(error, column);
    }
    if (this.pending?.ply === ply) this.pending = null;
    this.listener.changed();
    this.listener.confirmed();
  }

  async ask(type, facts = {}) {
    try {
      return await this.live.ask({ type, ...facts });
    } catch (error) {
      this.listener.refused(error);
      return null;
    }
  }

  // What the socket tells.

  /** @param {import("./types.js").WelcomeMessage} message */
  welcome({ match, sides, invitation }) {
    this.sides = sides;
    this.invitation = invitation ?? this.invitation;
    if (match) this.#learn(match);
    this.listener.welcomed();
  }

  #learn(match) {
    this.view = match;
    this.moves = [...match.moves];
    this.thoughts = [];
  }

  event(message) {
    const before = this.view.state;
    this.view = { ...this.view, seq: message.seq, state: message.state, seats: message.seats ?? this.view.seats };
    const follow = { dropped: "Dropped", taken_back: "TakenBack", redone: "Redone" }[message.event];
    if (follow) this[`on${follow}`](message);
    if (this.pending && this.pending.ply !== message.state.ply) this.pending = null;
    this.listener.changed();
    this.listener.happened(message, before);
  }

  onDropped({ column, thought, side }) {
    this.moves.push(column);
    if (thought) this.thoughts.push({ ply: this.moves.length, side, column, thought });
  }

  onTakenBack({ moves }) { this.moves = [...moves]; }

  onRedone({ moves }) { this.moves = [...moves]; }

  /** @param {import("./types.js").PresenceMessage} message */
  presence(message) {
    this.present = message;
    this.listener.changed();
  }

  isPresent(side) { return this.present === null || this.present[side]; }

  connection(isUp) {
    this.connected = isUp;
    this.listener.connection(isUp);
  }

  lost(error) { this.listener.lost(error); }

  get discs() { return discsOf(this.state.board); }
}
