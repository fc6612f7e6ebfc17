// The bar above a board that is too large to be shown whole: a small map of the board, and a button that shows all of it.
// The module is loaded with the first such board.
import { button, h } from "../common/dom.js";
import { t } from "../texts/texts.js";
import { svg } from "./drawing.js";

/** @import { ConnectkBoard } from "./board.js" */

/** @param {ConnectkBoard} board @param {HTMLElement} place in which the board scrolls */
export function addOverview(board, place) {
  const map = svg("svg", { class: "map", "aria-hidden": "true" });
  const whole = button("", () => board.toggleWhole());
  const bar = h("div.overview", { hidden: true }, map, whole); // shown with its words, never before them
  place.before(bar);
  const draw = () => {
    bar.hidden = !board.isLarge;
    if (bar.hidden) return;
    whole.textContent = t("board.fit");
    whole.setAttribute("aria-pressed", String(board.hasAttribute("fit")));
    drawMap(map, board, place);
  };
  map.addEventListener("click", (event) => scrollTo(map, board, place, event));
  place.addEventListener("scroll", draw, { passive: true });
  board.addEventListener("shown", draw);
  new ResizeObserver(draw).observe(board);
  draw();
}

/** Draws the discs of the whole board and a frame around the visible part. @param {SVGSVGElement} map @param {ConnectkBoard} board @param {HTMLElement} place */
function drawMap(map, board, place) {
  const { width, height, discs } = board.state;
  map.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const share = { x: place.clientWidth / place.scrollWidth, y: place.clientHeight / place.scrollHeight };
  const from = { x: place.scrollLeft / place.scrollWidth, y: place.scrollTop / place.scrollHeight };
  const rows = board.drawnRows;
  map.replaceChildren(
    svg("rect", { class: "map-board", width, height }),
    ...discs.map(({ column, row, side }) =>
      svg("rect", { class: `map-disc ${side}`, x: column, y: height - 1 - row, width: 1, height: 1 }),
    ),
    svg("rect", {
      class: "map-window",
      x: from.x * width,
      y: height - rows + from.y * rows,
      width: share.x * width,
      height: share.y * rows,
    }),
  );
}

/** @param {SVGSVGElement} map @param {ConnectkBoard} board @param {HTMLElement} place @param {MouseEvent} event */
function scrollTo(map, board, place, event) {
  const box = map.getBoundingClientRect();
  const { height } = board.state;
  const x = (event.clientX - box.left) / box.width;
  const y = (((event.clientY - box.top) / box.height) * height - (height - board.drawnRows)) / board.drawnRows;
  place.scrollTo({
    left: x * place.scrollWidth - place.clientWidth / 2,
    top: y * place.scrollHeight - place.clientHeight / 2,
  });
}
