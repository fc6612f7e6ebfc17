// The wall: all boards of a room live on one projected screen, the table, and what is happening now in words.
import { h } from "../common/dom.js";
import { readCode, keptRoom } from "./api.js";
import { RoomLive } from "./live.js";
import { dressRooms, invitationTo, peopleIn, smallBoard, tableOf } from "./look.js";
import { nameIn, newsOf, scoredNews } from "./words.js";
import { loadMore, t } from "../texts/texts.js";

/** @import { Page, Screen } from "../shapes.js"
 *  @import { RoomChangedMessage, RoomView } from "../types.js"
 *  @import { LiveBoard, RoomListener } from "./live.js" */

const MOST_LINES = 16;
const MOST_NEWS = 6;
const STAY_MS = 5000; // for which a board that is over is still shown

/** @param {Page} page @param {string[]} path @returns {Promise<Screen>} */
export async function open(page, [text = ""]) {
  await loadMore("rooms");
  dressRooms();
  page.panel.className = "panel wide wall";
  const screen = new Wall(page, readCode(text));
  page.opens(screen);
  await screen.ready;
  return screen;
}

/** @implements {RoomListener} */
class Wall {
  /** @param {Page} page @param {string} code */
  constructor(page, code) {
    this.page = page;
    /** @type {Map<string, HTMLElement>} */
    this.cards = new Map();
    this.part = {
      head: h("div.wall-head"),
      boards: h("div.wall-boards"),
      table: h("div"),
      news: h("ol.news", { "aria-live": "polite", "aria-label": t("room.news") }),
      none: h("p.quiet"),
    };
    this.opening = Promise.withResolvers();
    this.ready = this.opening.promise;
    const kept = keptRoom(code);
    this.live = new RoomLive(code, kept?.host ?? null, this, true);
  }

  close() {
    this.live.close();
  }

  welcomed() {
    const { room } = this.live;
    if (!room) return;
    this.cards.clear();
    this.part.boards.replaceChildren();
    this.page.panel.replaceChildren(
      this.part.head,
      h(
        "div.wall-columns",
        h("section.stack", { "aria-label": t("room.boards") }, this.part.none, this.part.boards),
        h("aside.stack", { "aria-label": t("room.table") }, this.part.news, this.part.table),
      ),
    );
    this.#drawHead(room);
    this.table();
    this.opening.resolve(this);
  }

  /** @param {RoomView} room */
  #drawHead(room) {
    const title = h(
      "div.stack.tight",
      h("h1", room.state.title || t("room.one", { code: room.code })),
      h("p.quiet", { id: "wall-where" }, this.#where(room)),
    );
    this.part.head.replaceChildren(
      title,
      ...(room.state.closed
        ? [h("a.button", { href: `#/room/${room.code}` }, t("room.results"))]
        : [invitationTo(room.code)]),
    );
  }

  /** How far it is. @param {RoomView} room */
  #where(room) {
    const people = t("room.count", { count: peopleIn(room).length });
    if (room.state.closed) return t("room.now.closed");
    if (!room.state.begun) return `${people} ${t("room.wall.waits")}`;
    const round =
      room.format === "swiss"
        ? t("room.news.round", { round: room.state.round, rounds: room.rounds })
        : t(`room.format.${room.format}`);
    return `${people} ${round}`;
  }

  /** @param {RoomChangedMessage} message */
  changed(message) {
    const { room } = this.live;
    if (!room) return;
    const words = newsOf(room, message);
    if (words) this.part.news.prepend(h("li", words));
    while (this.part.news.children.length > MOST_NEWS) this.part.news.lastElementChild?.remove();
    if (message.event === "scored") this.#over(room, message);
    if (message.event === "closed" || message.event === "begun") this.#drawHead(room);
    this.table();
  }

  /** The board stays for a moment, with its result. @param {RoomView} room @param {RoomChangedMessage} message */
  #over(room, { meetings: [meeting] }) {
    const id = meeting.match ?? "";
    const card = this.cards.get(id);
    if (!card) return;
    card.classList.add("over");
    card.querySelector("figcaption")?.replaceChildren(scoredNews(room, meeting));
    setTimeout(() => {
      card.remove();
      this.cards.delete(id);
      this.#none();
    }, STAY_MS);
  }

  /** @param {LiveBoard} board */
  board(board) {
    const { room } = this.live;
    const meeting = room?.meetings.find(({ number }) => number === board.meeting);
    if (!room || !meeting) return;
    const first = nameIn(room, meeting.first);
    const second = nameIn(room, meeting.second);
    const label = t("room.board", { first, second, count: board.match.state.ply });
    let card = this.cards.get(board.match.id);
    if (!card) {
      card = h("figure.wall-board");
      this.cards.set(board.match.id, card);
      this.part.boards.append(card);
    }
    const turn = board.match.state.side_to_move;
    const names = h(
      "figcaption",
      h("span", { class: turn === "first" ? "turn" : "" }, first),
      " – ",
      h("span", { class: turn === "second" ? "turn" : "" }, second),
    );
    if (!card.classList.contains("over")) card.replaceChildren(smallBoard(board.match, label), names);
    this.#none();
  }

  table() {
    const { room } = this.live;
    if (!room) return;
    this.part.table.replaceChildren(tableOf(room, MOST_LINES));
    const where = this.part.head.querySelector("#wall-where");
    if (where) where.textContent = this.#where(room);
    this.#none();
  }

  #none() {
    const { room } = this.live;
    this.part.none.textContent =
      this.cards.size || !room
        ? ""
        : t(room.state.closed ? "room.now.closed" : room.state.begun ? "room.wall.none" : "room.wall.waits");
  }

  /** @param {boolean} isUp */
  connection(isUp) {
    this.page.notice(isUp ? "" : t("room.away"), { calm: true });
  }

  /** @param {Error} error */
  lost(error) {
    this.opening.reject(error);
  }
}
