// The words that a screen reader speaks about the board.
import { t } from "./texts.js";

const WHAT = { null: "board.empty", first: "board.first", second: "board.second" };

export function describeBoard(board) {
  board.words = {
    board: t("board.label"),
    cell: (column, row, side) => t("board.cell", { column: column + 1, row: row + 1, what: t(WHAT[side]) }),
  };
}
