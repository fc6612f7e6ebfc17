// What happens in a room, and who is in it, in words. The texts come with the screens of rooms.
import { levelName } from "../texts/levels.js";
import { t } from "../texts/texts.js";

/** @import { MeetingView, MemberView, RoomChangedMessage, RoomView } from "../types.js" */

/** @param {MemberView | undefined} member */
export function memberName(member) {
  const level = /^level:(\d+)$/.exec(member?.player ?? "");
  return level ? t("room.level", { level: level[1], name: levelName(level[1]) }) : (member?.name ?? "");
}

/** @param {RoomView} room @param {number | null} number */
export const nameIn = (room, number) => memberName(room.members.find((member) => member.number === number));

/** What has just happened, in a sentence; nothing for what nobody need hear. @param {RoomView} room @param {RoomChangedMessage} message */
export function newsOf(room, message) {
  const name = nameIn(room, message.by);
  switch (message.event) {
    case "joined":
      return t("room.news.joined", { name });
    case "left":
      return t("room.news.left", { name });
    case "returned":
      return t("room.news.returned", { name });
    case "challenged":
      return t("room.news.challenged", { name, other: nameIn(room, message.to) });
    case "declined":
      return t("room.news.declined", { name, other: nameIn(room, message.to) });
    case "begun":
      return t("room.news.begun");
    case "closed":
      return t("room.news.closed");
    case "paired":
      return pairedNews(room, message);
    case "scored":
      return scoredNews(room, message.meetings[0]);
    default:
      return "";
  }
}

/** @param {RoomView} room @param {RoomChangedMessage} message */
function pairedNews(room, { meetings, byes, state }) {
  const played = meetings.filter(({ match }) => match);
  const rests = byes.length
    ? ` ${t("room.news.bye", { name: byes.map((number) => nameIn(room, number)).join(", ") })}`
    : "";
  if (room.format === "swiss") return t("room.news.round", { round: state.round, rounds: room.rounds }) + rests;
  if (played.length === 1)
    return t("room.news.pair", { first: nameIn(room, played[0].first), second: nameIn(room, played[0].second) });
  return t("room.news.pairs", { count: played.length });
}

/** How a meeting ended. @param {RoomView} room @param {MeetingView} meeting */
export function scoredNews(room, meeting) {
  const { first, second, winner, reason } = meeting;
  if (reason === "void") return t("room.news.void", { first: nameIn(room, first), second: nameIn(room, second) });
  if (winner === null) return t("room.news.draw", { first: nameIn(room, first), second: nameIn(room, second) });
  const facts = { winner: nameIn(room, winner), loser: nameIn(room, winner === first ? second : first) };
  return t(meeting.no_show || !meeting.match ? "room.news.no_show" : "room.news.won", facts);
}
