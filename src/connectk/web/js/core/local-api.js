// Answers the requests of common/api.js without a server. The core computes the same answers in workers.
import { RefusedError } from "../common/api.js";
import { canExplain, writeMoves, writeVariant } from "../board/convert.js";
import { ILLEGAL_GAME_CODE, MAX_BOARD_BITS } from "../common/constants.js";
import { parseStart, writeStart } from "../board/start-position.js";
import { loadTextGroup, t } from "../texts/texts.js";
import { CLASSIC, makeAnalysisApi, positionOf, requestCore, requireExplainable } from "./analysis-api.js";
import { loadBook } from "./opening-book.js";
import { scoreWorker, reviewWorker, rulesWorker } from "./core-workers.js";
import { createMatch, storedMatchView } from "../match/local-store.js";
import { fileKind, parseGameFile, parseMoves, parseSaved, brokenRuleText, writeSaved } from "./notation.js";
import { RuleBroken } from "./numbers.js";
import { parseExplanation, faultError, explanationText } from "./explanation-text.js";

/** @import { EntryAnswer, FileAnswer, NewMatchRequest, SavedGameRequest, WholeGameAnswer, WhyAnswer } from "../types.js" */

/** @param {number} share */
const reportProgress = (share) => dispatchEvent(new CustomEvent("connectk-book", { detail: share }));

export const localApi = {
  ...makeAnalysisApi({ rules: rulesWorker, scores: scoreWorker, reviews: reviewWorker }, (variant) =>
    loadBook(variant, reportProgress),
  ),

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
