// What a review marks on its board: the worth of each column, and the threats.
import { cell } from "../board/boards.js";
import { columnScores } from "../texts/scores.js";

/** @import { Review } from "./review.js" */

const AT_ONCE = 0.8; // seconds for the first answer about scores

/** The engine's estimate at once where the solver needs longer; then what it has proved. @param {Review} review */
export async function showScores(review) {
  const { page, questions, source, view } = review;
  page.board.showScores(null);
  questions.abort("scores");
  if (!review.wishes.scores || view.result) return;
  /** @param {{ seconds?: number }} facts */
  const ask = async (facts) => {
    const analysis = await questions.ask("scores", (signal) => source.scores({ ...review.order(), ...facts }, signal));
    if (!analysis || view !== review.view) return false;
    page.board.showScores(columnScores(analysis));
    return !analysis.exact;
  };
  if (await ask({ seconds: AT_ONCE })) await ask({});
}

/** @param {Review} review */
export async function showThreats(review) {
  const { page, panel, questions, source, view } = review;
  page.board.showThreats([]);
  panel.showThreats([]);
  if (!review.wishes.threats || view.result) return;
  const answer = await questions.ask("threats", (signal) => source.threats(review.order(), signal));
  if (!answer || view !== review.view) return;
  page.board.showThreats(answer.threats.map((threat) => ({ ...threat, line: threat.line.map(cell) })));
  panel.showThreats(answer.threats);
}
