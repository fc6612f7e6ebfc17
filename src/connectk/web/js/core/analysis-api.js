// Answers the requests about games and positions of common/api.js with the core, in the workers that it is given.
import { canExplain, variantFromText, writeMoves, writeVariant } from "../board/convert.js";
import { HINT_PLAYER, ANALYSIS_TIMEOUT_MS, HINT_TIMEOUT_MS } from "../common/constants.js";
import { parseStart, writeStart } from "../board/start-position.js";
import { RefusedError } from "../texts/refusals.js";
import { loadTextGroup, t } from "../texts/texts.js";
import { parseMoves, parseVariant, brokenRuleText } from "./notation.js";
import { RuleBroken } from "./numbers.js";
import { explanationText } from "./explanation-text.js";
import { withText } from "./review-text.js";

/** @import { Asked } from "./numbers.js"
 *  @import { CoreWorker } from "./core-workers.js"
 *  @import { GameRequest, HintAnswer, PositionRequest, ReviewAnswer, ReviewRequest, ScoresAnswer, ScoresRequest, ThreatsAnswer,
 *    WholeGameAnswer, WhyAnswer, WhyRequest } from "../types.js"
 *  @typedef {{ rules: CoreWorker, scores: CoreWorker, reviews: CoreWorker }} Workers */

const REVIEW_POSITION_TIMEOUT_MS = 1000; // the time for each position of a game that the solver cannot answer quickly
export const CLASSIC = variantFromText("7x6x4");
/** @type {[number, number]} */
const HINT_SEED = [0, 0];

/** Sends a request to a worker; a broken rule becomes a RefusedError with a message. @param {CoreWorker} who @param {string} what @param {any[]} facts @param {AbortSignal} [signal] */
export async function requestCore(who, what, facts, signal) {
  try {
    return await who.request(what, facts, signal);
  } catch (error) {
    if (!(error instanceof RuleBroken)) throw error;
    await loadTextGroup("later");
    throw new RefusedError({
      reason: error.broken.rule === "ColumnFull" ? "column_full" : "wrong",
      message: brokenRuleText(error.broken),
    });
  }
}

/** @param {Partial<PositionRequest>} body @returns {Asked} */
export const positionOf = ({ variant, start = "", moves = [] }) => ({
  variant: { ...CLASSIC, ...variant },
  discs: parseStart(start),
  moves,
});

/** @param {Partial<GameRequest>} body @returns {Asked} */
function parseGame({ variant: text = "7x6x4", moves = "", start = "" }) {
  const variant = parseVariant(text);
  return { variant, discs: parseStart(start), moves: parseMoves(moves, variant.width) };
}

/** @param {Workers} workers @param {(variant: string) => Promise<unknown>} loadBook gives the workers the board's opening book, if there is one */
export const makeAnalysisApi = (workers, loadBook) => ({
  /** @param {Partial<GameRequest>} body @param {AbortSignal} [signal] @returns {Promise<WholeGameAnswer>} */
  async game(body, signal) {
    await loadTextGroup("later");
    const game = parseGame(body);
    const { board, positions } = await requestCore(workers.rules, "game", [game], signal);
    return {
      variant: game.variant,
      start: writeStart(board),
      moves: writeMoves(game.moves, game.variant.width),
      columns: game.moves,
      positions,
    };
  },

  /** @param {Partial<PositionRequest>} body @param {AbortSignal} [signal] @returns {Promise<ThreatsAnswer>} */
  async threats(body, signal) {
    return { threats: await requestCore(workers.rules, "threats", [positionOf(body)], signal) };
  },

  /** @param {Partial<ScoresRequest>} body @param {AbortSignal} [signal] @returns {Promise<ScoresAnswer>} */
  async scores(body, signal) {
    const position = positionOf(body);
    await loadBook(writeVariant(position.variant));
    return requestCore(
      workers.scores,
      "scores",
      [position, Math.min(1000 * (body.seconds ?? Infinity), ANALYSIS_TIMEOUT_MS)],
      signal,
    );
  },

  /** @param {Partial<PositionRequest>} body @param {AbortSignal} [signal] @returns {Promise<HintAnswer>} */
  hint: (body, signal) =>
    requestCore(workers.scores, "choose", [positionOf(body), HINT_PLAYER, HINT_TIMEOUT_MS, HINT_SEED], signal),

  /** @param {Partial<ReviewRequest>} body @param {AbortSignal} [signal] @returns {Promise<ReviewAnswer>} */
  async review(body, signal) {
    workers.reviews.start(); // while the book is loaded
    await loadTextGroup("later");
    const position = positionOf(body);
    await loadBook(writeVariant(position.variant));
    const review = await requestCore(
      workers.reviews,
      "review",
      [position, body.given ?? 0, REVIEW_POSITION_TIMEOUT_MS],
      signal,
    );
    return { variant: writeVariant(position.variant), players: {}, ...review, moves: review.moves.map(withText) };
  },

  /** @param {Partial<WhyRequest>} body @param {AbortSignal} [signal] @returns {Promise<WhyAnswer>} */
  async why(body, signal) {
    workers.reviews.start();
    await Promise.all([loadTextGroup("later"), loadTextGroup("why")]);
    const position = requireExplainable(positionOf(body));
    await loadBook(writeVariant(position.variant));
    return explanationText(await requestCore(workers.reviews, "why", [position, body.side ?? null], signal));
  },
});

/** Returns the position; throws if its board is too large to be explained. @param {Asked} position */
export function requireExplainable(position) {
  if (!canExplain(position.variant)) throw new RefusedError({ reason: "wrong", message: t("why.large") });
  return position;
}
