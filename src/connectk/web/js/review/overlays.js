// Requests what a review draws over its board: the scores of the columns, and the threats.
import { api, hasServer } from "../common/api.js";
import { toCell } from "../board/convert.js";
import { columnLabels } from "../texts/score-labels.js";

/** @import { ReviewScreen } from "./review-screen.js" */

const QUICK_ANALYSIS_SECONDS = 0.8; // the time for the first answer

/** Shows the engine's estimates if the solver needs longer, and then the proved scores. @param {ReviewScreen} review */
export async function showScores(review) {
  const { page, requests, source, moment } = review;
  page.board.showScores(null);
  requests.abort("scores");
  const { scores: onBoard, explorer: inTable } = review.options;
  if (!(onBoard || inTable) || moment.result) return;
  /** @param {{ seconds?: number }} facts */
  const ask = async (facts) => {
    const analysis = await requests.run("scores", (signal) =>
      source.scores({ ...review.position(), ...facts }, signal),
    );
    if (!analysis || moment !== review.moment) return false;
    if (onBoard) page.board.showScores(columnLabels(analysis));
    review.explorer?.setScores(analysis);
    return !analysis.exact;
  };
  if (await ask({ seconds: QUICK_ANALYSIS_SECONDS })) await ask({});
}

/** Shows the opening explorer of the position. @param {ReviewScreen} review */
export async function showExplorer(review) {
  const { panel, requests, moment } = review;
  if (!review.explorer) return panel.elements.explorer.replaceChildren();
  if (!panel.elements.explorer.contains(review.explorer.element))
    panel.elements.explorer.replaceChildren(review.explorer.element);
  review.explorer.show(review.game, review.ply);
  if (!hasServer || moment.result) return undefined;
  const answer = await requests.run("explorer", (signal) => api.explorer(review.position(), signal));
  if (answer && moment === review.moment) review.explorer?.setCounts(answer);
  return undefined;
}

/** @param {ReviewScreen} review */
export async function showThreats(review) {
  const { page, panel, requests, source, moment } = review;
  page.board.showThreats([]);
  panel.showThreats([]);
  if (!review.options.threats || moment.result) return;
  const answer = await requests.run("threats", (signal) => source.threats(review.position(), signal));
  if (!answer || moment !== review.moment) return;
  page.board.showThreats(answer.threats.map((threat) => ({ ...threat, line: threat.line.map(toCell) })));
  panel.showThreats(answer.threats);
}
