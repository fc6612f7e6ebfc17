// The wall of a room, for a projector: all running boards, the standings, and the latest news.
import { discIcon, h } from "../common/dom.js";
import { NetworkAccess } from "../common/network.js";
import { normalizeCode, storedRoom } from "./api.js";
import { RoomSocket } from "./room-socket.js";
import { loadRoomStyles, roomInvitation, presentMembers, smallBoard, standingsTable } from "./elements.js";
import { memberNameByNumber, eventText, resultText } from "./sentences.js";
import { bracketTable, progressText, teamScore, timeLeftText } from "./tournament.js";
import { loadTextGroup, t } from "../texts/texts.js";

/** @import { Page, Screen } from "../page-types.js"
 *  @import { ClockView, RoomChangedMessage, RoomView } from "../types.js"
 *  @import { RoomBoard, RoomListener } from "./room-socket.js" */

const CODE_WIDTH_SHARE = 0.64; // of the wall's width before the start, beside the code to scan
const CODE_HEIGHT_SHARE = 0.34;
const MAX_NEWS_LINES = 3;
const CLOCK_INTERVAL_MS = 500;
const MIN_ROW_PIXELS = 22; // the lowest row of the standings, which are shown side by side if they do not fit
const MAX_TABLES = 3; // side by side
const MAX_ROW_PIXELS = 44;
const FINISHED_BOARD_MS = 5000; // the time until the board of a finished match is removed

const FOOTER_PIXELS = 12;
const GAP_PIXELS = 16;
const NAMES_RATIO = 0.19; // the height of a board's two lines of names, relative to its width
const MIN_NAMES_PIXELS = 38;
const MIN_BOARDS_PIXELS = 320; // on a lower screen the wall scrolls

/** The largest width of a card of this height: a board, and below it two lines of names. @param {RoomBoard | undefined} board @param {number} cardHeight */
function cardWidth(board, cardHeight) {
  const { width, height } = board?.match.variant ?? { width: 7, height: 6 };
  const boardRatio = (height + 0.3) / (width + 0.3);
  return Math.min(cardHeight / (boardRatio + NAMES_RATIO), (cardHeight - MIN_NAMES_PIXELS) / boardRatio);
}

/** @param {ClockView} clock @param {"first" | "second"} side @param {number} now */
function clockText(clock, side, now) {
  const left = Math.max(0, clock[side] - (clock.running === side ? Math.max(0, now - clock.since) : 0));
  return `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
}

/** @param {Page} page @param {string[]} path @returns {Promise<Screen>} */
export async function open(page, [text = ""]) {
  await loadTextGroup("rooms");
  loadRoomStyles();
  page.panel.className = "panel wide wall";
  const screen = new WallScreen(page, normalizeCode(text));
  page.setScreen(screen);
  await screen.ready;
  return screen;
}

/** @implements {RoomListener} */
class WallScreen {
  /** @param {Page} page @param {string} code */
  constructor(page, code) {
    this.page = page;
    /** @type {Map<string, HTMLElement>} */
    this.cards = new Map();
    this.elements = {
      head: h("div.wall-head"),
      boards: h("div.wall-boards"),
      standings: h("div.stack.tight"),
      cover: h("div.wall-cover"),
      names: h("ul.wall-names", { "aria-label": t("room.people") }),
      columns: /** @type {HTMLElement | null} */ (null),
      news: h("ol.news", { "aria-live": "polite", "aria-label": t("room.news") }),
      none: h("div.stack"),
    };
    this.readyDeferred = Promise.withResolvers();
    this.ready = this.readyDeferred.promise;
    const kept = storedRoom(code);
    /** @type {Map<string, RoomBoard>} */
    this.boards = new Map();
    this.socket = new RoomSocket(code, kept?.host ?? null, this, true);
    this.network = new NetworkAccess(() => this.socket.room && this.#drawHead(this.socket.room));
    this.network.find();
    this.clockTimer = setInterval(() => this.#showClocks(), CLOCK_INTERVAL_MS);
    this.sizes = new ResizeObserver(() => this.#fillScreen());
    this.sizes.observe(document.documentElement);
  }

  close() {
    this.socket.close();
    this.sizes.disconnect();
    clearInterval(this.clockTimer);
  }

  /** Makes the room's code as large as fits, for its letters are of different widths. */
  #fitCode() {
    const { cover } = this.elements;
    const code = cover.querySelector(".room-code");
    if (!(code instanceof HTMLElement) || cover.hidden) return;
    code.style.fontSize = "100px";
    const widthRatio = code.getBoundingClientRect().width / 100;
    const share = innerWidth > innerHeight ? CODE_WIDTH_SHARE : 1; // on an upright screen the code to scan is below
    const size = Math.min((cover.clientWidth * share) / widthRatio, innerHeight * CODE_HEIGHT_SHARE);
    code.style.fontSize = `${size}px`;
  }

  // Chooses the number of columns that makes the boards largest, and the highest table rows that fit.
  #fillScreen() {
    const { boards, standings } = this.elements;
    this.#fitCode();
    const count = this.cards.size;
    const bottom = innerHeight - FOOTER_PIXELS;
    const box = boards.getBoundingClientRect();
    const height = Math.max(MIN_BOARDS_PIXELS, bottom - (box.top + scrollY));
    const board = this.boards.values().next().value;
    const widths = Array.from({ length: count }, (_, index) => {
      const columns = index + 1;
      const cardHeight = height / Math.ceil(count / columns) - GAP_PIXELS;
      return Math.min(box.width / columns - GAP_PIXELS, cardWidth(board, cardHeight));
    });
    const columns = widths.indexOf(Math.max(...widths)) + 1;
    boards.style.setProperty("--columns", String(Math.max(1, columns)));
    boards.style.setProperty("--card", `${Math.floor(widths[columns - 1] ?? 0)}px`);
    const tables = this.#tableCount();
    if (standings.querySelectorAll(".room-table").length !== tables) this.#drawStandings(tables);
    const heads = tables === 1 ? 1 : 0; // several tables have no heads
    const rows = heads + Math.ceil((this.socket.room?.standings.length ?? 0) / tables);
    const row = Math.max(1, Math.min(MAX_ROW_PIXELS, this.#tableHeight() / rows));
    standings.style.setProperty("--row", `${row}px`);
  }

  /** The height that is left for the standings, below the score of teams. */
  #tableHeight() {
    const { standings } = this.elements;
    const top = (standings.querySelector(".wall-tables") ?? standings).getBoundingClientRect().top;
    return innerHeight - FOOTER_PIXELS - (top + scrollY);
  }

  /** How many tables stand side by side, so that the whole class is in sight. */
  #tableCount() {
    const lines = this.socket.room?.standings.length ?? 0;
    const fitting = Math.max(1, Math.floor(this.#tableHeight() / MIN_ROW_PIXELS) - 1);
    return Math.max(1, Math.min(MAX_TABLES, Math.ceil(lines / fitting)));
  }

  /** @param {number} count */
  #drawStandings(count) {
    const { room } = this.socket;
    if (!room) return;
    const each = Math.ceil(room.standings.length / count) || 1;
    const tables = Array.from({ length: count }, (_, index) =>
      standingsTable(room, [index * each, (index + 1) * each]),
    );
    this.elements.standings.replaceChildren(...teamScore(room), h(`div.wall-tables.tables-${count}`, tables));
    this.elements.columns?.style.setProperty("--tables", String(count));
  }

  #showClocks() {
    this.#showProgress();
    for (const [id, { match }] of this.boards) {
      const { clock } = match.state;
      for (const element of /** @type {NodeListOf<HTMLElement>} */ (
        this.cards.get(id)?.querySelectorAll(".clock") ?? []
      )) {
        const side = element.dataset.side === "first" ? "first" : "second";
        element.textContent = clock ? clockText(clock, side, this.socket.now()) : "";
      }
    }
  }

  onWelcome() {
    const { room } = this.socket;
    if (!room) return;
    this.cards.clear();
    this.elements.boards.replaceChildren();
    this.elements.columns = h(
      "div.wall-columns",
      h("section.stack", { "aria-label": t("room.boards") }, this.elements.none, this.elements.boards),
      h("aside.stack", { "aria-label": t("room.table") }, this.elements.standings),
    );
    this.page.panel.replaceChildren(this.elements.head, this.elements.cover, this.elements.columns);
    this.#drawHead(room);
    this.onStandings();
    this.readyDeferred.resolve(this);
  }

  /** Before the start the code fills the screen, below it are the names of those who are in. @param {RoomView} room */
  #drawHead(room) {
    const { head, news, cover, columns } = this.elements;
    const { begun, closed } = room.state;
    const waits = !begun && !closed;
    const title = h(
      "div.stack.tight",
      h("h1", h("a", { href: `#/room/${room.code}` }, room.state.title || t("room.one", { code: room.code }))),
      h("p.quiet", { id: "wall-where" }, this.#progressText(room)),
    );
    const results = h("a.button", { href: `#/room/${room.code}` }, t("room.results"));
    head.replaceChildren(title, ...(waits ? [] : [news, closed ? results : roomInvitation(room.code, this.network)]));
    cover.hidden = !waits;
    if (columns) columns.hidden = waits;
    cover.replaceChildren(...(waits ? [roomInvitation(room.code, this.network), this.elements.names] : []));
    this.#fitCode();
  }

  /** Who is here, which round is played, and how much time is left. @param {RoomView} room */
  #progressText(room) {
    return `${progressText(room)} ${timeLeftText(room, this.socket.now())}`.trim();
  }

  /** @param {RoomChangedMessage} message */
  onChange(message) {
    const { room } = this.socket;
    if (!room) return;
    const words = eventText(room, message);
    if (words) this.elements.news.prepend(h("li", words));
    while (this.elements.news.children.length > MAX_NEWS_LINES) this.elements.news.lastElementChild?.remove();
    if (message.event === "scored") this.#markFinished(room, message);
    if (message.event === "closed" || message.event === "begun") this.#drawHead(room);
    this.onStandings();
  }

  /** Shows the result on the board; the board is removed later. @param {RoomView} room @param {RoomChangedMessage} message */
  #markFinished(room, { meetings: [meeting] }) {
    const id = meeting.match ?? "";
    const card = this.cards.get(id);
    if (!card) return;
    card.classList.add("over");
    card.querySelector("figcaption")?.replaceChildren(resultText(room, meeting));
    setTimeout(() => {
      card.remove();
      this.cards.delete(id);
      this.boards.delete(id);
      this.#fillScreen();
      this.#updateEmptyText();
    }, FINISHED_BOARD_MS);
  }

  /** @param {RoomBoard} board */
  onBoard(board) {
    const { room } = this.socket;
    const meeting = room?.meetings.find(({ number }) => number === board.meeting);
    if (!room || !meeting) return;
    const isExchanged = board.match.swapped !== board.match.extended;
    const [first, second] = (isExchanged ? [meeting.second, meeting.first] : [meeting.first, meeting.second]).map(
      (number) => memberNameByNumber(room, number),
    );
    const label = t("room.board", { first, second, count: board.match.state.ply });
    let card = this.cards.get(board.match.id);
    if (!card) {
      card = h("figure.wall-board");
      this.cards.set(board.match.id, card);
      this.elements.boards.append(card);
    }
    this.boards.set(board.match.id, board);
    const { turn } = board.match.state;
    /** @param {"first" | "second"} side @param {string} name */
    const player = (side, name) =>
      h(
        "span",
        { class: `player ${turn === side ? "turn" : ""}` },
        discIcon(side),
        h("span.name", name),
        h("span.clock.number", { "data-side": side }),
      );
    const names = h("figcaption", player("first", first), player("second", second));
    if (!card.classList.contains("over")) card.replaceChildren(smallBoard(board.match, label), names);
    this.#showClocks();
    this.#fillScreen();
    this.#updateEmptyText();
  }

  onStandings() {
    const { room } = this.socket;
    if (!room) return;
    const names = presentMembers(room).map(({ name }) => h("li", name));
    this.elements.names.replaceChildren(...names);
    this.#drawStandings(this.#tableCount());
    this.#showProgress();
    this.#fillScreen();
    this.#updateEmptyText();
  }

  #showProgress() {
    const { room } = this.socket;
    const where = this.elements.head.querySelector("#wall-where");
    const text = room ? this.#progressText(room) : "";
    if (where && where.textContent !== text) where.textContent = text;
  }

  /** While no game is played, says so and shows the bracket. That a room is closed stands at the top. */
  #updateEmptyText() {
    const { room } = this.socket;
    const isEmpty = room && !this.cards.size;
    const words = room?.state.closed ? [] : [h("p", t("room.wall.none"))];
    this.elements.none.replaceChildren(...(isEmpty ? [...words, ...bracketTable(room)] : []));
  }

  /** @param {boolean} isUp */
  onConnectionChange(isUp) {
    this.page.showNotice(isUp ? "" : t("room.away"), { calm: true });
  }

  /** @param {Error} error */
  onLost(error) {
    this.readyDeferred.reject(error);
  }
}
