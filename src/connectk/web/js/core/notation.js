// Reads and writes variants, moves and saved games, as connectk.notation does. Errors have messages in the page's language.
import { GAME_FORMAT, GAME_VERSION, MAX_SHOWN_SIDE, MAX_WIDTH_WITHOUT_COMMAS } from "../common/constants.js";
import { shortened, invalidInput } from "../texts/refusals.js";
import { t } from "../texts/texts.js";

/** @import { Broken } from "./numbers.js"
 *  @import { VariantView } from "../types.js"
 *  @typedef {{ format?: unknown, version?: unknown, variant?: unknown, start?: unknown, moves?: unknown, given?: unknown, players?: unknown }} Document */

/** @param {string} text @returns {VariantView} */
export function parseVariant(text) {
  const found = /^\s*(\d+)\s*[xX×]\s*(\d+)\s*[xX×]\s*(\d+)\s*$/.exec(text);
  if (!found) throw invalidInput("error.not_a_board", { text: shortened(text) });
  const [width, height, run] = found.slice(1).map(Number);
  return requireShowable({ width, height, run });
}

/** Returns the variant; throws if the page cannot show a board of this size. @param {VariantView} variant */
export function requireShowable(variant) {
  if (Math.max(variant.width, variant.height) > MAX_SHOWN_SIDE)
    throw invalidInput("refused.board_too_wide", { most: MAX_SHOWN_SIDE });
  return variant;
}

/** Reads the columns of "4453", or of "4,4,5,3" as wide boards need; the result counts from 0. @param {string} text @param {number} width */
export function parseMoves(text, width) {
  const plain = text.trim();
  const packed = width <= MAX_WIDTH_WITHOUT_COMMAS && !/[,\s]/.test(plain);
  const words = packed ? [...plain] : plain.replace(/,+$/, "").split(/\s*,\s*|\s+/);
  return words.filter((word) => word || words.length > 1).map((word) => column(word, text));
}

/** @param {string} word @param {string} text */
function column(word, text) {
  if (!/^\d+$/.test(word)) throw invalidInput("error.not_a_column", { text: shortened(text), word: shortened(word) });
  if (Number(word) === 0) throw invalidInput("error.column_zero", { text: shortened(text) });
  return Number(word) - 1;
}

/** The message of a broken rule, with numbers counted from 1. @param {Broken} broken */
export function brokenRuleText({ rule, facts: [one, two, three, four] }) {
  const side = (/** @type {number} */ number) => t(number ? "board.second" : "board.first");
  const tooLarge = { variant: `${one}x${two}x${three}`, most: four };
  /** @type {Record<string, Record<string, unknown>>} */
  const facts = {
    "UnsupportedVariant.perfect": tooLarge,
    "UnsupportedVariant.solver": tooLarge,
    "ImpossibleVariant.small": { width: one, height: two, run: three },
    "ImpossibleVariant.run": { width: one, height: two, run: three },
    ColumnOutOfRange: { column: one + 1, width: two },
    FloatingDisc: { column: one + 1, row: two + 1 },
    TooManyDiscs: { column: one + 1, discs: two, height: three },
    WrongDiscCount: { first: one, second: two },
    PlayedAfterWin: { side: side(one) },
    ColumnFull: { column: one + 1 },
  };
  return t(`error.${rule}`, facts[rule] ?? {});
}

/** The kind of a file, by its first characters. @param {string} text @returns {"saved" | "connect-z" | "moves"} */
export function fileKind(text) {
  if (text.trimStart().startsWith("{")) return "saved";
  return /^\s*\d+[ \t]+\d+[ \t]+\d+[ \t]*(\r|\n|$)/.test(text) ? "connect-z" : "moves";
}

/** Reads a Connect-Z file that the referee has accepted. @param {string} text */
export function parseGameFile(text) {
  const [head, ...lines] = text.split(/\r\n|\r|\n/).filter((line, at, all) => line || at < all.length - 1);
  const [width, height, run] = head
    .trim()
    .split(/[ \t]+/)
    .map(Number);
  return { variant: requireShowable({ width, height, run }), moves: lines.map((line) => Number(line) - 1) };
}

/** Reads a saved game in the format that every part of connectk writes. @param {string} text */
export function parseSaved(text) {
  const document = parseJson(text);
  if (document.format !== GAME_FORMAT) throw invalidInput("notation.format", { format: GAME_FORMAT });
  if (document.version !== 1 && document.version !== GAME_VERSION)
    throw invalidInput("notation.version", { version: String(document.version), last: GAME_VERSION });
  if (typeof document.variant !== "string" || typeof document.moves !== "string")
    throw invalidInput("notation.damaged", { reason: "variant, moves" });
  const variant = parseVariant(document.variant);
  const players = /** @type {Record<string, string>} */ (
    document.players && typeof document.players === "object" ? document.players : {}
  );
  return {
    variant,
    start: startOf(document),
    moves: parseMoves(document.moves, variant.width),
    players,
    given: Number(document.given ?? 0),
  };
}

/** @param {string} text @returns {Document} */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput("notation.not_json", { reason: error instanceof Error ? error.message : "" });
  }
}

/** The start of a saved game; version 1 wrote it as an object of columns. @param {Document} document */
function startOf({ version, start = version === 1 ? {} : "" }) {
  if (version === 1) return startFromColumns(start);
  if (typeof start !== "string") throw invalidInput("notation.start");
  return start;
}

/** @param {unknown} columns the discs of each column, with dots for empty cells */
function startFromColumns(columns) {
  if (!columns || typeof columns !== "object" || Array.isArray(columns))
    throw invalidInput("notation.not_object", { what: "start" });
  const discs = Object.entries(columns).map(([at, letters]) => ({
    at: Number(at),
    letters: String(letters).replace(/\.+$/, "").replaceAll(".", "-"),
  }));
  return discs
    .filter(({ letters }) => letters)
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, letters }) => `${at}${letters}`)
    .join(".");
}

/** @param {{ variant: string, start?: string, moves: string, players: Record<string, string>, result: unknown }} game */
export function writeSaved({ variant, start, moves, players, result }) {
  const document = {
    format: GAME_FORMAT,
    version: GAME_VERSION,
    variant,
    ...(start && { start }),
    moves,
    players,
    result,
    time: { started: null, ended: null, seconds: [] },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
