// What the server says about a position, in the board's own terms. Nothing is worked out here but the order of things.
import { MAX_BOARD_BITS, MAX_WIDTH_WITHOUT_COMMAS } from "../common/constants.js";
import { startDiscs } from "./start.js";

/** @import { BoardState, Cell, Disc, Side, Size } from "../shapes.js"
 *  @import { GameMomentView, MomentView, VariantView, WholeGameAnswer } from "../types.js" */

/** @type {Record<string, Side>} */
const SIDES = { x: "first", o: "second" };

/** @param {string[]} board @returns {Disc[]} */
export function discsOf(board) {
  return board.flatMap((discs, column) => [...discs].map((letter, row) => ({ column, row, side: SIDES[letter] })));
}

/** Whether the solver takes on such a board, and so whether it can be explained: one bit more than its height for each column. @param {Size} size */
export const canExplain = ({ width, height }) => width * (height + 1) <= MAX_BOARD_BITS;

/** @param {[number, number]} place @returns {Cell} */
export const cell = ([column, row]) => ({ column, row });

/** @param {MomentView & { board?: string[] }} view @param {Size} size @param {Side | null} hand @param {Disc[]} discs @returns {BoardState} */
export function boardOf(view, { width, height }, hand = null, discs = discsOf(view.board ?? [])) {
  return {
    width,
    height,
    discs,
    open: view.legal_columns,
    hand,
    last: view.last_drop && cell(view.last_drop),
    lines: view.winning_lines.map((line) => line.map(cell)),
  };
}

// A written game at one of its plies: the discs it began with, and those dropped since.
/** @param {WholeGameAnswer} game @param {number} ply @param {Side | null} hand */
export function gameBoard(game, ply, hand = null) {
  const dropped = game.positions.slice(1, ply + 1).flatMap(discOf);
  return boardOf(game.positions[ply], game.variant, hand, [...startDiscs(game.start), ...dropped]);
}

/** The disc that was dropped last. @param {GameMomentView} moment @returns {Disc[]} */
function discOf({ last_drop: drop, ply }) {
  return drop ? [{ ...cell(drop), side: ply % 2 ? "first" : "second" }] : [];
}

/** @param {string} text @returns {VariantView} */
export function variantOf(text) {
  const [width, height, run] = text.split("x").map(Number);
  return { width, height, run };
}

/** @param {VariantView} variant */
export function writeVariant({ width, height, run }) {
  return `${width}x${height}x${run}`;
}

/** The numbers of columns as people write them: 4453, or with commas on a wide board. @param {number[]} columns @param {number} width */
export function writeMoves(columns, width) {
  return columns.map((column) => column + 1).join(separatorOf(width));
}

/** What stands between two moves. @param {number} width */
export const separatorOf = (width) => (width > MAX_WIDTH_WITHOUT_COMMAS ? "," : "");
