// The words that a screen reader speaks about the board.
import { t } from "./texts.js";

const WHAT = { first: "board.first", second: "board.second" };

/** @param {import("./board.js").ConnectkBoard} board */
export function describeBoard(board) {
  board.words = {
    board: t("board.label"),
    cell: (column, row, side) => t("board.cell", { column: column + 1, row: row + 1, what: t(side ? WHAT[side] : "board.empty") }),
  };
}
