// My games: what this device has played, to go on with, look at again, share or delete.
import { asked } from "../common/ask.js";
import { button, h } from "../common/dom.js";
import { forgetGame, keptGames } from "../match/games.js";
import { gamePath, link } from "../common/paths.js";
import { share } from "../common/share.js";
import { language, t } from "../texts/texts.js";

/** @import { Kept } from "../match/games.js"
 *  @import { Page } from "../shapes.js" */

/** @param {Page} page */
export async function open(page) {
  page.panel.className = "panel wide";
  const status = h("p.quiet.small", { role: "status" });
  const draw = () => {
    const games = keptGames();
    /** @param {string} title @param {Kept[]} some */
    const list = (title, some) =>
      some.length
        ? [
            h("h2", title),
            h(
              "ul.matches.games",
              some.map((game) => row(game, page, status, draw)),
            ),
          ]
        : [];
    page.panel.replaceChildren(
      h("div.stack", h("h1", t("games.title")), h("p.quiet", t(games.length ? "games.lead" : "games.none"))),
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

/** @param {Kept} game @param {Page} page @param {HTMLElement} status @param {() => void} draw */
function row(game, page, status, draw) {
  const { names } = game;
  const path = gamePath({ variant: game.variant, moves: game.moves, start: game.start });
  const title = `${names.first} – ${names.second}`;
  /** @param {string} key @param {() => unknown} onclick @param {import("../common/dom.js").Attributes} attributes */
  const act = (key, onclick, attributes = {}) =>
    button(t(key), onclick, { "aria-label": `${t(key)}: ${title}`, ...attributes });
  return h(
    "li",
    h("div", h("strong", title), h("p.quiet.small", facts(game))),
    h(
      "div.row",
      !game.result && act("games.continue", () => page.go(`/match/${game.id}`), { class: "main" }),
      act("play.review", () => page.go(path, { players: names })),
      act("share.share", async () => {
        status.textContent = await share({ title, url: link(path) });
      }),
      act("games.delete", async () => {
        if (!(await asked(t("games.ask"), t("games.delete"), title))) return;
        forgetGame(game.id);
        draw();
      }),
    ),
  );
}

/** Which board, how far, how it ended, and when. @param {Kept} game */
function facts({ variant, ply, result, names, touched }) {
  const when = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(touched));
  const end =
    result && (result.winner ? t("result.other", { name: names[result.winner] }) : t("result.draw")).replace(/\.$/, "");
  return [variant.replace(/x/g, " × "), t("watch.discs", { count: ply }), end, when].filter(Boolean).join(" · ");
}
