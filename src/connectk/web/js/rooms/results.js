// The results of a closed room: every game with its review, and downloads of the standings and all games.
import { runOrShowError } from "../common/api.js";
import { button, download, h } from "../common/dom.js";
import { gamePath } from "../common/paths.js";
import { table } from "../common/table.js";
import { roomApi } from "./api.js";
import { pointsText } from "./elements.js";
import { t } from "../texts/texts.js";

/** @import { Page } from "../page-types.js"
 *  @import { CrosstableLineView, RoomGameView, RoomView } from "../types.js" */

/** Each file's button, name and kind. @type {[string, string, string][]} */
const RESULT_FILES = [
  ["room.results.table", "table", "csv"],
  ["room.results.crosstable_csv", "crosstable", "csv"],
  ["room.results.games_csv", "games", "csv"],
  ["room.results.games", "games", "zip"],
];

/** @param {RoomView} room @param {Page} page */
export function roomResults(room, page) {
  const list = h("ol.matches.room-games");
  const status = h("p.quiet.small", { role: "status" });
  const more = button(t("room.results.more"), () => fetchMore(), { hidden: true });
  const fetchMore = () => runOrShowError(status, nextPage);
  let last = 0;
  const nextPage = async () => {
    const answer = await roomApi.games(room.code, last);
    last = answer.games.at(-1)?.number ?? last;
    list.append(...answer.games.map((game) => gameRow(game, page)));
    more.hidden = !answer.more;
  };
  /** @param {string} file */
  const save = (file) =>
    runOrShowError(status, async () =>
      download(`connectk-${room.code}-${file}`, await roomApi.download(room.code, file)),
    );
  fetchMore();
  return h(
    "section.stack",
    h("h2", t("room.results")),
    h(
      "div.row",
      RESULT_FILES.map(([key, name, kind]) => button(t(key), () => save(`${name}.${kind}`))),
    ),
    status,
    crosstableSection(room),
    list,
    more,
  );
}

/** The crosstable, which is fetched when it is opened. @param {RoomView} room */
function crosstableSection(room) {
  const place = h("div");
  const fetchTable = () =>
    runOrShowError(place, async () => {
      const { lines } = await roomApi.crosstable(room.code);
      place.replaceChildren(drawCrosstable(lines));
    });
  return h(
    "details.crosstable",
    {
      ontoggle: (/** @type {Event} */ { target }) =>
        target instanceof HTMLDetailsElement && target.open && fetchTable(),
    },
    h("summary", t("room.results.crosstable")),
    place,
  );
}

/** @param {CrosstableLineView[]} lines */
function drawCrosstable(lines) {
  const drawn = table(
    t("room.results.crosstable"),
    [t("room.table.name"), t("room.table.points"), ...lines.map((_, index) => String(index + 1))],
    lines.map((line, own) => [
      [h("span.rank", `${own + 1}. `), line.name],
      pointsText(line.points),
      ...line.results.map((results, index) => (index === own ? "×" : results.map(pointsText).join(" "))),
    ]),
  );
  drawn.classList.add("room-table");
  return drawn;
}

/** @param {RoomGameView} game @param {Page} page */
function gameRow(game, page) {
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
          page.navigate(path, { players: { first, second } });
        },
      },
      t("room.results.review"),
    ),
  );
}
