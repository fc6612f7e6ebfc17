// One room over its socket. After a lost connection it comes back by itself and is told everything anew.
import { Refused } from "../common/api.js";

/** @import { EventMessage, MatchView, RoomChangedMessage, RoomServerMessage, RoomView, RoomStandingView } from "../types.js"
 *  @import { Side } from "../shapes.js"
 *  @typedef {{ meeting: number, sides: Side[], match: MatchView }} LiveBoard
 *  @typedef {{ welcomed: () => void, changed: (message: RoomChangedMessage) => void, board: (board: LiveBoard, message: EventMessage | null) => void,
 *    table: () => void, connection: (isUp: boolean) => void, lost: (error: Error) => void }} RoomListener */

const FIRST_REST = 300;
const LONGEST_REST = 5000;
const PING_MS = 3000;
const SILENCE_MS = 9000; // nothing heard for so long means that nobody is there
const NOT_FOUND = 4404;

export class RoomLive {
  /** @type {WebSocket | null} */
  #socket = null;
  #rest = FIRST_REST;
  #timer = 0;
  #ping = 0;
  #heard = 0;
  #closed = false;

  /** @param {string} code @param {string | null} secret @param {RoomListener} listener @param {boolean} boards */
  constructor(code, secret, listener, boards = false) {
    this.code = code;
    this.secret = secret;
    this.wantsAll = boards;
    this.listener = listener;
    /** @type {RoomView | null} */
    this.room = null;
    /** @type {number | null} */
    this.you = null;
    this.watching = 0;
    /** @type {Map<string, LiveBoard>} */
    this.boards = new Map();
    this.#open();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#ping);
    this.#socket?.close();
  }

  get me() {
    return this.room?.members.find(({ number }) => number === this.you);
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = (this.#socket = new WebSocket(`${scheme}//${location.host}/api/rooms/${this.code}/socket`));
    this.#heard = Date.now();
    clearInterval(this.#ping);
    this.#ping = setInterval(() => this.#beat(socket), PING_MS);
    socket.addEventListener("open", () =>
      socket.send(
        JSON.stringify({ type: "hello", boards: this.wantsAll, ...(this.secret && { secret: this.secret }) }),
      ),
    );
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    });
  }

  /** @param {WebSocket} socket */
  #beat(socket) {
    if (Date.now() - this.#heard > SILENCE_MS) this.#giveUp(socket);
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ping" }));
  }

  /** A socket to nobody would take minutes to close by itself. @param {WebSocket} socket */
  #giveUp(socket) {
    this.#socket = null;
    socket.close();
    this.#lost(0);
  }

  /** @param {RoomServerMessage} message */
  #hear(message) {
    this.#heard = Date.now();
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
        return this.#present(message.here, message.watching);
      case "refused":
        return message.id === null ? this.listener.lost(new Refused(message)) : undefined;
      case "come_back":
        return this.#socket?.close();
      default:
        return undefined;
    }
  }

  /** @param {import("../types.js").RoomWelcomeMessage} message */
  #welcome(message) {
    this.#rest = FIRST_REST;
    this.room = message.room;
    this.you = message.you;
    this.boards.clear();
    this.listener.connection(true);
    this.listener.welcomed();
  }

  /** A gap means that something is amiss: everything is asked for again. @param {RoomChangedMessage} message */
  #changed(message) {
    const { room } = this;
    if (!room || message.seq <= room.seq) return;
    if (message.seq !== room.seq + 1) return void this.#socket?.close();
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

  /** @param {number[]} here @param {number} watching */
  #present(here, watching) {
    if (this.room) this.room.here = here;
    this.watching = watching;
    this.listener.table();
  }

  /** @param {number} code */
  #lost(code) {
    clearInterval(this.#ping);
    if (this.#closed || code === NOT_FOUND) return;
    this.listener.connection(false);
    this.#timer = setTimeout(() => this.#open(), this.#rest * (0.75 + Math.random() / 2));
    this.#rest = Math.min(2 * this.#rest, LONGEST_REST);
  }
}

/** @template {{ number: number }} T @param {T[]} all @param {T[]} changed @returns {T[]} */
function merged(all, changed) {
  const byNumber = new Map([...all, ...changed].map((one) => [one.number, one]));
  return [...byNumber.values()].toSorted((one, other) => one.number - other.number);
}
