// The words of rooms come with the screens that say them; and what happens in a room, told in them.
import { levelName } from "../texts/levels.js";
import { language } from "../texts/texts.js";

/** @import { Catalogue } from "../texts/texts.js"
 *  @import { MeetingView, MemberView, RoomChangedMessage, RoomView } from "../types.js" */

/** @type {Catalogue} */
let words = {};
let spoken = "";

/** @returns {Promise<void>} */
export async function loadRoomWords() {
  if (spoken === language) return;
  const wanted = language;
  const answer = await fetch(`/texts/rooms/${wanted}.json`);
  if (!answer.ok) throw new TypeError(`no words for ${wanted}`);
  words = await answer.json();
  spoken = wanted;
  await loadRoomWords(); // another may have been chosen while these were on their way
}

/** The text with its {facts} filled in; one that counts has two forms. @param {string} key @param {Record<string, unknown>} facts */
export function rt(key, facts = {}) {
  const text = words[key] ?? key;
  const form = typeof text === "string" ? text : text[facts.count === 1 ? "one" : "other"];
  return form.replace(/\{(\w+)\}/g, (_, name) => String(facts[name] ?? ""));
}

/** @param {MemberView | undefined} member */
export function memberName(member) {
  const level = /^level:(\d+)$/.exec(member?.player ?? "");
  return level ? rt("room.level", { level: level[1], name: levelName(level[1]) }) : (member?.name ?? "");
}

/** @param {RoomView} room @param {number | null} number */
export const nameIn = (room, number) => memberName(room.members.find((member) => member.number === number));

/** What has just happened, in a sentence; nothing for what nobody need hear. @param {RoomView} room @param {RoomChangedMessage} message */
export function newsOf(room, message) {
  const name = nameIn(room, message.by);
  switch (message.event) {
    case "joined":
      return rt("room.news.joined", { name });
    case "left":
      return rt("room.news.left", { name });
    case "returned":
      return rt("room.news.returned", { name });
    case "challenged":
      return rt("room.news.challenged", { name, other: nameIn(room, message.to) });
    case "declined":
      return rt("room.news.declined", { name, other: nameIn(room, message.to) });
    case "begun":
      return rt("room.news.begun");
    case "closed":
      return rt("room.news.closed");
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
    ? ` ${rt("room.news.bye", { name: byes.map((number) => nameIn(room, number)).join(", ") })}`
    : "";
  if (room.format === "swiss") return rt("room.news.round", { round: state.round, rounds: room.rounds }) + rests;
  if (played.length === 1)
    return rt("room.news.pair", { first: nameIn(room, played[0].first), second: nameIn(room, played[0].second) });
  return rt("room.news.pairs", { count: played.length });
}

/** How a meeting ended. @param {RoomView} room @param {MeetingView} meeting */
export function scoredNews(room, meeting) {
  const { first, second, winner, reason } = meeting;
  if (reason === "void") return rt("room.news.void", { first: nameIn(room, first), second: nameIn(room, second) });
  if (winner === null) return rt("room.news.draw", { first: nameIn(room, first), second: nameIn(room, second) });
  const facts = { winner: nameIn(room, winner), loser: nameIn(room, winner === first ? second : first) };
  return rt(meeting.no_show || !meeting.match ? "room.news.no_show" : "room.news.won", facts);
}
