// What rooms look like beyond the page's own: their sheet of styles, small boards, the table, the code to project.
import { api } from "../common/api.js";
import { discsOf } from "../board/boards.js";
import { h } from "../common/dom.js";
import { Geometry, disc, frameOf, moveTo, svg } from "../board/drawing.js";
import { RADIUS } from "../common/constants.js";
import { table } from "../common/table.js";
import { memberName, nameIn } from "./words.js";
import { t } from "../texts/texts.js";

/** @import { MatchView, RoomView } from "../types.js" */

const AGAIN_MS = 2000; // until a busy server is asked again
const MOST_CELLS = 400; // a larger board is told in words

/** The styles come with the first screen that needs them. */
export function dressRooms() {
  if (document.querySelector('link[href="/css/rooms.css"]')) return;
  document.head.append(h("link", { rel: "stylesheet", href: "/css/rooms.css" }));
}

/** A board as a picture, drawn anew with every disc: it is small, and says what it shows. @param {MatchView} match @param {string} label */
export function smallBoard({ variant, state }, label) {
  if (variant.width * variant.height > MOST_CELLS) return h("p.quiet", label);
  const geometry = new Geometry(variant.width, variant.height);
  const { wall, depth, frame } = frameOf(geometry);
  const discs = discsOf(state.board).map(({ column, row, side }) => {
    const element = disc(side);
    moveTo(element, geometry.x(column), geometry.y(row));
    return element;
  });
  /** @param {string} kind @param {[number, number]} cell */
  const ring = (kind, [column, row]) =>
    svg("circle", { class: kind, cx: geometry.x(column), cy: geometry.y(row), r: RADIUS - 8 });
  const won = state.winning_lines.flat().map((cell) => ring("won", cell));
  const last = state.last_drop && !won.length ? [ring("last", state.last_drop)] : [];
  return svg(
    "svg",
    {
      class: "small-board",
      role: "img",
      "aria-label": label,
      viewBox: geometry.viewBox(geometry.frameTop - 4, geometry.frameBottom + 8),
    },
    wall,
    ...discs,
    depth,
    frame,
    ...won,
    ...last,
  );
}

/** The table of a room: points, and ratings with how far they can be trusted where there are any. @param {RoomView} room @param {number} most */
export function tableOf(room, most = Infinity) {
  const lines = room.standings.slice(0, most);
  const isRated = lines.some(({ elo }) => elo !== null);
  const heads = ["room.table.name", "room.table.points", "room.table.games", "room.table.record"];
  if (isRated) heads.push("room.table.rating");
  const rows = lines.map(({ rank, member, points, games, wins, draws, losses, elo, margin }) => [
    [h("span.rank", `${rank}. `), nameIn(room, member)],
    half(points),
    games,
    `${wins}–${draws}–${losses}`,
    ...(isRated ? [rating(elo, margin)] : []),
  ]);
  const drawn = table(
    t("room.table"),
    heads.map((key) => t(key)),
    rows,
  );
  drawn.classList.add("room-table");
  return drawn;
}

/** @param {number | null} elo @param {number | null} margin */
const rating = (elo, margin) => [
  elo === null ? "" : `${Math.round(elo)}`,
  margin ? h("span.quiet.small", ` ± ${Math.round(margin)}`) : null,
];

/** @param {number} points */
const half = (points) => (points % 1 ? `${Math.floor(points) || ""}½` : String(points));

/** Who is there, each with a word on what they are. @param {import("../types.js").MemberView} member @param {RoomView} room */
export function memberWords(member, room) {
  if (member.away) return t("room.member.away");
  if (room.meetings.some(({ first, second, reason }) => reason === null && [first, second].includes(member.number)))
    return t("room.member.plays");
  if (member.kind === "level") return t("room.member.level");
  if (!room.here.includes(member.number)) return t("room.member.gone");
  return t(member.kind === "bot" ? "room.member.bot" : "room.member.here");
}

/** @param {RoomView} room */
export const peopleIn = (room) =>
  room.members.filter(({ left }) => !left).map((member) => ({ member, name: memberName(member) }));

/** @param {HTMLElement} place @param {string} address */
async function drawCode(place, address, tries = 3) {
  try {
    const drawn = new DOMParser().parseFromString(await api.qr(address), "image/svg+xml").documentElement;
    place.replaceChildren(document.importNode(drawn, true));
  } catch {
    if (tries > 1) setTimeout(() => drawCode(place, address, tries - 1), AGAIN_MS);
    else place.remove(); // the code and the link are enough
  }
}

/** The code in large letters, the link, and the same to scan. @param {string} code @param {string} origin */
export function invitationTo(code, origin = location.origin) {
  const address = `${origin}/#/room/${code}`;
  const picture = h("div.qr", { role: "img", "aria-label": t("room.qr") });
  drawCode(picture, address);
  return h(
    "div.room-invitation",
    h(
      "div.stack.tight",
      h("p.quiet", t("room.code_lead", { address: new URL(address).host })),
      h("p.room-code", code),
      h("p.small", h("a", { href: address }, address)),
    ),
    picture,
  );
}
