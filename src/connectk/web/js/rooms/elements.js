// Elements of the room screens: the stylesheet, small boards, the standings, the invitation.
import { api } from "../common/api.js";
import { discsOf } from "../board/convert.js";
import { h } from "../common/dom.js";
import { Geometry, drawDisc, drawFrame, setPosition, svg } from "../board/drawing.js";
import { DISC_RADIUS } from "../common/constants.js";
import { table } from "../common/table.js";
import { memberName, memberNameByNumber } from "./sentences.js";
import { t } from "../texts/texts.js";

/** @import { MatchView, RoomStandingView, RoomView } from "../types.js" */

const QR_RETRY_MS = 2000; // the delay before a busy server is asked again
const MAX_DRAWN_CELLS = 400; // a larger board is described in words

/** Loads the stylesheet with the first screen that needs it. */
export function loadRoomStyles() {
  if (document.querySelector('link[href="/css/rooms.css"]')) return;
  document.head.append(h("link", { rel: "stylesheet", href: "/css/rooms.css" }));
}

/** A board as a small picture with a label. @param {MatchView} match @param {string} label */
export function smallBoard({ variant, state }, label) {
  if (variant.width * variant.height > MAX_DRAWN_CELLS) return h("p.quiet", label);
  const geometry = new Geometry(variant.width, variant.height);
  const { wall, frame } = drawFrame(geometry);
  const discs = discsOf(state.board).map(({ column, row, side }) => {
    const element = drawDisc(side);
    setPosition(element, geometry.x(column), geometry.y(row));
    return element;
  });
  /** @param {string} kind @param {[number, number]} cell */
  const ring = (kind, [column, row]) =>
    svg("circle", { class: kind, cx: geometry.x(column), cy: geometry.y(row), r: DISC_RADIUS - 8 });
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
    frame,
    ...won,
    ...last,
  );
}

/** The standings of a room: points, the tie-breaks if the whole table is shown, and the ratings with their error margins if
 *  there are ratings. A wall shows a part of the lines. @param {RoomView} room @param {[number, number] | null} part */
export function standingsTable(room, part = null) {
  const lines = part ? room.standings.slice(...part) : room.standings;
  const isRated = lines.some(({ elo }) => elo !== null);
  const isTied = room.format === "round_robin" && new Set(lines.map(({ points }) => points)).size < lines.length;
  const showsTies = isTied && !part;
  const points = room.format === "knockout" ? "room.table.bracket" : "room.table.points";
  const heads = ["room.table.name", points, "room.table.games", "room.table.record"];
  if (showsTies) heads.push("room.table.direct", "room.table.sonneborn_berger");
  if (isRated) heads.push("room.table.rating");
  const rows = lines.map((line) => [
    [h("span.rank", `${line.rank}. `), memberNameByNumber(room, line.member), teamLabel(room, line.member)],
    line.streak
      ? [pointsText(line.points), h("abbr.streak", { title: t("room.table.streak") }, " ×2")]
      : pointsText(line.points),
    line.games,
    `${line.wins}–${line.draws}–${line.losses}`,
    ...(showsTies ? [pointsText(line.direct), String(line.sonneborn_berger)] : []),
    ...(isRated ? [ratingCells(line)] : []),
  ]);
  const drawn = table(
    t("room.table"),
    heads.map((key) => t(key)),
    rows,
  );
  drawn.classList.add("room-table");
  return drawn;
}

/** @param {RoomView} room @param {number} number */
function teamLabel(room, number) {
  const team = room.members[number - 1]?.team ?? null;
  return team === null ? null : h("span.quiet.small", ` ${room.teams[team - 1]?.name ?? ""}`);
}

/** After few games a rating is a guess, which a question mark says. @param {RoomStandingView} line */
function ratingCells({ elo, margin, provisional }) {
  if (elo === null) return [""];
  const doubt = provisional
    ? h("abbr.quiet.small", { title: t("room.table.provisional") }, " ?")
    : margin
      ? h("span.quiet.small", ` ± ${Math.round(margin)}`)
      : null;
  return [`${Math.round(elo)}`, doubt];
}

/** @param {number} points */
export const pointsText = (points) => (points % 1 ? `${Math.floor(points) || ""}½` : String(points));

/** A word that says what a member is or does. @param {import("../types.js").MemberView} member @param {RoomView} room */
export function memberStatus(member, room) {
  if (member.left) return t("room.member.left");
  if (member.waiting) return t("room.member.waiting");
  if (member.away) return t("room.member.away");
  if (room.meetings.some(({ first, second, reason }) => reason === null && [first, second].includes(member.number)))
    return t("room.member.plays");
  if (member.kind === "level") return t("room.member.level");
  if (!room.here.includes(member.number)) return t("room.member.gone");
  if (member.host) return t("room.member.host");
  return t(member.kind === "bot" ? "room.member.bot" : "room.member.here");
}

/** Everyone who is in, and those who wait for the host if they are to be shown. @param {RoomView} room */
export const presentMembers = (room, withWaiting = false) =>
  room.members
    .filter(({ left, waiting }) => !left && (withWaiting || !waiting))
    .map((member) => ({ member, name: memberName(member) }));

/** Everyone whose name is still there, also those who have left. @param {RoomView} room */
export const namedMembers = (room) =>
  room.members
    .filter(({ name, number }) => name !== `#${number}`)
    .map((member) => ({ member, name: memberName(member) }));

/** @param {HTMLElement} place @param {string} address */
async function drawQrCode(place, address, tries = 3) {
  try {
    const drawn = new DOMParser().parseFromString(await api.qr(address), "image/svg+xml").documentElement;
    place.replaceChildren(document.importNode(drawn, true));
  } catch {
    if (tries > 1) setTimeout(() => drawQrCode(place, address, tries - 1), QR_RETRY_MS);
    else place.remove(); // the room's code and the link are enough
  }
}

/** The room's code in large letters, the link, and a QR code; and a warning if others cannot open the link.
 *  @param {string} code @param {import("../common/network.js").NetworkAccess} network */
export function roomInvitation(code, { origin, warning }) {
  const address = `${origin}/#/room/${code}`;
  const picture = h("div.qr", { role: "img", "aria-label": t("room.qr") });
  drawQrCode(picture, address);
  return h(
    "div.room-invitation",
    h(
      "div.stack.tight",
      h("p.quiet", t("room.code_lead", { address: new URL(address).host })),
      h("p.room-code", code),
      h("p.small", h("a", { href: address }, address)),
      warning && h("p.small.bad", warning),
    ),
    picture,
  );
}
