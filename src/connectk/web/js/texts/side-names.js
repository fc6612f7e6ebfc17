// The names of the two sides of a match.
import { levelOf, playerName } from "./levels.js";
import { t } from "./texts.js";

/** @import { Match } from "../match/match.js"
 *  @import { Side } from "../page-types.js" */

/** The name of a side, as the person at this page sees it. @param {Match} match @param {Side} side @returns {string} */
export function sideName(match, side) {
  const seat = match.loadedView.seats[side];
  if (seat.kind === "player" && seat.player)
    return seat.name && seat.name !== seat.player ? seat.name : playerName(seat.player);
  if (match.sides.length === 1 && match.sides[0] === side) return seat.name || t("name.you");
  if (seat.kind === "free") return t("play.free_seat");
  return seat.name || t(match.loadedView.strangers ? "name.guest" : `name.${side}`);
}

/** The level of the computer opponent of one person at this page; null in any other match. @param {Match} match */
export function opponentLevel(match) {
  const { first, second } = match.loadedView.seats;
  return match.sides.length === 1 ? levelOf(match.sides[0] === "first" ? second.player : first.player) : null;
}

/** @param {Match} match @param {Side | null} side */
export function isYou(match, side) {
  return match.sides.length === 1 && match.sides[0] === side;
}

/** The sentence that says who wins, with the right verb: "You win" and not "You wins". @param {string} name */
export const winText = (name) => (name === t("name.you") ? t("result.you") : t("result.other", { name }));
