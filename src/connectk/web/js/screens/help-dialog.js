// The help dialog: the rules in pictures and text, and the keys. Opened with `?`.
import { button, h, openDialog } from "../common/dom.js";
import { svg } from "../board/drawing.js";
import { discAt, drawMiniBoard } from "../board/mini-board.js";
import { drawLine } from "../board/overlays.js";
import { DISC_LETTERS, SIDES } from "../board/start-position.js";
import { CELL_SIZE, DISC_RADIUS } from "../common/constants.js";
import { t } from "../texts/texts.js";

const KEY_HELP = [
  ["1 – 9", "help.digits"],
  ["← →", "help.arrows"],
  ["↑ ↓", "help.rows"],
  ["Enter", "help.enter"],
  ["U", "help.undo"],
  ["R", "help.redo"],
  ["H", "help.hint"],
  ["Tab", "help.tab"],
  ["?", "help.help"],
];

// Example boards of five by four: columns from left to right, discs from the bottom up, and perhaps a winning line or a falling disc.
/** @import { Cell } from "../page-types.js"
 *  @typedef {{ text: string, columns: string[], line?: Cell[], falls?: { column: number, side: import("../page-types.js").Side } }} Example */

/** Four cells from the first one on. @param {number} column @param {number} right @param {number} up @returns {Cell[]} */
const fourFrom = (column, right, up) => [0, 1, 2, 3].map((step) => ({ column: column + step * right, row: step * up }));

/** @type {Example[]} */
const EXAMPLES = [
  { text: "help.picture.drop", columns: ["", "x", "o", "", ""], falls: { column: 2, side: "first" } },
  { text: "help.picture.across", columns: ["x", "x", "x", "x", "oo"], line: fourFrom(0, 1, 0) },
  { text: "help.picture.up", columns: ["", "o", "xxxx", "o", "o"], line: fourFrom(2, 0, 1) },
  { text: "help.picture.slanting", columns: ["x", "ox", "oox", "xoox", ""], line: fourFrom(0, 1, 1) },
];

export function openHelp() {
  const open = document.querySelector("dialog");
  if (open) return void open.close();
  const dialog = openDialog(
    { "aria-labelledby": "help-title" },
    h(
      "div.stack", // The heading takes the focus: the only button is at the end, and focusing it would scroll a small screen.
      h("h2", { id: "help-title", tabindex: -1, autofocus: true }, t("help.title")),
      h("p", t("help.rules")),
      h(
        "div.pictures",
        EXAMPLES.map((picture) => h("figure", drawExample(picture), h("figcaption", t(picture.text)))),
      ),
      h("p", t("help.touch")),
      h(
        "dl.keys.pairs",
        KEY_HELP.flatMap(([key, text]) => [h("dt", h("kbd", key)), h("dd", t(text))]),
      ),
      h("p.quiet", t("help.files")),
      h(
        "div.row",
        button(t("help.close"), () => dialog.close(), { class: "main" }),
      ),
    ),
  );
}

/** @param {Example} picture */
function drawExample({ columns, line, falls }) {
  const discs = columns.flatMap((letters, column) =>
    [...letters].map((letter, row) => ({ column, row, side: SIDES[DISC_LETTERS.indexOf(letter)] })),
  );
  return drawMiniBoard({ width: columns.length, height: 4, discs }, (g) => [
    ...(line ? drawLine(g, line) : []),
    ...(falls ? drawFalling(g, falls, columns[falls.column].length) : []),
  ]);
}

/** @param {import("../board/drawing.js").Geometry} g @param {NonNullable<Example["falls"]>} falls @param {number} row where it lands */
const drawFalling = (g, { side, column }, row) => [
  discAt(side, g.x(column), g.hoverY),
  svg("circle", { class: `landing seen ${side}`, r: DISC_RADIUS - 8, cx: g.x(column), cy: g.y(row) }),
  svg("path", { class: "hint-arrow", d: `M${g.x(column) - 14} ${g.frameTop + 0.4 * CELL_SIZE}h28l-14 20Z` }),
];
