// Who sits above and below the board: disc, name, games won, clock.
import { chip, h } from "../common/dom.js";
import { t } from "../texts/texts.js";

const SHORT = 20; // seconds left that are shown in warning

/** @import { Side } from "../shapes.js"
 *  @typedef {{ side: Side, name: string, turn?: boolean, you?: boolean, away?: boolean, wins?: number | null, clock?: boolean }} Seat */

/** @param {Seat | null} above @param {Seat | null} below */
export function showSeats(above, below) {
  for (const [id, seat] of Object.entries({ above, below })) {
    const place = /** @type {HTMLElement} */ (document.getElementById(id));
    const shown = JSON.stringify(seat);
    if (place.dataset.shown === shown) continue; // the clock in it goes on
    place.dataset.shown = shown;
    place.classList.toggle("turn", Boolean(seat?.turn));
    place.replaceChildren(...(seat ? row(seat) : []));
  }
}

/** @param {Seat} seat @returns {Node[]} */
function row({ side, name, you, away, wins, clock }) {
  return [
    chip(side),
    h("span.name", name),
    you && h("span.quiet.small", t("play.that_is_you")),
    away && h("span.quiet.small", t("play.away")),
    wins !== null && wins !== undefined && h("span.wins.number", t("play.wins", { count: wins })),
    clock && h("span.clock.number", { "data-side": side }),
  ].filter((part) => part instanceof Node);
}

/** @param {(side: Side) => number} secondsLeft */
export function showClocks(secondsLeft) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".seat .clock"))) {
    const left = secondsLeft(element.dataset.side === "first" ? "first" : "second");
    const words = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    if (element.textContent !== words) element.textContent = words;
    element.classList.toggle("short", left < SHORT);
  }
}
