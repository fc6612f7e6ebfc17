// A match in sentences: what happened, whose turn it is, how it ended.
import { isYou, sideName } from "../texts/names.js";
import { t } from "../texts/texts.js";

/** @import { Match } from "./match.js"
 *  @import { Play } from "./play.js"
 *  @import { DroppedEvent, EventMessage, ResultView } from "../types.js" */

/** Endings that are told with their reason. @type {Partial<Record<ResultView["reason"], string>>} */
const WHY = { resigned: "result.resigned", time: "result.time", forfeit: "result.forfeit" };

/** What happened. @param {Play} play @param {EventMessage} message */
export function wordsOf(play, message) {
  switch (message.event) {
    case "dropped":
      return dropped(play.match, message);
    case "taken_back":
      return t("done.undo");
    case "redone":
      return t("done.redo");
    case "joined":
      return t("play.joined", { name: message.name || t(`name.${message.side}`) });
    case "declined":
      return t("play.declined");
    default:
      return "";
  }
}

/** @param {Match} match @param {DroppedEvent} message */
function dropped(match, { side, column, row }) {
  const facts = { name: sideName(match, side), column: column + 1, row: row + 1 };
  return t(isYou(match, side) ? "move.you" : "move.other", facts);
}

/** @param {Match} match */
export function outcome(match) {
  const { result } = match.state;
  const winner = result?.winner;
  if (!winner) return t(result?.reason === "agreed" ? "result.agreed" : "result.draw");
  const who = isYou(match, winner) ? t("result.you") : t("result.other", { name: sideName(match, winner) });
  const why = WHY[result.reason];
  return why ? `${who} ${t(why, { name: sideName(match, winner === "first" ? "second" : "first") })}` : who;
}

/** Whose turn it is, and after the last disc lies, who won. @param {Play} play */
export function headline(play) {
  const { match, sideToMove: side } = play;
  if (play.isOver) return outcome(match);
  if (match.state.waiting) return t("play.waiting");
  if (isYou(match, side)) return t("play.your_turn");
  const name = sideName(match, side);
  const thinks = match.known.seats[side].kind === "player" && play.state.isThinkingLong && !match.isOver && !play.pace;
  return thinks ? t("computer.thinking", { name }) : t("turn.other", { name });
}
