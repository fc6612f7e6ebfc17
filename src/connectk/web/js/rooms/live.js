// One room over its socket. After a lost connection it comes back by itself and is told everything anew.
import { Refused } from "../common/api.js";
import { ReconnectingSocket } from "../common/reconnecting.js";

/** @import { EventMessage, MatchView, RoomChangedMessage, RoomServerMessage, RoomView, RoomStandingView } from "../types.js"
 *  @import { Side } from "../shapes.js"
 *  @typedef {{ meeting: number, sides: Side[], match: MatchView }} LiveBoard
 *  @typedef {{ welcomed: () => void, changed: (message: RoomChangedMessage) => void, board: (board: LiveBoard, message: EventMessage | null) => void,
 *    table: () => void, connection: (isUp: boolean) => void, lost: (error: Error) => void }} RoomListener */

const PING_TIMEOUT_MS = 6000;

export class RoomLive {
  /** @param {string} code @param {string | null} secret @param {RoomListener} listener @param {boolean} boards */
  constructor(code, secret, listener, boards = false) {
    this.listener = listener;
    /** @type {RoomView | null} */
    this.room = null;
    /** @type {number | null} */
    this.you = null;
    /** @type {Map<string, LiveBoard>} */
    this.boards = new Map();
    this.socket = new ReconnectingSocket(`/api/rooms/${code}/socket`, PING_TIMEOUT_MS, {
      hello: () => ({ type: "hello", boards, ...(secret && { secret }) }),
      hear: (message) => this.#hear(message),
      connection: (isUp) => listener.connection(isUp),
    });
  }

  close() {
    this.socket.close();
  }

  get me() {
    return this.room?.members.find(({ number }) => number === this.you);
  }

  /** @param {RoomServerMessage} message */
  #hear(message) {
    switch (message.type) {
      case "welcome":
        return this.#welcome(message);
      case "changed":
        return this.#changed(message);
      case "match":
        return this.#match(message);
      case "board":
        return this.#board(message.match, message.message);
      case "standings":
        return this.#standings(message.lines);
      case "present":
        return this.#present(message.here);
      case "refused":
        return message.id === null ? this.listener.lost(new Refused(message)) : undefined;
      case "come_back":
        return this.socket.reconnect();
      default:
        return undefined;
    }
  }

  /** @param {import("../types.js").RoomWelcomeMessage} message */
  #welcome(message) {
    this.room = message.room;
    this.you = message.you;
    this.boards.clear();
    this.socket.welcomed();
    this.listener.welcomed();
  }

  /** A gap means that something is amiss: everything is asked for again. @param {RoomChangedMessage} message */
  #changed(message) {
    const { room } = this;
    if (!room || message.seq <= room.seq) return;
    if (message.seq !== room.seq + 1) return this.socket.reconnect();
    room.seq = message.seq;
    room.state = message.state;
    room.members = merged(room.members, message.members);
    room.meetings = merged(room.meetings, message.meetings);
    for (const { match, reason } of message.meetings) if (match && reason) this.boards.delete(match);
    this.listener.changed(message);
  }

  /** @param {import("../types.js").RoomMatchMessage} message */
  #match({ meeting, sides, match }) {
    const board = { meeting, sides, match };
    this.boards.set(match.id, board);
    this.listener.board(board, null);
  }

  /** @param {string} id @param {EventMessage} message */
  #board(id, message) {
    const board = this.boards.get(id);
    if (!board) return;
    board.match.state = message.state;
    this.listener.board(board, message);
  }

  /** @param {RoomStandingView[]} lines */
  #standings(lines) {
    if (this.room) this.room.standings = lines;
    this.listener.table();
  }

  /** @param {number[]} here */
  #present(here) {
    if (this.room) this.room.here = here;
    this.listener.table();
  }
}

/** @template {{ number: number }} T @param {T[]} all @param {T[]} changed @returns {T[]} */
function merged(all, changed) {
  const byNumber = new Map([...all, ...changed].map((one) => [one.number, one]));
  return [...byNumber.values()].toSorted((one, other) => one.number - other.number);
}
