// How fair a game began: who wins with perfect play after its first discs, and starts that are fair.
import { FAIR_START_BOARDS } from "../common/constants.js";
import { FAIR_STARTS } from "./fair-starts.js";
import { writeVariant } from "../board/convert.js";
import { isYou, sideName } from "../texts/side-names.js";
import { t } from "../texts/texts.js";
import { otherSide } from "../board/start-position.js";

/** @import { MoveReviewView } from "../types.js"
 *  @import { Side } from "../page-types.js"
 *  @import { Match } from "./match.js" */

const MIN_LEAD = 0.05; // a smaller estimate favours nobody

/** A start of this board after which perfect play is a draw, drawn evenly; null if none is known. @param {string} board @returns {string | null} */
export function drawFairStart(board) {
  const starts = /** @type {Record<string, string[]>} */ (FAIR_STARTS)[board] ?? [];
  return starts.length ? starts[Math.floor(Math.random() * starts.length)] : null;
}

/** How many moves of a game belong to its start: the first disc, the discs before the last choice of a side, or none
 * where discs were set up. @param {Match} match */
function startMoves({ loadedView: { start, swap, swap_discs: discs, extended } }) {
  if (start) return 0;
  return swap ? discs + (extended ? 2 : 0) : 1;
}

/** What the start was worth with perfect play, and whether the better side was chosen; empty if the game ended before.
 * @param {Match} match @param {MoveReviewView[]} moves */
export function startText(match, moves) {
  const count = startMoves(match);
  const next = moves[count];
  if (!next) return "";
  const { kind } = next.worth_before;
  const [said, better] = verdict(next);
  const key = `${count ? said : `set_${said}`}${better && isYou(match, better) ? "_you" : ""}`;
  const words = t(`fairness.${key}`, { count, name: better ? sideName(match, better) : "" });
  return match.loadedView.swap && kind !== "about" ? `${words} ${t(choiceKey(match, kind))}` : words;
}

/** What is said, and of which side; an estimate near zero favours nobody. @param {MoveReviewView} next @returns {[string, Side | null]} */
function verdict({ side, worth_before: { kind, score } }) {
  if (kind === "draw") return ["draw", null];
  if (kind !== "about") return ["wins", kind === "wins" ? side : otherSide(side)];
  if (!score || Math.abs(score) < MIN_LEAD) return ["level", null];
  return ["about", score > 0 ? side : otherSide(side)];
}

/** Whether a fair start is offered for the next game: this one did not begin fairly, and fair starts of its board are
 * known. @param {Match} match @param {MoveReviewView[]} moves */
export function isFairStartOffered(match, moves) {
  const worth = moves[startMoves(match)]?.worth_before;
  return worth?.kind !== "draw" && FAIR_START_BOARDS.includes(writeVariant(match.variant));
}

/** @param {Match} match @param {"wins" | "draw" | "loses" | "about"} kind for the side that the chooser gave up or kept */
function choiceKey({ loadedView: { swapped } }, kind) {
  if (kind === "draw") return "fairness.even";
  return swapped === (kind === "loses") ? "fairness.right" : "fairness.wrong";
}
