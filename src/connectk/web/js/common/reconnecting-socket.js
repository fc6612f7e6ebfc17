// A WebSocket that reconnects with exponential backoff when the connection closes or a ping stays unanswered.

const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 5000;
const PING_INTERVAL_MS = 3000;
const OPENING_TIMEOUT_MS = 10_000; // the longest time until confirmConnected is called
const NOT_FOUND = 4404; // the server's close code for a match or room that does not exist

/** @typedef {{ createHello: () => object, onMessage: (message: any) => void, onConnectionChange: (isUp: boolean) => void }} SocketListener
 *    `hello` makes the first message of every connection */

export class ReconnectingSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  #retryMs = FIRST_RETRY_MS;
  #retryTimer = 0;
  #heartbeatTimer = 0;
  #openedAt = 0;
  #pingedAt = 0;
  #isPingUnanswered = false;
  #isWelcomed = false;
  #isClosed = false;
  #onOnline = () => this.#retryNow();

  /** @param {string} path @param {number} pingTimeoutMs @param {SocketListener} listener */
  constructor(path, pingTimeoutMs, listener) {
    this.address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;
    this.pingTimeoutMs = pingTimeoutMs;
    this.listener = listener;
    addEventListener("online", this.#onOnline);
    this.#connect();
  }

  close() {
    this.#isClosed = true;
    removeEventListener("online", this.#onOnline);
    clearTimeout(this.#retryTimer);
    clearInterval(this.#heartbeatTimer);
    closeOnceOpen(this.#socket);
    this.#socket = null;
  }

  /** Sends a message. Does nothing without a connection: after a reconnect the listener sends again what is still needed. @param {object} message */
  send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Resets the backoff; the listener calls it once the server has answered the hello. */
  confirmConnected() {
    this.#retryMs = FIRST_RETRY_MS;
    this.listener.onConnectionChange(true);
    this.#isWelcomed = true;
  }

  reconnect() {
    this.#socket?.close();
  }

  #connect() {
    const socket = (this.#socket = new WebSocket(this.address));
    this.#openedAt = Date.now();
    this.#isWelcomed = this.#isPingUnanswered = false;
    clearInterval(this.#heartbeatTimer);
    this.#heartbeatTimer = setInterval(() => this.#checkHeartbeat(), PING_INTERVAL_MS / 3);
    /** Wraps a listener so that events of an older socket are ignored. @template {Event} E @param {(event: E) => void} act @returns {(event: E) => void} */
    const ifCurrent = (act) => (event) => {
      if (socket === this.#socket) act(event);
    };
    const onMessage = (/** @type {MessageEvent} */ { data }) => {
      this.#isPingUnanswered = false;
      this.listener.onMessage(JSON.parse(data));
    };
    const onOpen = () => this.send(this.listener.createHello());
    const onClose = (/** @type {CloseEvent} */ { code }) => this.#onClose(code);
    socket.addEventListener("open", ifCurrent(onOpen));
    socket.addEventListener("message", ifCurrent(onMessage));
    socket.addEventListener("close", ifCurrent(onClose));
  }

  // Reconnects if the last ping was not answered. A server that hangs keeps its sockets open, so nothing else shows it.
  #checkHeartbeat() {
    const now = Date.now();
    const isSilent = this.#isWelcomed
      ? this.#isPingUnanswered && now - this.#pingedAt > this.pingTimeoutMs
      : now - this.#openedAt > OPENING_TIMEOUT_MS;
    if (isSilent) this.#abandonSocket();
    else if (this.#isWelcomed && !this.#isPingUnanswered && now - this.#pingedAt >= PING_INTERVAL_MS) this.#ping(now);
  }

  /** @param {number} now */
  #ping(now) {
    this.#pingedAt = now;
    this.#isPingUnanswered = true;
    this.send({ type: "ping" });
  }

  // Gives up a socket without waiting for its close event, which browsers delay by minutes if the server is gone.
  #abandonSocket() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#onClose(0);
  }

  /** @param {number} code */
  #onClose(code) {
    clearInterval(this.#heartbeatTimer);
    if (this.#isClosed || code === NOT_FOUND) return;
    this.listener.onConnectionChange(false);
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#connect(), this.#retryMs * (0.75 + Math.random() / 2));
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }

  #retryNow() {
    if (this.#isClosed || (this.#socket && this.#socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.#retryTimer);
    this.#connect();
  }
}

/** Closes a socket; one that still connects as soon as it is open, since browsers complain about a close before that. @param {WebSocket | null} socket */
function closeOnceOpen(socket) {
  if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
  else socket?.close();
}
