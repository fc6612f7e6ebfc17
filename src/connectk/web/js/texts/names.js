// Who is who, in words.
import { playerName } from "./levels.js";
import { t } from "./texts.js";

/** @import { Match } from "../match/match.js"
 *  @import { Side } from "../shapes.js" */

/** The name of a side, from the seat of someone who plays `sides`. @param {Match} match @param {Side} side @returns {string} */
export function sideName(match, side) {
  const seat = match.known.seats[side];
  if (seat.kind === "player" && seat.player)
    return seat.name && seat.name !== seat.player ? seat.name : playerName(seat.player);
  if (match.sides.length === 1 && match.sides[0] === side) return seat.name || t("name.you");
  if (seat.kind === "free") return t("play.free_seat");
  return seat.name || t(`name.${side}`);
}

/** @param {Match} match @param {Side | null} side */
export function isYou(match, side) {
  return match.sides.length === 1 && match.sides[0] === side;
}
