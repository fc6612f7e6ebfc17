// Sentences about a room: its members and what happens. The screens of rooms load the texts.
import { levelName } from "../texts/levels.js";
import { t } from "../texts/texts.js";

/** @import { MeetingView, MemberView, RoomChangedMessage, RoomView } from "../types.js" */

/** @param {MemberView | undefined} member */
export function memberName(member) {
  const level = /^level:(\d+)$/.exec(member?.player ?? "");
  return level ? t("room.level", { level: level[1], name: levelName(level[1]) }) : (member?.name ?? "");
}

/** @param {RoomView} room @param {number | null} number */
export const memberNameByNumber = (room, number) => memberName(room.members.find((member) => member.number === number));

// Events whose sentence needs no more than the names of the members.
const PLAIN_EVENTS = new Set([
  "left",
  "returned",
  "challenged",
  "declined",
  "begun",
  "locked",
  "unlocked",
  "paused",
  "resumed",
  "round_stopped",
  "host_left",
  "team_changed",
  "closed",
]);

/** What has just happened; "" for events that are not reported, such as names that only a host may see.
 *  @param {RoomView} room @param {RoomChangedMessage} message */
export function eventText(room, message, isHost = false) {
  const { event, by, to } = message;
  const hidden = isHidden(message);
  if (hidden && !isHost) return "";
  const facts = { name: memberNameByNumber(room, by), other: memberNameByNumber(room, to) };
  if (event === "joined") return t(hidden ? "room.news.waits" : "room.news.joined", facts);
  return PLAIN_EVENTS.has(event) ? t(`room.news.${event}`, facts) : (EVENT_SENTENCES[event]?.(room, message) ?? "");
}

/** @type {Record<string, (room: RoomView, message: RoomChangedMessage) => string>} */
const EVENT_SENTENCES = {
  admitted: (_, { members }) => t("room.news.admitted", { name: members.map(memberName).join(", ") }),
  host_added: (room, { by }) =>
    by === null ? t("room.news.host_added") : t("room.news.host_named", { name: memberNameByNumber(room, by) }),
  paired: pairingText,
  failed: (room, { by, meetings: [{ failure }] }) =>
    t("room.news.failed", { name: memberNameByNumber(room, by), reason: failure ?? "" }),
  scored: (room, { meetings: [meeting] }) => resultText(room, meeting),
};

/** Whether the event is about a member whose name only a host may see. @param {RoomChangedMessage} message */
const isHidden = ({ event, members }) =>
  !["host_left", "host_added"].includes(event) && members.some(({ waiting }) => waiting);

/** @type {Record<string, string>} */
const BYE_SENTENCES = { teams: "room.news.bye_plain", knockout: "room.news.bye_knockout" };

/** @param {RoomView} room @param {RoomChangedMessage} message */
function pairingText(room, { meetings, byes, state }) {
  const played = meetings.filter(({ match }) => match);
  const rests = byes.length
    ? ` ${t(BYE_SENTENCES[room.format] ?? "room.news.bye", { name: byes.map((number) => memberNameByNumber(room, number)).join(", ") })}`
    : "";
  const isNewRound =
    state.round > 0 &&
    !room.meetings.some((one) => one.round === state.round && !meetings.some(({ number }) => number === one.number));
  if (isNewRound) return t("room.news.round", { round: state.round, rounds: state.rounds }) + rests;
  if (played.length === 1)
    return t("room.news.pair", {
      first: memberNameByNumber(room, played[0].first),
      second: memberNameByNumber(room, played[0].second),
    });
  return t("room.news.pairs", { count: played.length });
}

/** How a match between two members ended. @param {RoomView} room @param {MeetingView} meeting */
export function resultText(room, meeting) {
  const { first, second, winner, reason } = meeting;
  if (reason === "void")
    return t("room.news.void", { first: memberNameByNumber(room, first), second: memberNameByNumber(room, second) });
  if (reason === "stopped")
    return t("room.news.stopped", { first: memberNameByNumber(room, first), second: memberNameByNumber(room, second) });
  if (winner === null)
    return t("room.news.draw", { first: memberNameByNumber(room, first), second: memberNameByNumber(room, second) });
  const facts = {
    winner: memberNameByNumber(room, winner),
    loser: memberNameByNumber(room, winner === first ? second : first),
  };
  if (meeting.gone) return t("room.news.gone", facts);
  if (meeting.failure) return t("room.news.won_failed", { ...facts, reason: meeting.failure });
  return t(meeting.no_show || !meeting.match ? "room.news.no_show" : "room.news.won", facts);
}
