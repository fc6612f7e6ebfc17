// Connect Four and every connect-k game, by the same core as the Python package: rules, exact scores, players, reviews and
// explanations. Columns count from 0 in numbers and from 1 in text.
import { canExplain, writeMoves, writeVariant } from "page/board/convert.js";
import { parseStart, writeStart } from "page/board/start-position.js";
import { BEST_LEVEL, BEST_LEVEL_MOVE_SECONDS, MAX_BOARD_BITS } from "page/common/constants.js";
import { explanationText } from "page/core/explanation-text.js";
import { brokenRuleText, parseMoves, parseVariant } from "page/core/notation.js";
import { RuleBroken } from "page/core/numbers.js";
import { withText } from "page/core/review-text.js";
import { RefusedError } from "page/texts/refusals.js";
import { loadOpenings, reviews, rules, scores, useBook } from "./lanes.js";
import { inLanguage } from "./languages.js";

/** @import { Asked, Moment } from "page/core/numbers.js"
 *  @import { HintAnswer, ReviewAnswer, ScoresAnswer, ThreatView, WhyAnswer } from "page/types.js"
 *  @import { BestMoveOptions, Options, PositionLike, ReviewOptions, Solution, WhyOptions } from "../types/index.js" */

const NO_TIME_LIMIT_MS = 2 ** 31 - 1;
const REVIEW_POSITION_TIMEOUT_MS = 1000;
const CLASSIC = "7x6x4";
const ASKED = Symbol("asked");

/** An input that is refused; `rule` names the broken rule, as in Python. */
export class ConnectkError extends Error {
  /** @param {string} rule @param {string} message */
  constructor(rule, message) {
    super(message);
    this.name = "ConnectkError";
    this.rule = rule;
  }
}

/** A board and the side to move; it never changes. */
export class Position {
  #asked;
  #facts;

  /** @param {Asked} asked @param {Moment & { board: string[] }} facts */
  constructor(asked, facts) {
    this.#asked = asked;
    this.#facts = facts;
  }

  /** The position after moves such as "4453", or of a board such as "4xo.5x". @param {PositionLike} position @param {Options} options */
  static async from(position = "", options = {}) {
    return positionAt(await read(position, options), options);
  }

  get variant() {
    return writeVariant(this.#asked.variant);
  }

  get width() {
    return this.#asked.variant.width;
  }

  get height() {
    return this.#asked.variant.height;
  }

  get run() {
    return this.#asked.variant.run;
  }

  /** The discs of each column from the bottom up, as "xo". */
  get board() {
    return [...this.#facts.board];
  }

  /** The columns that were dropped into, from 0. */
  get moves() {
    return [...this.#asked.moves];
  }

  /** The number of discs on the board. */
  get ply() {
    return this.#facts.ply;
  }

  /** Null once the game is over. */
  get sideToMove() {
    return this.#facts.side_to_move;
  }

  get lastDrop() {
    return this.#facts.last_drop;
  }

  get legalColumns() {
    return [...this.#facts.legal_columns];
  }

  get winningLines() {
    return this.#facts.winning_lines;
  }

  /** How the game ended; null while it is open. */
  get outcome() {
    return this.#facts.result;
  }

  /** The position after a drop. @param {number} column @param {Options} options */
  drop(column, options = {}) {
    return positionAt({ ...this.#asked, moves: [...this.#asked.moves, column] }, options);
  }

  /** Every cell where a disc would complete a line. @param {Options} options @returns {Promise<ThreatView[]>} */
  threats(options = {}) {
    return ask(rules, "threats", [this.#asked], options);
  }

  /** The moves as text, such as "4453". */
  get movesText() {
    return writeMoves(this.#asked.moves, this.width);
  }

  /** The board as text, such as "4xo.5x". */
  toString() {
    return writeStart(this.#facts.board);
  }

  /** What the core is asked about this position. @returns {Asked} */
  get [ASKED]() {
    return this.#asked;
  }
}

/** The exact result of a position with perfect play, for the side to move. @param {PositionLike} position @param {Options} options @returns {Promise<Solution>} */
export async function solve(position, options = {}) {
  const asked = await read(position, options);
  const { ply, result } = await ask(rules, "moment", [asked], options);
  if (result) return { ...outcomeOf(scoreWhenOver(asked, ply, result.winner)), plies: 0, bestColumns: [], line: [] };
  const columns = await exactScores(asked, options);
  const score = Math.max(...columns.filter((one) => one !== null));
  const step = await ask(scores, "line", [asked, NO_TIME_LIMIT_MS], options);
  const { line } = step.facts;
  const bestColumns = columns.flatMap((one, column) => (one === score ? [column] : []));
  return { ...outcomeOf(score), plies: line.length, bestColumns, line };
}

/** The exact score of a drop into each column for the side to move; null where none is possible.
 * @param {PositionLike} position @param {Options} options */
export const scoreColumns = async (position, options = {}) => exactScores(await read(position, options), options);

/** The column that a level, a search of so many milliseconds, or else perfect play chooses, and what it thought.
 * @param {PositionLike} position @param {BestMoveOptions} options @returns {Promise<HintAnswer>} */
export async function bestMove(position, options = {}) {
  const { level, time, seed = Math.floor(Math.random() * 2 ** 53) } = options;
  requireStrength(level, time);
  const asked = await read(position, options);
  await ready(asked);
  const [low, high] = [(seed % 2 ** 32) | 0, Math.floor(seed / 2 ** 32)];
  const player = level ? `level:${level}` : time ? "engine" : "perfect";
  const ms = time ?? (level === BEST_LEVEL ? 1000 * BEST_LEVEL_MOVE_SECONDS : 0);
  return ask(scores, "choose", [asked, player, ms, [low, high]], options);
}

/** @param {number | undefined} level @param {number | undefined} time */
function requireStrength(level, time) {
  if (level !== undefined && !(Number.isInteger(level) && level >= 1 && level <= BEST_LEVEL))
    throw new RangeError(`level: 1 to ${BEST_LEVEL}`);
  if (time !== undefined && !(time > 0)) throw new RangeError("time: milliseconds, more than 0");
}

/** A review of every move of a game: labels, better moves, reasons, accuracy, turning point.
 * @param {PositionLike} game @param {ReviewOptions} options @returns {Promise<ReviewAnswer>} */
export async function review(game, options = {}) {
  const { given = 0, time = REVIEW_POSITION_TIMEOUT_MS, language = "en" } = options;
  const asked = await read(game, options);
  await ready(asked);
  const found = await ask(reviews, "review", [asked, given, time], options);
  const variant = writeVariant(asked.variant);
  return inLanguage(language, () => ({ variant, players: {}, ...found, moves: found.moves.map(withText) }));
}

/** Why a side wins or holds a position: a strategy that was checked against every reply, step by step.
 * @param {PositionLike} position @param {WhyOptions} options @returns {Promise<WhyAnswer>} */
export async function why(position, options = {}) {
  const { side = null, language = "en" } = options;
  const asked = await read(position, options);
  await requireSolvable(asked, language);
  await ready(asked);
  const facts = await ask(reviews, "why", [asked, side], options);
  return inLanguage(language, () => explanationText(facts));
}

/** Loads a larger opening book than the one in the package. @param {string | URL | ArrayBuffer | Uint8Array} source its address or its bytes */
export async function loadBook(source) {
  if (typeof source !== "string" && !(source instanceof URL)) return useBook(new Uint8Array(source));
  const answer = await fetch(source);
  if (!answer.ok) throw new TypeError(`no opening book at ${source}`);
  return useBook(new Uint8Array(await answer.arrayBuffer()));
}

/** @param {Asked} asked @param {Options} options */
const positionAt = async (asked, options) => new Position(asked, await ask(rules, "moment", [asked], options));

/** @param {PositionLike} position @param {Options} options @returns {Promise<Asked>} */
async function read(position, { variant = CLASSIC, language = "en" }) {
  if (position instanceof Position) return position[ASKED];
  const given = typeof position === "string" ? textFacts(position) : position;
  return inLanguage(language, () => parse({ variant, ...given }));
}

/** @param {string} text moves, or a board */
const textFacts = (text) => (/[xo]/.test(text) ? { start: text } : { moves: text });

/** @param {{ variant: string, start?: string, moves?: string | readonly number[] }} facts @returns {Asked} */
function parse({ variant: name, start = "", moves = "" }) {
  try {
    const variant = parseVariant(name);
    const columns = typeof moves === "string" ? parseMoves(moves, variant.width) : [...moves];
    return { variant, discs: parseStart(start), moves: columns };
  } catch (error) {
    throw error instanceof RefusedError ? new ConnectkError("NotationError", error.message) : error;
  }
}

/** @param {import("page/core/core-workers.js").CoreWorker} who @param {string} what @param {any[]} facts @param {Options} options @returns {Promise<any>} */
async function ask(who, what, facts, { signal, language = "en" }) {
  try {
    return await who.request(what, facts, signal);
  } catch (error) {
    if (!(error instanceof RuleBroken)) throw error;
    const { broken } = error;
    throw await inLanguage(language, () => refused(broken));
  }
}

/** @param {Asked} asked */
const ready = (asked) => loadOpenings(writeVariant(asked.variant));

/** @param {Asked} asked @param {Options} options @returns {Promise<(number | null)[]>} */
async function exactScores(asked, options) {
  await requireSolvable(asked, options.language ?? "en");
  await ready(asked);
  /** @type {ScoresAnswer} */
  const answer = await ask(scores, "scores", [asked, NO_TIME_LIMIT_MS, false], options);
  return answer.bounds.map((bounds) => bounds && bounds[0]);
}

/** @param {Asked} asked @param {string} language */
async function requireSolvable({ variant }, language) {
  if (canExplain(variant)) return;
  const rule = "UnsupportedVariant.solver";
  const facts = [variant.width, variant.height, variant.run, MAX_BOARD_BITS];
  throw await inLanguage(language, () => refused({ rule, facts, drop: 0 }));
}

/** The error for a broken rule, which the core may name together with a case of it: ImpossibleVariant.small.
 * @param {import("page/core/numbers.js").Broken} broken */
const refused = (broken) => new ConnectkError(broken.rule.split(".")[0], brokenRuleText(broken));

/** The score of a finished game for the side that would move. @param {Asked} asked @param {number} ply @param {string | null} winner */
const scoreWhenOver = ({ variant }, ply, winner) =>
  winner ? -Math.floor((variant.width * variant.height + 2 - ply) / 2) : 0;

/** @param {number} score @returns {Pick<Solution, "score" | "result">} */
const outcomeOf = (score) => ({ score, result: score > 0 ? "win" : score < 0 ? "loss" : "draw" });
