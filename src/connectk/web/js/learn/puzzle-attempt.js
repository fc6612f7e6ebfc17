// What happens when somebody tries a puzzle: which drops are right, what the other side answers, and why a drop is wrong.
import { FORCING_THEMES } from "../common/constants.js";
import { judgeDrop } from "./task-board.js";
import { t } from "../texts/texts.js";

/** @import { Cell } from "../page-types.js"
 *  @import { Puzzle } from "./puzzle-files.js"
 *  @import { TaskBoard, VerdictKind } from "./task-board.js" */

/** Whether a drop is right: the first drop must be an answer, a later drop must keep the win.
 * @param {TaskBoard} board @param {Puzzle} puzzle @param {number} column */
export async function isRight(board, { answer, others = [] }, column) {
  if (!board.moves.length) return column === answer || others.includes(column);
  const scores = await board.scores();
  return scores === null || (scores[column] ?? 0) > 0;
}

/** Plays the other side's best reply and returns its column; null if the puzzle is over. Only puzzles with a forcing theme
 * go on, until a line is complete.
 * @param {TaskBoard} board @param {Puzzle} puzzle */
export async function playReply(board, { theme }) {
  if (board.isOver || !FORCING_THEMES.includes(theme)) return null;
  const scores = await board.scores().catch(() => null);
  if (!scores) return null;
  const reply = judgeDrop(scores, 0).best[0];
  await board.drop(reply, true);
  return reply;
}

/** What a wrong drop leads to, in words, and the answer to it.
 * @param {TaskBoard} board @param {number} column @returns {Promise<{ kind: VerdictKind | null, words: string, cells: Cell[] }>} */
export async function refute(board, column) {
  const [scores, met] = await Promise.all([
    board.scores().catch(() => null),
    board.refutation(column).catch(() => null),
  ]);
  const kind = scores ? judgeDrop(scores, column).kind : null;
  const verdict = t(kind ? `learn.verdict.${kind}` : "learn.page.not_it", { column: column + 1, best: "" });
  return {
    kind,
    words: [verdict, met?.reason, t("learn.try_again")].filter(Boolean).join(" "),
    cells: met?.cells ?? [],
  };
}

/** The right drop of the shown position. @param {TaskBoard} board @param {Puzzle} puzzle */
export async function solutionColumn(board, { answer }) {
  if (!board.moves.length) return answer;
  const scores = await board.scores().catch(() => null);
  return scores ? judgeDrop(scores, 0).best[0] : board.hint();
}
