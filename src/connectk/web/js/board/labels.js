// The board's labels for screen readers, and the menu that changes the language.
import { LANGUAGES } from "../common/constants.js";
import { h } from "../common/dom.js";
import { chooseLanguage, language, t } from "../texts/texts.js";

/** @import { ConnectkBoard } from "./board.js"
 *  @import { Side } from "../page-types.js" */

const DISC_LABEL_KEYS = { first: "board.first", second: "board.second" };

/** The names of the players at each board. @type {WeakMap<ConnectkBoard, Partial<Record<Side, string>>>} */
const namesAt = new WeakMap();

/** @param {ConnectkBoard} board @param {Side} side */
function discLabel(board, side) {
  const name = namesAt.get(board)?.[side];
  return name && name !== t(`name.${side}`) ? name : t(DISC_LABEL_KEYS[side]);
}

/** Labels the cells with the names that are shown beside the board. @param {ConnectkBoard} board @param {Partial<Record<Side, string>>} shown */
export function labelBoardFor(board, shown) {
  const names = namesAt.get(board);
  if (names?.first === shown.first && names?.second === shown.second) return;
  namesAt.set(board, shown);
  labelBoard(board);
}

/** @param {ConnectkBoard} board */
export function labelBoard(board) {
  board.labels = {
    board: t("board.label"),
    cell: (column, row, side) =>
      t("board.cell", { column: column + 1, row: row + 1, what: side ? discLabel(board, side) : t("board.empty") }),
  };
}

/** Fills the language menu. On a change it labels the board again and then calls `changed`.
 * @param {HTMLSelectElement} menu @param {ConnectkBoard} board @param {() => unknown} changed */
export function buildLanguageMenu(menu, board, changed) {
  menu.replaceChildren(
    ...Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, lang: code }, name)),
  );
  menu.value = language;
  menu.addEventListener("change", async () => {
    await chooseLanguage(menu.value);
    labelBoard(board);
    await changed();
  });
}
