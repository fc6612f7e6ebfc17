// Sentences about a match: what happened, whose turn it is, how it ended.
import { isYou, sideName, winText } from "../texts/side-names.js";
import { t } from "../texts/texts.js";
import { otherSide } from "../board/start-position.js";

/** @import { Match } from "./match.js"
 *  @import { MatchScreen } from "./match-screen.js"
 *  @import { Side } from "../page-types.js"
 *  @import { DroppedEvent, EventMessage, ResultView } from "../types.js" */

/** The texts for the endings whose sentence names the reason. @type {Partial<Record<ResultView["reason"], string>>} */
const REASON_TEXT_KEYS = { resigned: "result.resigned", time: "result.time", forfeit: "result.forfeit" };

/** @param {MatchScreen} play @param {EventMessage} message */
export function eventText(play, message) {
  switch (message.event) {
    case "dropped":
      return dropText(play.match, message);
    case "swapped":
      return swapText(play.match, message.side);
    case "extended":
      return extendText(play.match, message.side);
    case "taken_back":
      return t("done.undo");
    case "redone":
      return t("done.redo");
    case "joined":
      return t("play.joined", { name: message.name || t(`name.${message.side}`) });
    case "declined":
      return play.state.detail;
    default:
      return "";
  }
}

/** @param {Match} match @param {DroppedEvent} message */
function dropText(match, { side, column, row }) {
  const facts = { name: sideName(match, side), column: column + 1, row: row + 1 };
  return t(isYou(match, side) ? "move.you" : "move.other", facts);
}

/** @param {Match} match @param {Side} side the side that was given up, which now belongs to the other player */
function swapText(match, side) {
  const winner = otherSide(side);
  return t(isYou(match, winner) ? "swap.done_you" : "swap.done", { name: sideName(match, winner) });
}

/** @param {Match} match @param {Side} side the side that was given up, which now belongs to the other player */
function extendText(match, side) {
  const placer = otherSide(side);
  const facts = { name: sideName(match, placer), other: sideName(match, side) };
  return t(isYou(match, placer) ? "swap.extended_you" : "swap.extended", facts);
}

/** What has to be done before the choice of a side, or that it is to be made now; empty at any other time.
 * @param {Match} match */
export function sideChoiceText(match) {
  const { turn, can_swap: isChoice, can_extend: mayExtend, is_placing: isPlacing } = match.state;
  const { swap_discs: discs, extended } = match.loadedView;
  if (!turn) return "";
  const other = sideName(match, otherSide(turn));
  const facts = { name: sideName(match, turn), other };
  if (isPlacing && discs > 1) {
    const count = discs + (extended ? 2 : 0) - match.moves.length;
    return match.isMyTurn ? t("place.yours", { ...facts, count }) : t("place.theirs", facts);
  }
  if (!isChoice) return "";
  if (discs === 1) return t(match.isMyTurn ? "swap.yours" : "swap.theirs", facts);
  if (!match.isMyTurn) return t("swap.theirs_three", facts);
  return t(mayExtend ? "swap.yours_three" : "swap.yours_five", facts);
}

/** @param {Match} match */
export function outcomeText(match) {
  const { result } = match.state;
  const winner = result?.winner;
  if (!winner) return t(result?.reason === "agreed" ? "result.agreed" : "result.draw");
  const loser = otherSide(winner);
  const who = isYou(match, winner) ? t("result.you") : winText(sideName(match, winner));
  const why = REASON_TEXT_KEYS[result.reason];
  const isOwn = isYou(match, loser) && result.reason !== "forfeit";
  return why ? `${who} ${isOwn ? t(`${why}_you`) : t(why, { name: sideName(match, loser) })}` : who;
}

/** The headline: whose turn it is, or who won once the last disc has fallen. @param {MatchScreen} play */
export function headlineText(play) {
  const { match, sideToMove: side } = play;
  if (play.isOver) return outcomeText(match);
  if (match.state.waiting) return t("play.waiting");
  if (isYou(match, side)) return t("play.your_turn");
  const name = sideName(match, side);
  const thinks =
    match.loadedView.seats[side].kind === "player" && play.state.showsThinking && !match.isOver && !play.playback;
  return thinks ? t("computer.thinking", { name }) : t("turn.other", { name });
}
