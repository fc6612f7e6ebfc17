// A room over a WebSocket. After a reconnect the server sends the whole room again.
import { RefusedError } from "../common/api.js";
import { ReconnectingSocket } from "../common/reconnecting-socket.js";

/** @import { EventMessage, MatchView, RoomChangedMessage, RoomServerMessage, RoomView } from "../types.js"
 *  @import { Side } from "../page-types.js"
 *  @typedef {{ meeting: number, sides: Side[], match: MatchView }} RoomBoard
 *  @typedef {{ onWelcome: () => void, onChange: (message: RoomChangedMessage) => void, onBoard: (board: RoomBoard, message: EventMessage | null) => void,
 *    onStandings: () => void, onConnectionChange: (isUp: boolean) => void, onLost: (error: Error) => void }} RoomListener */

const PING_TIMEOUT_MS = 6000;

export class RoomSocket {
  /** @param {string} code @param {string | null} secret @param {RoomListener} listener @param {boolean} boards */
  constructor(code, secret, listener, boards = false) {
    this.listener = listener;
    /** @type {RoomView | null} */
    this.room = null;
    /** @type {number | null} */
    this.memberNumber = null;
    this.offset = 0; // seconds by which the server's clock is ahead
    /** @type {Map<string, RoomBoard>} */
    this.boards = new Map();
    this.socket = new ReconnectingSocket(`/api/rooms/${code}/socket`, PING_TIMEOUT_MS, {
      createHello: () => ({ type: "hello", boards, ...(secret && { secret }) }),
      onMessage: (message) => this.#onMessage(message),
      onConnectionChange: (isUp) => listener.onConnectionChange(isUp),
    });
  }

  close() {
    this.socket.close();
  }

  /** The server's time in seconds, as estimated here. */
  now() {
    return Date.now() / 1000 + this.offset;
  }

  get me() {
    return this.room?.members.find(({ number }) => number === this.memberNumber);
  }

  /** @param {RoomServerMessage} message */
  #onMessage(message) {
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
        return this.#standings(message);
      case "present":
        return this.#present(message.here);
      case "refused":
        return message.id === null ? this.listener.onLost(new RefusedError(message)) : undefined;
      case "come_back":
        return this.socket.reconnect();
      default:
        return undefined;
    }
  }

  /** @param {import("../types.js").RoomWelcomeMessage} message */
  #welcome(message) {
    this.room = message.room;
    this.memberNumber = message.you;
    this.offset = message.now - Date.now() / 1000;
    this.boards.clear();
    this.socket.confirmConnected();
    this.listener.onWelcome();
  }

  /** After a gap in the numbers the whole room is requested again. @param {RoomChangedMessage} message */
  #changed(message) {
    const { room } = this;
    if (!room || message.seq <= room.seq) return;
    if (message.seq !== room.seq + 1) return this.socket.reconnect();
    room.seq = message.seq;
    room.state = message.state;
    room.members = merged(room.members, message.members);
    room.meetings = merged(room.meetings, message.meetings);
    for (const { match, reason } of message.meetings) if (match && reason) this.boards.delete(match);
    this.listener.onChange(message);
  }

  /** @param {import("../types.js").RoomMatchMessage} message */
  #match({ meeting, sides, match }) {
    const board = { meeting, sides, match };
    this.boards.set(match.id, board);
    this.listener.onBoard(board, null);
  }

  /** @param {string} id @param {EventMessage} message */
  #board(id, message) {
    const board = this.boards.get(id);
    if (!board) return;
    board.match.state = message.state;
    if (message.event === "swapped" || message.event === "extended") board.match[message.event] = true;
    this.listener.onBoard(board, message);
  }

  /** @param {import("../types.js").StandingsMessage} message */
  #standings({ lines, teams, bracket }) {
    if (this.room) Object.assign(this.room, { standings: lines, teams, bracket });
    this.listener.onStandings();
  }

  /** @param {number[]} here */
  #present(here) {
    if (this.room) this.room.here = here;
    this.listener.onStandings();
  }
}

/** @template {{ number: number }} T @param {T[]} all @param {T[]} changed @returns {T[]} */
function merged(all, changed) {
  const byNumber = new Map([...all, ...changed].map((one) => [one.number, one]));
  return [...byNumber.values()].toSorted((one, other) => one.number - other.number);
}
