// A socket that comes back by itself: later after each failure, and also when the server is silent for too long.

const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 5000;
const PING_MS = 3000;
const OPENING_TIMEOUT_MS = 10_000; // until the welcome
const NOT_FOUND = 4404; // the code with which a server closes a socket to what does not exist

/** @typedef {{ hello: () => object, hear: (message: any) => void, connection: (isUp: boolean) => void }} Listener
 *    `hello` makes the first message of each connection */

export class ReconnectingSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  #retryMs = FIRST_RETRY_MS;
  #retry = 0; // timers
  #heartbeat = 0;
  #openedAt = 0;
  #pingedAt = 0;
  #isPingUnanswered = false;
  #isWelcomed = false;
  #isClosed = false;
  #online = () => this.#retryNow();

  /** @param {string} path @param {number} pingTimeoutMs @param {Listener} listener */
  constructor(path, pingTimeoutMs, listener) {
    this.address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;
    this.pingTimeoutMs = pingTimeoutMs;
    this.listener = listener;
    addEventListener("online", this.#online);
    this.#open();
  }

  close() {
    this.#isClosed = true;
    removeEventListener("online", this.#online);
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    this.#socket?.close();
  }

  /** Nothing while there is no connection: `hello` and whoever is welcomed say what is needed. @param {object} message */
  send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** The server has answered the hello. */
  welcomed() {
    this.#retryMs = FIRST_RETRY_MS;
    this.listener.connection(true);
    this.#isWelcomed = true;
  }

  reconnect() {
    this.#socket?.close();
  }

  #open() {
    const socket = (this.#socket = new WebSocket(this.address));
    this.#openedAt = Date.now();
    this.#isWelcomed = this.#isPingUnanswered = false;
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => this.#beat(), PING_MS / 3);
    /** Events of an older socket are ignored. @template {Event} E @param {(event: E) => void} act @returns {(event: E) => void} */
    const current = (act) => (event) => {
      if (socket === this.#socket) act(event);
    };
    const heard = (/** @type {MessageEvent} */ { data }) => {
      this.#isPingUnanswered = false;
      this.listener.hear(JSON.parse(data));
    };
    const opened = () => this.send(this.listener.hello());
    const closed = (/** @type {CloseEvent} */ { code }) => this.#lost(code);
    socket.addEventListener("open", current(opened));
    socket.addEventListener("message", current(heard));
    socket.addEventListener("close", current(closed));
  }

  // A frozen server keeps its sockets open and says nothing: only a ping that stays unanswered tells.
  #beat() {
    const now = Date.now();
    const isSilent = this.#isWelcomed
      ? this.#isPingUnanswered && now - this.#pingedAt > this.pingTimeoutMs
      : now - this.#openedAt > OPENING_TIMEOUT_MS;
    if (isSilent) this.#giveUp();
    else if (this.#isWelcomed && !this.#isPingUnanswered && now - this.#pingedAt >= PING_MS) this.#ping(now);
  }

  /** @param {number} now */
  #ping(now) {
    this.#pingedAt = now;
    this.#isPingUnanswered = true;
    this.send({ type: "ping" });
  }

  // Closing a socket to nobody takes the browser minutes.
  #giveUp() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#lost(0);
  }

  /** @param {number} code */
  #lost(code) {
    clearInterval(this.#heartbeat);
    if (this.#isClosed || code === NOT_FOUND) return;
    this.listener.connection(false);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), this.#retryMs * (0.75 + Math.random() / 2));
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }

  #retryNow() {
    if (this.#isClosed || (this.#socket && this.#socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.#retry);
    this.#open();
  }
}
