// How to play, in pictures and words, and what the keys do: opened with `?`.
import { button, h, openDialog } from "../common/dom.js";
import { Geometry, disc, frameOf, moveTo, svg } from "../board/drawing.js";
import { CELL, RADIUS } from "../common/constants.js";
import { t } from "../texts/texts.js";

const KEYS = [
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

// Small boards of five by four, columns from left to right, discs from the bottom up; then the line, and where a disc falls.
/** @typedef {{ text: string, columns: string[], line?: [number, number][], falls?: { column: number, side: import("../shapes.js").Side } }} Picture */

/** @type {Picture[]} */
const PICTURES = [
  { text: "help.picture.drop", columns: ["", "x", "o", "", ""], falls: { column: 2, side: "first" } },
  {
    text: "help.picture.across",
    columns: ["x", "x", "x", "x", "oo"],
    line: [
      [0, 0],
      [3, 0],
    ],
  },
  {
    text: "help.picture.up",
    columns: ["", "o", "xxxx", "o", "o"],
    line: [
      [2, 0],
      [2, 3],
    ],
  },
  {
    text: "help.picture.slanting",
    columns: ["x", "ox", "oox", "xoox", ""],
    line: [
      [0, 0],
      [3, 3],
    ],
  },
];

export function openHelp() {
  const open = document.querySelector("dialog");
  if (open) return void open.close();
  const dialog = openDialog(
    { "aria-labelledby": "help-title" },
    h(
      "div.stack", // The focus starts at the heading: the only button is at the end, and would scroll a small screen there.
      h("h2", { id: "help-title", tabindex: -1, autofocus: true }, t("help.title")),
      h("p", t("help.rules")),
      h(
        "div.pictures",
        PICTURES.map((picture) => h("figure", drawn(picture), h("figcaption", t(picture.text)))),
      ),
      h("p", t("help.touch")),
      h(
        "dl.keys",
        KEYS.flatMap(([key, text]) => [h("dt", h("kbd", key)), h("dd", t(text))]),
      ),
      h("p.quiet", t("help.files")),
      h(
        "div.row",
        button(t("help.close"), () => dialog.close(), { class: "main" }),
      ),
    ),
  );
}

/** @param {Picture} picture */
function drawn({ columns, line, falls }) {
  const g = new Geometry(columns.length, 4);
  const { wall, frame } = frameOf(g);
  /** @param {import("../shapes.js").Side} side @param {number} column @param {number} y */
  const put = (side, column, y) => {
    const one = disc(side);
    moveTo(one, g.x(column), y);
    return one;
  };
  const discs = columns.flatMap((letters, column) =>
    [...letters].map((letter, row) => put(letter === "x" ? "first" : "second", column, g.y(row))),
  );
  const strokes = line
    ? ["line-edge", "line"].map((kind) =>
        svg("line", {
          class: kind,
          x1: g.x(line[0][0]),
          y1: g.y(line[0][1]),
          x2: g.x(line[1][0]),
          y2: g.y(line[1][1]),
        }),
      )
    : [];
  return svg(
    "svg",
    { class: "mini", "aria-hidden": "true", viewBox: g.viewBox(0, g.frameBottom + 8) },
    wall,
    ...discs,
    frame,
    ...strokes,
    ...(falls
      ? [
          put(falls.side, falls.column, g.hoverY),
          svg("circle", {
            class: `landing seen ${falls.side}`,
            r: RADIUS - 8,
            cx: g.x(falls.column),
            cy: g.y(columns[falls.column].length),
          }),
          svg("path", { class: "hint-arrow", d: `M${g.x(falls.column) - 14} ${g.frameTop + 0.4 * CELL}h28l-14 20Z` }),
        ]
      : []),
  );
}
