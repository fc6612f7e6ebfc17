// One match over a socket. After a lost connection it comes back by itself and asks for what it missed, by number.
import { Refused } from "../common/api.js";
import { ReconnectingSocket } from "../common/reconnecting.js";

/** @import { AnalysisMessage, ClientMessage, DoneMessage, EventMessage, HintMessage, PongMessage, PresenceMessage, RefusedMessage, ServerMessage,
 *    WelcomeMessage } from "../types.js"
 *  @typedef {DoneMessage | AnalysisMessage | HintMessage | PongMessage} Answer to something that was asked
 *  @typedef {{ message: ClientMessage, resolve: (answer: any) => void, reject: (error: Error) => void }} Waiting
 *  @typedef {{ welcome: (message: WelcomeMessage) => void, event: (message: EventMessage) => void, presence: (message: PresenceMessage) => void,
 *    connection: (isUp: boolean) => void, lost: (error: Error) => void }} Listener */

const PING_TIMEOUT_MS = 4000;

export class Live {
  /** @type {Map<number | null, Waiting>} */
  #waiting = new Map(); // by the id of the message
  #next = 1;

  /** @param {string} id @param {string | null} secret @param {Listener} listener */
  constructor(id, secret, listener) {
    this.listener = listener;
    /** @type {number | null} */
    this.seq = null; // of the last event that was heard
    this.offset = 0; // seconds that the server's clock is ahead
    this.socket = new ReconnectingSocket(`/api/matches/${id}/socket`, PING_TIMEOUT_MS, {
      hello: () => ({ type: "hello", ...(secret && { secret }), ...(this.seq !== null && { after: this.seq }) }),
      hear: (message) => this.#hear(message),
      connection: (isUp) => listener.connection(isUp),
    });
  }

  close() {
    this.socket.close();
  }

  /** Sends when it can, and again after a lost connection: a drop carries a key, so that it is played once.
   * @template {Exclude<ClientMessage, import("../types.js").Hello>} M
   * @param {M} message @returns {Promise<M extends import("../types.js").Analyse ? AnalysisMessage : Answer>} */
  ask(message) {
    const id = this.#next++;
    const answer = new Promise((resolve, reject) =>
      this.#waiting.set(id, { message: { ...message, id }, resolve, reject }),
    );
    this.socket.send({ ...message, id });
    return answer;
  }

  // The server's time, as far as this page knows it.
  now() {
    return Date.now() / 1000 + this.offset;
  }

  /** @param {ServerMessage} message */
  #hear(message) {
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
        return this.socket.reconnect();
      default:
        return this.#take(message.id)?.resolve(message);
    }
  }

  /** @param {WelcomeMessage} message */
  #welcome(message) {
    this.offset = message.now - Date.now() / 1000;
    this.seq = message.seq;
    this.listener.welcome(message);
    this.socket.welcomed();
    for (const { message: unanswered } of this.#waiting.values()) this.socket.send(unanswered);
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
    this.socket.reconnect();
  }

  /** @param {number | null} id */
  #take(id) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
