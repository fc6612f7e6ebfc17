// The seats above and below the board: disc, name, games won, clock.
import { discIcon, h } from "../common/dom.js";
import { labelBoardFor } from "../board/labels.js";
import { drawFace } from "./faces.js";
import { t } from "../texts/texts.js";

const LOW_TIME_SECONDS = 20; // a clock with less time is highlighted

/** @import { ConnectkBoard } from "../board/board.js"
 *  @import { Side } from "../page-types.js"
 *  @typedef {{ side: Side, name: string, turn?: boolean, you?: boolean, away?: boolean, level?: number | null, wins?: number | null, clock?: boolean,
 *    rating?: string | null, said?: string, drawSaid?: () => Node | null }} Seat */

/** Shows the seats around the page's board. @param {Seat | null} above @param {Seat | null} below */
export const showSeats = (above, below) =>
  showSeatsAround(
    /** @type {ConnectkBoard} */ (document.querySelector("#board connectk-board")),
    document,
    above,
    below,
  );

/** @param {ConnectkBoard} board @param {Document | ShadowRoot} root in which the places above and below the board are
 * @param {Seat | null} above @param {Seat | null} below */
export function showSeatsAround(board, root, above, below) {
  labelBoardFor(board, Object.fromEntries([above, below].flatMap((seat) => (seat ? [[seat.side, seat.name]] : []))));
  for (const [id, seat] of Object.entries({ above, below })) {
    const place = /** @type {HTMLElement} */ (root.getElementById(id));
    const shown = JSON.stringify(seat);
    if (place.dataset.shown === shown) continue; // keeps the clock's element
    place.dataset.shown = shown;
    place.classList.toggle("turn", Boolean(seat?.turn));
    place.replaceChildren(...(seat ? seatRow(seat) : []));
  }
}

/** @param {Seat} seat @returns {Node[]} */
function seatRow({ side, name, you, away, level, wins, clock, rating, said, drawSaid }) {
  return [
    discIcon(side),
    level && drawFace(level),
    h("span.name", name),
    rating && h("span.quiet.number", rating),
    you && h("span.quiet.small", t("play.that_is_you")),
    away && h("span.quiet.small", t("play.away")),
    wins !== null && wins !== undefined && h("span.wins.number", t("play.wins", { count: wins })),
    said && h("span.said", drawSaid?.() ?? said),
    clock && h("span.clock.number", { "data-side": side }),
  ].filter((part) => part instanceof Node);
}

/** @param {(side: Side) => number} secondsLeft */
export function showClocks(secondsLeft) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".seat .clock"))) {
    const left = secondsLeft(element.dataset.side === "first" ? "first" : "second");
    const words = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    if (element.textContent !== words) element.textContent = words;
    element.classList.toggle("short", left < LOW_TIME_SECONDS);
  }
}
