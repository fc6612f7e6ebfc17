// What the formats show besides the standings: the time left, the teams and the bracket; and the rules of absence.
import { h } from "../common/dom.js";
import { memberNameByNumber } from "./sentences.js";
import { pointsText, presentMembers } from "./elements.js";
import { language, t } from "../texts/texts.js";

/** @import { RoomView, TieView } from "../types.js" */

const SECONDS_PER_MINUTE = 60;
const FORMATS_WITH_ROUNDS = new Set(["swiss", "teams"]);

/** The time until an arena ends, or "". @param {RoomView} room @param {number} now */
export function timeLeftText({ state }, now) {
  if (state.ends === null || state.closed) return "";
  const left = Math.max(0, Math.ceil(state.ends - now));
  return t("room.ends", { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` });
}

/** How many are connected, and which round is played. @param {RoomView} room */
export function progressText(room) {
  if (room.state.closed) return t("room.now.closed");
  const connected = presentMembers(room).filter(
    ({ member: { kind, number } }) => kind === "level" || room.here.includes(number),
  );
  const people = t("room.count", { count: connected.length });
  if (!room.state.begun) return `${people} ${t("room.wall.waits")}`;
  if (room.state.paused) return `${people} ${t("room.now.paused")}`;
  const { round, rounds } = room.state;
  return `${people} ${round ? t("room.news.round", { round, rounds }) : `${t(`room.format.${room.format}`)}.`}`;
}

/** How many games are being played, or "". @param {RoomView} room */
export function gamesText({ meetings }) {
  const count = meetings.filter(({ reason }) => reason === null).length;
  return count ? t("room.under_way", { count }) : "";
}

/** The clock in words. @param {{ seconds: number, increment: number }} clock */
export const clockText = ({ seconds, increment }) =>
  t("room.clock.words", { minutes: (seconds / SECONDS_PER_MINUTE).toLocaleString(language), increment });

/** Sentences about rounds and clock, and about when a member who is absent loses. @param {RoomView} room */
export const roomRules = ({ format, rounds, clock, show_seconds: show, gone_seconds: gone, swap, swap_discs: discs }) =>
  [
    FORMATS_WITH_ROUNDS.has(format) ? `${t("room.rounds")}: ${rounds}.` : "",
    `${t("room.clock")}: ${clockText(clock)}.`,
    swap ? t(`room.rule.choice.${discs}`) : "",
    t("room.rule.show", { seconds: show }),
    gone === null ? "" : t("room.rule.gone", { seconds: gone }),
  ]
    .join(" ")
    .trim();

/** The score between the teams. @param {RoomView} room */
export function teamScore({ teams }) {
  if (!teams.length) return [];
  const [one, other] = teams;
  return [
    h(
      "p.team-score",
      { "aria-label": t("room.teams") },
      h("span", one.name),
      h("strong.number", ` ${pointsText(one.points)} – ${pointsText(other.points)} `),
      h("span", other.name),
    ),
  ];
}

/** The bracket, a column for each round that has begun. @param {RoomView} room */
export function bracketTable(room) {
  if (!room.bracket.length) return [];
  return [
    h(
      "section.bracket.scroll",
      { "aria-label": t("room.bracket"), role: "group", tabindex: 0 },
      room.bracket.map((ties, index) =>
        h(
          "div.bracket-round",
          h("h3", t("room.bracket.round", { round: index + 1 })),
          h(
            "ol",
            ties.map((tie) => h("li.tie", tiePlace(room, tie, tie.first), tiePlace(room, tie, tie.second))),
          ),
        ),
      ),
    ),
  ];
}

/** @param {RoomView} room @param {TieView} tie @param {number | null} member */
function tiePlace(room, { winner }, member) {
  const state = winner === null ? "" : winner === member ? ".won" : ".lost";
  return h(`span.place${state}`, member === null ? "–" : memberNameByNumber(room, member));
}
