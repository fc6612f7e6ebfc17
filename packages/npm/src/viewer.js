// A game to look through: the page's review, with the moves, their labels and reasons, the graph, and other moves to try.
import { SIDES } from "page/board/start-position.js";
import { button, discIcon, h } from "page/common/dom.js";
import { parseMoves } from "page/core/notation.js";
import { ReviewScreen } from "page/review/review-screen.js";
import { t } from "page/texts/texts.js";
import { api } from "./api.js";

/** @import { Page } from "page/page-types.js"
 *  @import { ConnectkBoardElement } from "./element.js" */

const VARIATION_PATTERN = /^(\d+)\.([\d,]+)$/;

/** @param {number} column */
const columnText = (column) => column + 1;

/** @param {Page} page @param {ConnectkBoardElement} host */
export async function open(page, host) {
  const [variant, moves, start] = [host.text("variant", "7x6x4"), host.text("moves"), host.text("start")];
  const players = { first: host.text("first"), second: host.text("second") };
  const source = { ...api, isFixed: host.has("readonly") };
  const screen = new ReviewScreen(page, { players, isStandalone: true }, source);
  Object.assign(screen.options, { scores: host.has("scores"), explorer: false });
  const stopListening = new AbortController();
  const state = () => ({ ply: screen.ply, moves: screen.state.mainGame ? screen.game.columns : [] });
  let shown = "";
  const tell = () => {
    if (!screen.state.mainGame) return;
    const now = state();
    host.showComment(screen.state.variation ? -1 : now.ply);
    if (shown === JSON.stringify(now)) return;
    shown = JSON.stringify(now);
    host.emit("ply", { ...now, isVariation: screen.state.variation !== null });
  };
  page.board.addEventListener("shown", tell, { signal: stopListening.signal });
  await screen.load({ variant, moves, start }, host.has("ply") ? Number(host.text("ply")) : null);
  const written = host.text("variations").split(/\s+/).filter(Boolean);
  if (written.length) page.panel.prepend(variationButtons(screen, written));
  return {
    state,
    onKey: (/** @type {KeyboardEvent} */ event) => screen.onKey(event),
    close: () => {
      stopListening.abort();
      screen.close();
    },
  };
}

/** The variations that the page around has given: 2.35 continues with columns 3 and 5 after two moves.
 * @param {ReviewScreen} screen @param {string[]} written */
function variationButtons(screen, written) {
  const { variant, start, moves } = screen.mainGame;
  const name = `${variant.width}x${variant.height}x${variant.run}`;
  const buttons = written.flatMap((text) => {
    const [, from, columns] = VARIATION_PATTERN.exec(text) ?? [];
    if (!columns) return [];
    const side = SIDES[(screen.mainGame.positions[0].ply + Number(from)) % 2];
    const one = button("", () => screen.showPath([name, moves || "-", start || "-", text]));
    one.append(discIcon(side), `${Number(from) + 1}: ${parseMoves(columns, variant.width).map(columnText).join(" ")}`);
    return [one];
  });
  return h("div.row.variations", { role: "group", "aria-label": t("play.moves") }, buttons);
}
