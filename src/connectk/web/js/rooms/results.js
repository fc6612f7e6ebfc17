// What is left of a room: every game with its review, the table for a spreadsheet, all games in one file.
import { attempt } from "../common/api.js";
import { button, download, h } from "../common/dom.js";
import { gamePath } from "../common/paths.js";
import { roomApi } from "./api.js";
import { t } from "../texts/texts.js";

/** @import { Page } from "../shapes.js"
 *  @import { RoomGameView, RoomView } from "../types.js" */

/** @param {RoomView} room @param {Page} page */
export function resultsOf(room, page) {
  const list = h("ol.matches.room-games");
  const status = h("p.quiet.small", { role: "status" });
  const more = button(t("room.results.more"), () => fetchMore(), { hidden: true });
  const fetchMore = () => attempt(status, nextPage);
  let last = 0;
  const nextPage = async () => {
    const answer = await roomApi.games(room.code, last);
    last = answer.games.at(-1)?.number ?? last;
    list.append(...answer.games.map((game) => row(game, page)));
    more.hidden = !answer.more;
  };
  /** @param {"table" | "games"} what @param {"csv" | "zip"} kind */
  const save = (what, kind) =>
    attempt(status, async () => download(`connectk-${room.code}.${kind}`, await roomApi.file(room.code, what, kind)));
  fetchMore();
  return h(
    "section.stack",
    h("h2", t("room.results")),
    h(
      "div.row",
      button(t("room.results.table"), () => save("table", "csv")),
      button(t("room.results.games"), () => save("games", "zip")),
    ),
    list,
    more,
    status,
  );
}

/** @param {RoomGameView} game @param {Page} page */
function row(game, page) {
  const { first, second, winner } = game;
  const score = winner === null ? "½–½" : winner === "first" ? "1–0" : "0–1";
  const path = gamePath({ variant: game.variant, moves: game.moves, start: game.start });
  return h(
    "li",
    h("span", `${first} – ${second} `, h("strong", score)),
    h(
      "a",
      {
        href: `#${path}`,
        "aria-label": t("room.results.review_name", { first, second }),
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          page.go(path, { players: { first, second } });
        },
      },
      t("room.results.review"),
    ),
  );
}
