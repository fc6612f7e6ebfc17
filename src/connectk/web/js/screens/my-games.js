// The screen of the games on this device: continue, review, share or delete them.
import { confirmDialog } from "../common/confirm.js";
import { button, h } from "../common/dom.js";
import { deleteGame, savedGames } from "../match/saved-games.js";
import { gamePath, sharedUrl } from "../common/paths.js";
import { shareLink } from "../common/share-link.js";
import { drawFace } from "../match/faces.js";
import { LEVELS } from "../texts/levels.js";
import { winText } from "../texts/side-names.js";
import { language, t } from "../texts/texts.js";

/** @import { SavedGame } from "../match/saved-games.js"
 *  @import { Page } from "../page-types.js" */

/** @param {Page} page */
export async function open(page) {
  page.panel.className = "panel wide";
  const status = h("p.quiet.small", { role: "status" });
  const draw = () => {
    const games = savedGames();
    /** @param {string} title @param {SavedGame[]} some */
    const list = (title, some) =>
      some.length
        ? [
            h("h2", title),
            h(
              "ul.matches.games",
              some.map((game) => gameRow(game, page, status, draw)),
            ),
          ]
        : [];
    page.panel.replaceChildren(
      h("div.stack", h("h1", t("games.title")), h("p.quiet", t(games.length ? "games.lead" : "games.none"))),
      games.length ? "" : firstGame(),
      ...list(
        t("games.open"),
        games.filter(({ result }) => !result),
      ),
      ...list(
        t("games.finished"),
        games.filter(({ result }) => result),
      ),
      status,
    );
  };
  draw();
  return null;
}

/** The opponents, and a link to the first game. */
function firstGame() {
  return h(
    "div.stack",
    h(
      "div.row",
      LEVELS.map((level) => drawFace(level)),
    ),
    h("div.row", h("a.button.main", { href: "#/" }, t("page.nav.play"))),
  );
}

/** @param {SavedGame} game @param {Page} page @param {HTMLElement} status @param {() => void} draw */
function gameRow(game, page, status, draw) {
  const { names } = game;
  const path = gamePath({ variant: game.variant, moves: game.moves, start: game.start });
  const title = `${names.first} – ${names.second}`;
  /** @param {string} key @param {() => unknown} onclick @param {import("../common/dom.js").Attributes} attributes */
  const act = (key, onclick, attributes = {}) =>
    button(t(key), onclick, { "aria-label": `${t(key)}: ${title}`, ...attributes });
  return h(
    "li",
    h("div", h("strong", title), h("p.quiet.small", gameSummary(game))),
    h(
      "div.row",
      !game.result && act("games.continue", () => page.navigate(`/match/${game.id}`), { class: "main" }),
      act("play.review", () => page.navigate(path, { players: names })),
      act("share.share", async () => {
        status.textContent = await shareLink({ title, url: sharedUrl(path) });
      }),
      act("games.delete", async () => {
        if (!(await confirmDialog(t("games.ask"), t("games.delete"), title))) return;
        deleteGame(game.id);
        draw();
      }),
    ),
  );
}

/** The board, the number of discs, the result and the date. @param {SavedGame} game */
function gameSummary({ variant, ply, result, names, touched }) {
  const when = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(touched));
  const end = result && (result.winner ? winText(names[result.winner]) : t("result.draw")).replace(/\.$/, "");
  return [variant.replace(/x/g, " × "), t("watch.discs", { count: ply }), end, when].filter(Boolean).join(" · ");
}
