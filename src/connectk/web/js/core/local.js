// What the server answers, answered here by the core: the same questions, the same shapes.
import { Refused } from "../common/api.js";
import { canExplain, variantOf, writeMoves, writeVariant } from "../board/boards.js";
import { HINT_PLAYER, ANALYSIS_MS, HINT_MS, ILLEGAL_GAME, MAX_BOARD_BITS } from "../common/constants.js";
import { parseStart, writeStart } from "../board/start.js";
import { loadMore, t } from "../texts/texts.js";
import { wantBook } from "./book.js";
import { analyst, reviewer, rules } from "./crew.js";
import { createMatch, knownMatch } from "../match/kept.js";
import { kindOf, parseGameFile, parseMoves, parseSaved, parseVariant, sayBroken, writeSaved } from "./notation.js";
import { RuleBroken } from "./numbers.js";
import { drawPicture } from "./picture.js";
import { parseExplanation, sayFault, sayWhy } from "./whywords.js";
import { said } from "./words.js";

/** @import { Asked } from "./numbers.js"
 *  @import { Crewman } from "./crew.js"
 *  @import { EntryAnswer, FileAnswer, GameOrder, HintAnswer, MatchOrder, PositionOrder, ReviewAnswer, ReviewOrder, SavedOrder, ScoresAnswer,
 *    ScoresOrder, ThreatsAnswer, WholeGameAnswer, WhyAnswer, WhyOrder } from "../types.js" */

const REVIEW_MS = 1000; // for each position of a game, where the solver has no quick answer
const CLASSIC = variantOf("7x6x4");
/** @type {[number, number]} */
const SEED = [0, 0];

/** @param {number} share */
const tellProgress = (share) => dispatchEvent(new CustomEvent("connectk-book", { detail: share }));

/** What a rule refuses becomes a sentence. @param {Crewman} who @param {string} what @param {any[]} facts @param {AbortSignal} [signal] */
async function asked(who, what, facts, signal) {
  try {
    return await who.ask(what, facts, signal);
  } catch (error) {
    if (!(error instanceof RuleBroken)) throw error;
    await loadMore("later");
    throw new Refused({
      reason: error.broken.rule === "ColumnFull" ? "column_full" : "wrong",
      message: sayBroken(error.broken),
    });
  }
}

/** @param {Partial<PositionOrder>} order @returns {Asked} */
const positionOf = ({ variant, start = "", moves = [] }) => ({
  variant: { ...CLASSIC, ...variant },
  discs: parseStart(start),
  moves,
});

/** @param {Partial<GameOrder>} order @returns {Asked} */
function gameOf({ variant: text = "7x6x4", moves = "", start = "" }) {
  const variant = parseVariant(text);
  return { variant, discs: parseStart(start), moves: parseMoves(moves, variant.width) };
}

export const local = {
  /** @param {Partial<GameOrder>} order @param {AbortSignal} [signal] @returns {Promise<WholeGameAnswer>} */
  async game(order, signal) {
    await loadMore("later");
    const game = gameOf(order);
    const { board, positions } = await asked(rules, "game", [game], signal);
    return {
      variant: game.variant,
      start: writeStart(board),
      moves: writeMoves(game.moves, game.variant.width),
      columns: game.moves,
      positions,
    };
  },

  /** @param {Partial<PositionOrder>} order @param {AbortSignal} [signal] @returns {Promise<ThreatsAnswer>} */
  async threats(order, signal) {
    return { threats: await asked(rules, "threats", [positionOf(order)], signal) };
  },

  /** @param {Partial<ScoresOrder>} order @param {AbortSignal} [signal] @returns {Promise<ScoresAnswer>} */
  async scores(order, signal) {
    const position = positionOf(order);
    await wantBook(writeVariant(position.variant), tellProgress);
    return asked(analyst, "scores", [position, Math.min(1000 * (order.seconds ?? Infinity), ANALYSIS_MS)], signal);
  },

  /** @param {Partial<PositionOrder>} order @param {AbortSignal} [signal] @returns {Promise<HintAnswer>} */
  hint: (order, signal) => asked(analyst, "choose", [positionOf(order), HINT_PLAYER, HINT_MS, SEED], signal),

  /** @param {Partial<ReviewOrder>} order @param {AbortSignal} [signal] @returns {Promise<ReviewAnswer>} */
  async review(order, signal) {
    await loadMore("later");
    const position = positionOf(order);
    await wantBook(writeVariant(position.variant), tellProgress);
    const review = await asked(reviewer, "review", [position, order.given ?? 0, REVIEW_MS], signal);
    return { variant: writeVariant(position.variant), players: {}, ...review, moves: review.moves.map(said) };
  },

  /** @param {Partial<WhyOrder>} order @param {AbortSignal} [signal] @returns {Promise<WhyAnswer>} */
  async why(order, signal) {
    await Promise.all([loadMore("later"), loadMore("why")]);
    const position = explained(positionOf(order));
    await wantBook(writeVariant(position.variant), tellProgress);
    return sayWhy(await asked(reviewer, "why", [position, order.side ?? null], signal));
  },

  /** An explanation from a file, once it is played through. @param {string} text @returns {Promise<WhyAnswer>} */
  async checkWhy(text) {
    await Promise.all([loadMore("later"), loadMore("why")]);
    const { position, explanation } = parseExplanation(text);
    const found = await asked(reviewer, "check", [explained(position), explanation]);
    if (found.refused) throw sayFault(found.refused);
    return sayWhy(found);
  },

  /** The game in a file: a saved game, moves, or a Connect-Z file with its verdict. @param {string} text @returns {Promise<FileAnswer>} */
  async read(text) {
    await loadMore("later");
    const kind = kindOf(text);
    if (kind === "connect-z") return judged(text);
    if (!text.trim()) throw new Refused({ reason: "wrong", message: t("error.empty_file") });
    const {
      variant,
      start = "",
      moves,
      players = {},
      given = 0,
    } = kind === "saved" ? parseSaved(text) : { variant: CLASSIC, moves: parseMoves(text, CLASSIC.width) };
    const { board } = await asked(rules, "game", [{ variant, discs: parseStart(start), moves }]);
    return {
      game: { variant: writeVariant(variant), start: writeStart(board), moves: writeMoves(moves, variant.width) },
      players,
      given,
      verdict: "",
    };
  },

  /** @param {Partial<SavedOrder>} order */
  async saved(order) {
    const { variant, start, moves, positions } = await local.game(order);
    const text = writeSaved({
      variant: writeVariant(variant),
      start,
      moves,
      players: order.players ?? {},
      result: positions.at(-1)?.result ?? null,
    });
    return new Blob([text], { type: "application/json" });
  },

  /** @param {WholeGameAnswer} game @param {number} ply @param {string} format */
  picture: async (game, ply, format) => drawPicture(game, ply, format),

  /** @param {MatchOrder} order @returns {Promise<EntryAnswer>} */
  async create(order) {
    const { variant = CLASSIC, start = "", moves = [] } = order;
    const { board } = await asked(rules, "moment", [{ variant, discs: parseStart(start), moves }]); // the moves before are how it began
    await requireAble([order.first?.player, order.second?.player], { ...CLASSIC, ...variant });
    return createMatch({ ...order, start: writeStart(board) });
  },

  /** All that is needed comes before anyone waits for it. */
  async prepare() {
    await local.game({ variant: "7x6x4", moves: "1" });
    await analyst.ask("moment", [positionOf({ moves: [0] })]);
  },

  /** @param {string} id */
  look: async (id) => ({ match: await knownMatch(id), sides: [] }),
};

/** Refuses at the start what would fail at the first move. @param {(string | null | undefined)[]} players @param {import("../types.js").VariantView} variant */
async function requireAble(players, variant) {
  const player = players.find((one) => one === "perfect");
  if (!player || canExplain(variant)) return;
  await loadMore("later");
  const reason = t("error.UnsupportedVariant.perfect", { most: MAX_BOARD_BITS });
  const message = t("error.UnsupportedVariant.choose", { variant: writeVariant(variant), player, reason });
  throw new Refused({ reason: "not_valid", message });
}

/** The position, if its board is one that can be explained. @param {Asked} position */
function explained(position) {
  if (!canExplain(position.variant)) throw new Refused({ reason: "wrong", message: t("why.large") });
  return position;
}

/** As far as the game can be played; the verdict says what is wrong after that. @param {string} text @returns {Promise<FileAnswer>} */
async function judged(text) {
  const { code, line } = await rules.ask("judge", [new TextEncoder().encode(text)]);
  const verdict = t(`verdict.${code}`, { code, line: line ?? "" });
  if (code >= ILLEGAL_GAME) return { game: null, players: {}, given: 0, verdict };
  const { variant, moves } = parseGameFile(text);
  const { drop, words } = await playable(variant, moves);
  return {
    game: { variant: writeVariant(variant), start: "", moves: writeMoves(moves.slice(0, drop), variant.width) },
    players: {},
    given: 0,
    verdict: [verdict, words].filter(Boolean).join(" "),
  };
}

/** How many of these drops can be made, and why not more. @param {import("../types.js").VariantView} variant @param {number[]} moves */
async function playable(variant, moves) {
  try {
    await rules.ask("moment", [{ variant, discs: [], moves }]);
    return { drop: moves.length, words: "" };
  } catch (error) {
    if (!(error instanceof RuleBroken) || !error.broken.drop) throw error;
    return { drop: error.broken.drop - 1, words: sayBroken(error.broken) };
  }
}
