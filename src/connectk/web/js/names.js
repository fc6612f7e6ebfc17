// Who is who, in words.
import { t } from "./texts.js";

export function playerName(player) {
  const level = /^level:(\d+)$/.exec(player);
  return level ? t("name.level", { level: level[1] }) : player;
}

// The name of a side, from the seat of someone who plays `sides`.
export function sideName(match, side) {
  const seat = match.view.seats[side];
  if (seat.kind === "player") return playerName(seat.player);
  if (match.sides.length === 1 && match.sides[0] === side) return seat.name || t("name.you");
  if (seat.kind === "free") return t("play.free_seat");
  return seat.name || t(`name.${side}`);
}

export function isYou(match, side) {
  return match.sides.length === 1 && match.sides[0] === side;
}
