// One match over a socket. After a lost connection it comes back by itself and asks for what it missed, by number.
import { Refused } from "../common/api.js";

/** @import { AnalysisMessage, ClientMessage, DoneMessage, EventMessage, HintMessage, PongMessage, PresenceMessage, RefusedMessage, ServerMessage,
 *    WelcomeMessage } from "../types.js"
 *  @typedef {DoneMessage | AnalysisMessage | HintMessage | PongMessage} Answer to something that was asked
 *  @typedef {{ message: ClientMessage, resolve: (answer: any) => void, reject: (error: Error) => void }} Waiting
 *  @typedef {{ welcome: (message: WelcomeMessage) => void, event: (message: EventMessage) => void, presence: (message: PresenceMessage) => void,
 *    connection: (isUp: boolean) => void, lost: (error: Error) => void }} Listener */

const FIRST_REST = 300;
const LONGEST_REST = 5000;
const PING_MS = 3000;
const SILENCE_MS = 4000; // an unanswered ping for so long means that nobody is there
const OPENING_MS = 10_000; // a socket that is not welcomed by then is given up
const NOT_FOUND = 4404;

export class Live {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<number | null, Waiting>} */
  #waiting = new Map(); // by the id of the message
  #next = 1;
  #rest = FIRST_REST;
  #timer = 0;
  #ping = 0;
  /** @type {number | null} */
  #pinged = null; // when the ping that is unanswered was sent
  #opened = 0; // when the socket was asked for
  #asked = 0; // when the last ping was sent
  #welcomed = false;
  #closed = false;

  /** @param {string} id @param {string | null} secret @param {Listener} listener */
  constructor(id, secret, listener) {
    this.id = id;
    this.secret = secret;
    this.listener = listener;
    /** @type {number | null} */
    this.seq = null; // of the last event that was heard
    this.offset = 0; // seconds that the server's clock is ahead
    this.online = () => this.#now();
    addEventListener("online", this.online);
    this.#open();
  }

  close() {
    this.#closed = true;
    removeEventListener("online", this.online);
    clearTimeout(this.#timer);
    clearInterval(this.#ping);
    this.#socket?.close();
  }

  /** Sends when it can, and again after a lost connection: a drop carries a key, so that it is played once.
   * @template {Exclude<ClientMessage, import("../types.js").Hello>} M
   * @param {M} message @returns {Promise<M extends import("../types.js").Analyse ? AnalysisMessage : Answer>} */
  ask(message) {
    const id = this.#next++;
    const answer = new Promise((resolve, reject) =>
      this.#waiting.set(id, { message: { ...message, id }, resolve, reject }),
    );
    this.#send({ ...message, id });
    return answer;
  }

  // The server's time, as far as this page knows it.
  now() {
    return Date.now() / 1000 + this.offset;
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = (this.#socket = new WebSocket(`${scheme}//${location.host}/api/matches/${this.id}/socket`));
    this.#opened = Date.now();
    this.#welcomed = false;
    this.#pinged = null;
    clearInterval(this.#ping);
    this.#ping = setInterval(() => this.#beat(), PING_MS / 3);
    /** An older one has no say. @template {Event} E @param {(event: E) => void} act @returns {(event: E) => void} */
    const current = (act) => (event) => {
      if (socket === this.#socket) act(event);
    };
    socket.addEventListener(
      "open",
      current(() =>
        this.#send({
          type: "hello",
          ...(this.secret && { secret: this.secret }),
          ...(this.seq !== null && { after: this.seq }),
        }),
      ),
    );
    socket.addEventListener(
      "message",
      current((event) => this.#hear(JSON.parse(event.data))),
    );
    socket.addEventListener(
      "close",
      current((event) => this.#lost(event.code)),
    );
  }

  /** @param {ClientMessage} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  // A frozen server keeps its sockets open and says nothing: only a ping that stays unanswered tells.
  #beat() {
    const now = Date.now();
    const silent = this.#welcomed
      ? this.#pinged !== null && now - this.#pinged > SILENCE_MS
      : now - this.#opened > OPENING_MS;
    if (silent) return this.#giveUp();
    if (this.#welcomed && this.#pinged === null && now - this.#asked >= PING_MS) {
      this.#pinged = this.#asked = now;
      this.#send({ type: "ping" });
    }
    return undefined;
  }

  // A socket to nobody would take minutes to close by itself.
  #giveUp() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#lost(0);
  }

  /** @param {ServerMessage} message */
  #hear(message) {
    this.#pinged = null;
    switch (message.type) {
      case "welcome":
        return this.#welcome(message);
      case "event":
        return this.#event(message);
      case "presence":
        return this.listener.presence(message);
      case "refused":
        return this.#refused(message);
      case "come_back":
        return this.#socket?.close();
      default:
        return this.#take(message.id)?.resolve(message);
    }
  }

  /** @param {WelcomeMessage} message */
  #welcome(message) {
    this.#rest = FIRST_REST;
    this.offset = message.now - Date.now() / 1000;
    this.seq = message.seq;
    this.listener.welcome(message);
    this.listener.connection(true);
    this.#welcomed = true;
    for (const { message: unanswered } of this.#waiting.values()) this.#send(unanswered);
  }

  /** Each event once and in order; a gap means that something is amiss, and the whole match is asked for again. @param {EventMessage} message */
  #event(message) {
    const last = this.seq ?? 0;
    if (message.seq <= last) return;
    if (message.seq !== last + 1) return void this.resync();
    this.seq = message.seq;
    this.listener.event(message);
  }

  /** @param {RefusedMessage} message */
  #refused(message) {
    const waiting = this.#take(message.id);
    if (waiting) waiting.reject(new Refused(message));
    else if (message.reason === "not_found") this.listener.lost(new Refused(message));
  }

  resync() {
    this.seq = null;
    this.#socket?.close();
  }

  /** @param {number | null} id */
  #take(id) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** @param {number} code */
  #lost(code) {
    clearInterval(this.#ping);
    if (this.#closed || code === NOT_FOUND) return;
    this.listener.connection(false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), this.#rest * (0.75 + Math.random() / 2));
    this.#rest = Math.min(2 * this.#rest, LONGEST_REST);
  }

  #now() {
    if (this.#closed || (this.#socket && this.#socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.#timer);
    this.#open();
  }
}
