// The words that a screen reader speaks about the board, and the language that they are in.
import { LANGUAGES } from "../common/constants.js";
import { h } from "../common/dom.js";
import { chooseLanguage, language, t } from "../texts/texts.js";

/** @import { ConnectkBoard } from "./board.js" */

const WHAT = { first: "board.first", second: "board.second" };

/** @param {ConnectkBoard} board */
export function describeBoard(board) {
  board.words = {
    board: t("board.label"),
    cell: (column, row, side) =>
      t("board.cell", { column: column + 1, row: row + 1, what: t(side ? WHAT[side] : "board.empty") }),
  };
}

/** The languages to choose from; the board speaks the new one before the rest is drawn anew.
 * @param {HTMLSelectElement} menu @param {ConnectkBoard} board @param {() => unknown} changed */
export function buildLanguages(menu, board, changed) {
  menu.replaceChildren(
    ...Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, lang: code }, name)),
  );
  menu.value = language;
  menu.addEventListener("change", async () => {
    await chooseLanguage(menu.value);
    describeBoard(board);
    await changed();
  });
}
