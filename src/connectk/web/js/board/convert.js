// Converts positions, variants and moves between the format of the server and that of the board component.
import { MAX_BOARD_BITS, MAX_WIDTH_WITHOUT_COMMAS } from "../common/constants.js";
import { startDiscs } from "./start-position.js";

/** @import { BoardState, Cell, Disc, Side, Size } from "../page-types.js"
 *  @import { GameMomentView, MomentView, VariantView, WholeGameAnswer } from "../types.js" */

/** @type {Record<string, Side>} */
const SIDE_OF_LETTER = { x: "first", o: "second" };

/** @param {string[]} board @returns {Disc[]} */
export function discsOf(board) {
  return board.flatMap((discs, column) =>
    [...discs].map((letter, row) => ({ column, row, side: SIDE_OF_LETTER[letter] })),
  );
}

/** Whether the board fits the solver, which explanations need: each column takes one bit more than its height. @param {Size} size */
export const canExplain = ({ width, height }) => width * (height + 1) <= MAX_BOARD_BITS;

/** @param {[number, number]} place @returns {Cell} */
export const toCell = ([column, row]) => ({ column, row });

/** @param {MomentView & { board?: string[] }} view @param {Size} size @param {Side | null} hand @param {Disc[]} discs @returns {BoardState} */
export function boardState(view, { width, height }, hand = null, discs = discsOf(view.board ?? [])) {
  return {
    width,
    height,
    discs,
    open: view.legal_columns,
    hand,
    last: view.last_drop && toCell(view.last_drop),
    lines: view.winning_lines.map((line) => line.map(toCell)),
  };
}

// The board of a game at a ply: the discs of the start and the discs that were dropped since.
/** @param {WholeGameAnswer} game @param {number} ply @param {Side | null} hand */
export function boardAtPly(game, ply, hand = null) {
  const dropped = game.positions.slice(1, ply + 1).flatMap(lastDisc);
  return boardState(game.positions[ply], game.variant, hand, [...startDiscs(game.start), ...dropped]);
}

/** The discs of moves from the empty board. @param {number[]} columns @returns {Disc[]} */
export const discsOfMoves = (columns) =>
  columns.map((column, ply) => ({
    column,
    row: columns.slice(0, ply).filter((one) => one === column).length,
    side: ply % 2 ? "second" : "first",
  }));

/** The disc that was dropped last. @param {GameMomentView} moment @returns {Disc[]} */
function lastDisc({ last_drop: drop, ply }) {
  return drop ? [{ ...toCell(drop), side: ply % 2 ? "first" : "second" }] : [];
}

/** @param {string} text @returns {VariantView} */
export function variantFromText(text) {
  const [width, height, run] = text.split("x").map(Number);
  return { width, height, run };
}

/** @param {VariantView} variant */
export function writeVariant({ width, height, run }) {
  return `${width}x${height}x${run}`;
}

/** Writes moves as text, with columns counted from 1: 4453, or with commas on a wide board.
 * @param {number[]} columns @param {number} width */
export function writeMoves(columns, width) {
  return columns.map((column) => column + 1).join(moveSeparator(width));
}

/** @param {number} width */
export const moveSeparator = (width) => (width > MAX_WIDTH_WITHOUT_COMMAS ? "," : "");
