// A match over a WebSocket. After a reconnect the page asks for the events after the last event that it received.
import { RefusedError } from "../common/api.js";
import { ReconnectingSocket } from "../common/reconnecting-socket.js";

/** @import { AnalysisMessage, ClientMessage, DoneMessage, EventMessage, HintMessage, PongMessage, PresenceMessage, RefusedMessage, SaidMessage, ServerMessage,
 *    WelcomeMessage } from "../types.js"
 *  @typedef {DoneMessage | AnalysisMessage | HintMessage | PongMessage} Answer to a request
 *  @typedef {{ message: ClientMessage, resolve: (answer: any) => void, reject: (error: Error) => void }} PendingRequest
 *  @typedef {{ onWelcome: (message: WelcomeMessage) => void, onEvent: (message: EventMessage) => void, onPresence: (message: PresenceMessage) => void,
 *    onSaid: (message: SaidMessage) => void, onConnectionChange: (isUp: boolean) => void, onLost: (error: Error) => void }} SocketListener */

const PING_TIMEOUT_MS = 4000;

export class MatchSocket {
  /** @type {Map<number | null, PendingRequest>} */
  #pending = new Map(); // by the id of the message
  #nextId = 1;

  /** @param {string} id @param {string | null} secret @param {SocketListener} listener */
  constructor(id, secret, listener) {
    this.listener = listener;
    /** @type {number | null} */
    this.seq = null; // the number of the last event that was received
    this.offset = 0; // seconds by which the server's clock is ahead
    this.socket = new ReconnectingSocket(`/api/matches/${id}/socket`, PING_TIMEOUT_MS, {
      createHello: () => ({ type: "hello", ...(secret && { secret }), ...(this.seq !== null && { after: this.seq }) }),
      onMessage: (message) => this.#onMessage(message),
      onConnectionChange: (isUp) => listener.onConnectionChange(isUp),
    });
  }

  close() {
    this.socket.close();
  }

  /** Sends a message, and sends it again after a reconnect. The key of a drop makes sure that the drop is played only once.
   * @template {Exclude<ClientMessage, import("../types.js").HelloCommand>} M
   * @param {M} message @returns {Promise<M extends import("../types.js").AnalyseCommand ? AnalysisMessage : Answer>} */
  request(message) {
    const id = this.#nextId++;
    const answer = new Promise((resolve, reject) =>
      this.#pending.set(id, { message: { ...message, id }, resolve, reject }),
    );
    this.socket.send({ ...message, id });
    return answer;
  }

  /** The server's time in seconds, as estimated here. */
  now() {
    return Date.now() / 1000 + this.offset;
  }

  /** @param {ServerMessage} message */
  #onMessage(message) {
    switch (message.type) {
      case "welcome":
        return this.#welcome(message);
      case "event":
        return this.#event(message);
      case "presence":
        return this.listener.onPresence(message);
      case "refused":
        return this.#refused(message);
      case "said":
        return this.listener.onSaid(message);
      case "come_back":
        return this.socket.reconnect();
      default:
        return this.#takePending(message.id)?.resolve(message);
    }
  }

  /** @param {WelcomeMessage} message */
  #welcome(message) {
    this.offset = message.now - Date.now() / 1000;
    this.seq = message.seq;
    this.listener.onWelcome(message);
    this.socket.confirmConnected();
    for (const { message: unanswered } of this.#pending.values()) this.socket.send(unanswered);
  }

  /** Passes on each event once and in order; after a gap the whole match is requested again. @param {EventMessage} message */
  #event(message) {
    const last = this.seq ?? 0;
    if (message.seq <= last) return;
    if (message.seq !== last + 1) return void this.resync();
    this.seq = message.seq;
    this.listener.onEvent(message);
  }

  /** @param {RefusedMessage} message */
  #refused(message) {
    const waiting = this.#takePending(message.id);
    if (waiting) waiting.reject(new RefusedError(message));
    else if (message.reason === "not_found") this.listener.onLost(new RefusedError(message));
  }

  resync() {
    this.seq = null;
    this.socket.reconnect();
  }

  /** @param {number | null} id */
  #takePending(id) {
    const waiting = this.#pending.get(id);
    this.#pending.delete(id);
    return waiting;
  }
}
