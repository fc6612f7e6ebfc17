// Answers the requests of common/api.js without a server. The core computes the same answers in workers.
import { RefusedError } from "../common/api.js";
import { canExplain, variantFromText, writeMoves, writeVariant } from "../board/convert.js";
import {
  HINT_PLAYER,
  ANALYSIS_TIMEOUT_MS,
  HINT_TIMEOUT_MS,
  ILLEGAL_GAME_CODE,
  MAX_BOARD_BITS,
} from "../common/constants.js";
import { parseStart, writeStart } from "../board/start-position.js";
import { loadTextGroup, t } from "../texts/texts.js";
import { loadBook } from "./opening-book.js";
import { scoreWorker, reviewWorker, rulesWorker } from "./core-workers.js";
import { createMatch, storedMatchView } from "../match/local-store.js";
import {
  fileKind,
  parseGameFile,
  parseMoves,
  parseSaved,
  parseVariant,
  brokenRuleText,
  writeSaved,
} from "./notation.js";
import { RuleBroken } from "./numbers.js";
import { parseExplanation, faultError, explanationText } from "./explanation-text.js";
import { withText } from "./review-text.js";

/** @import { Asked } from "./numbers.js"
 *  @import { CoreWorker } from "./core-workers.js"
 *  @import { EntryAnswer, FileAnswer, GameRequest, HintAnswer, NewMatchRequest, PositionRequest, ReviewAnswer, ReviewRequest, SavedGameRequest, ScoresAnswer,
 *    ScoresRequest, ThreatsAnswer, WholeGameAnswer, WhyAnswer, WhyRequest } from "../types.js" */

const REVIEW_POSITION_TIMEOUT_MS = 1000; // the time for each position of a game that the solver cannot answer quickly
const CLASSIC = variantFromText("7x6x4");
/** @type {[number, number]} */
const HINT_SEED = [0, 0];

/** @param {number} share */
const reportProgress = (share) => dispatchEvent(new CustomEvent("connectk-book", { detail: share }));

/** Sends a request to a worker; a broken rule becomes a RefusedError with a message. @param {CoreWorker} who @param {string} what @param {any[]} facts @param {AbortSignal} [signal] */
async function requestCore(who, what, facts, signal) {
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
const positionOf = ({ variant, start = "", moves = [] }) => ({
  variant: { ...CLASSIC, ...variant },
  discs: parseStart(start),
  moves,
});

/** @param {Partial<GameRequest>} body @returns {Asked} */
function parseGame({ variant: text = "7x6x4", moves = "", start = "" }) {
  const variant = parseVariant(text);
  return { variant, discs: parseStart(start), moves: parseMoves(moves, variant.width) };
}

export const localApi = {
  /** @param {Partial<GameRequest>} body @param {AbortSignal} [signal] @returns {Promise<WholeGameAnswer>} */
  async game(body, signal) {
    await loadTextGroup("later");
    const game = parseGame(body);
    const { board, positions } = await requestCore(rulesWorker, "game", [game], signal);
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
    return { threats: await requestCore(rulesWorker, "threats", [positionOf(body)], signal) };
  },

  /** @param {Partial<ScoresRequest>} body @param {AbortSignal} [signal] @returns {Promise<ScoresAnswer>} */
  async scores(body, signal) {
    const position = positionOf(body);
    await loadBook(writeVariant(position.variant), reportProgress);
    return requestCore(
      scoreWorker,
      "scores",
      [position, Math.min(1000 * (body.seconds ?? Infinity), ANALYSIS_TIMEOUT_MS)],
      signal,
    );
  },

  /** @param {Partial<PositionRequest>} body @param {AbortSignal} [signal] @returns {Promise<HintAnswer>} */
  hint: (body, signal) =>
    requestCore(scoreWorker, "choose", [positionOf(body), HINT_PLAYER, HINT_TIMEOUT_MS, HINT_SEED], signal),

  /** @param {Partial<ReviewRequest>} body @param {AbortSignal} [signal] @returns {Promise<ReviewAnswer>} */
  async review(body, signal) {
    reviewWorker.start(); // while the book is loaded
    await loadTextGroup("later");
    const position = positionOf(body);
    await loadBook(writeVariant(position.variant), reportProgress);
    const review = await requestCore(
      reviewWorker,
      "review",
      [position, body.given ?? 0, REVIEW_POSITION_TIMEOUT_MS],
      signal,
    );
    return { variant: writeVariant(position.variant), players: {}, ...review, moves: review.moves.map(withText) };
  },

  /** @param {Partial<WhyRequest>} body @param {AbortSignal} [signal] @returns {Promise<WhyAnswer>} */
  async why(body, signal) {
    reviewWorker.start();
    await Promise.all([loadTextGroup("later"), loadTextGroup("why")]);
    const position = requireExplainable(positionOf(body));
    await loadBook(writeVariant(position.variant), reportProgress);
    return explanationText(await requestCore(reviewWorker, "why", [position, body.side ?? null], signal));
  },

  /** Checks an explanation from a file. @param {string} text @returns {Promise<WhyAnswer>} */
  async checkWhy(text) {
    await Promise.all([loadTextGroup("later"), loadTextGroup("why")]);
    const { position, explanation } = parseExplanation(text);
    const found = await requestCore(reviewWorker, "check", [requireExplainable(position), explanation]);
    if (found.refused) throw faultError(found.refused);
    return explanationText(found);
  },

  /** The game in a file: a saved game, moves, or a Connect-Z file with its verdict. @param {string} text @returns {Promise<FileAnswer>} */
  async read(text) {
    await loadTextGroup("later");
    const kind = fileKind(text);
    if (kind === "connect-z") return parseConnectZ(text);
    if (!text.trim()) throw new RefusedError({ reason: "wrong", message: t("error.empty_file") });
    const {
      variant,
      start = "",
      moves,
      players = {},
      given = 0,
    } = kind === "saved" ? parseSaved(text) : { variant: CLASSIC, moves: parseMoves(text, CLASSIC.width) };
    const { board } = await requestCore(rulesWorker, "game", [{ variant, discs: parseStart(start), moves }]);
    return {
      game: { variant: writeVariant(variant), start: writeStart(board), moves: writeMoves(moves, variant.width) },
      players,
      given,
      verdict: "",
    };
  },

  /** @param {Partial<SavedGameRequest>} body */
  async saved(body) {
    const { variant, start, moves, positions } = await localApi.game(body);
    const text = writeSaved({
      variant: writeVariant(variant),
      start,
      moves,
      players: body.players ?? {},
      result: positions.at(-1)?.result ?? null,
    });
    return new Blob([text], { type: "application/json" });
  },

  /** @param {WholeGameAnswer} game @param {number} ply @param {string} format */
  picture: async (game, ply, format) => (await import("./board-picture.js")).drawPicture(game, ply, format),

  /** @param {NewMatchRequest} body @returns {Promise<EntryAnswer>} */
  async create(body) {
    const { variant = CLASSIC, start = "", moves = [] } = body;
    const { board } = await requestCore(rulesWorker, "moment", [{ variant, discs: parseStart(start), moves }]); // the moves so far become part of the start
    await requireSupported([body.first?.player, body.second?.player], { ...CLASSIC, ...variant });
    return createMatch({ ...body, start: writeStart(board) });
  },

  /** Loads in advance what a match needs. */
  async prepare() {
    await localApi.game({ variant: "7x6x4", moves: "1" });
    await scoreWorker.request("moment", [positionOf({ moves: [0] })]);
  },

  /** Loads everything that a review needs, all at the same time, while the game is still being shown. */
  prepareReview() {
    rulesWorker.start();
    reviewWorker.start();
  },

  /** @param {string} id */
  look: async (id) => ({ match: await storedMatchView(id), sides: [] }),
};

/** Refuses a match whose player cannot play on the board. @param {(string | null | undefined)[]} players @param {import("../types.js").VariantView} variant */
async function requireSupported(players, variant) {
  const player = players.find((one) => one === "perfect");
  if (!player || canExplain(variant)) return;
  await loadTextGroup("later");
  const reason = t("error.UnsupportedVariant.perfect", { most: MAX_BOARD_BITS });
  const message = t("error.UnsupportedVariant.choose", { variant: writeVariant(variant), player, reason });
  throw new RefusedError({ reason: "not_valid", message });
}

/** Returns the position; throws if its board is too large to be explained. @param {Asked} position */
function requireExplainable(position) {
  if (!canExplain(position.variant)) throw new RefusedError({ reason: "wrong", message: t("why.large") });
  return position;
}

/** Reads a Connect-Z file: its legal moves and the referee's verdict. @param {string} text @returns {Promise<FileAnswer>} */
async function parseConnectZ(text) {
  const { code, line } = await rulesWorker.request("judge", [new TextEncoder().encode(text)]);
  const verdict = t(`verdict.${code}`, { code, line: line ?? "" });
  if (code >= ILLEGAL_GAME_CODE) return { game: null, players: {}, given: 0, verdict };
  const { variant, moves } = parseGameFile(text);
  const { drop, words } = await legalPrefix(variant, moves);
  return {
    game: { variant: writeVariant(variant), start: "", moves: writeMoves(moves.slice(0, drop), variant.width) },
    players: {},
    given: 0,
    verdict: [verdict, words].filter(Boolean).join(" "),
  };
}

/** How many of the drops are legal, and what is wrong with the next one. @param {import("../types.js").VariantView} variant @param {number[]} moves */
async function legalPrefix(variant, moves) {
  try {
    await rulesWorker.request("moment", [{ variant, discs: [], moves }]);
    return { drop: moves.length, words: "" };
  } catch (error) {
    if (!(error instanceof RuleBroken) || !error.broken.drop) throw error;
    return { drop: error.broken.drop - 1, words: brokenRuleText(error.broken) };
  }
}
