// The screen to start a demo match of two computers, or to watch a running match.
import { api, runOrShowError, hasServer } from "../common/api.js";
import { writeVariant } from "../board/convert.js";
import { button, field, h, select } from "../common/dom.js";
import { playerName, playerOptions } from "../texts/levels.js";
import { redrawWhenReleased } from "../common/deferred-redraw.js";
import { MatchSetup } from "../match/setup.js";
import { t } from "../texts/texts.js";

/** @import { MatchView, SeatView } from "../types.js"
 *  @import { Page, Side } from "../page-types.js" */

const REFRESH_INTERVAL_MS = 5000;

/** @param {Page} page */
export async function open(page) {
  const status = h("p.bad", { role: "status" });
  const matches = h("ul.matches");
  const setup = new MatchSetup((name) => {
    if (name !== "any") fields.replaceChildren(...drawn());
  });
  const start = async () => {
    const { match } = await setup.create("demo");
    page.navigate(`/match/${match.id}`, { fromStart: true });
  };
  /** @param {Side} side */
  const player = (side) =>
    field(
      t(`side.${side}`),
      select(t(`name.${side}`), playerSelectOptions(setup.values[side]), setup.values[side], (value) =>
        setup.set(side, value),
      ),
    );
  const drawn = () => [player("first"), player("second"), ...setup.boardFields()];
  const fields = h("div.stack", ...drawn());
  page.board.show({});
  page.panel.append(
    h("div.stack", h("h1", t("watch.title")), h("p.quiet", t("home.lead.demo"))),
    fields,
    h(
      "div.row",
      button(t("home.start.demo"), () => runOrShowError(status, start), { class: "main" }),
    ),
    status,
  );
  if (!hasServer) return null; // without a server there are no matches of other people and no arena results
  page.panel.append(h("p", h("a", { href: "#/arena" }, t("arena.title"))), h("h2", t("watch.live")), matches);
  const refresh = async () => showMatches(matches, (await api.matches()).matches, page);
  await refresh();
  const timer = setInterval(() => refresh().catch(() => {}), REFRESH_INTERVAL_MS);
  return { close: () => clearInterval(timer) };
}

/** @param {string} chosen */
const playerSelectOptions = (chosen) => {
  const all = playerOptions(hasServer);
  return all.some(([player]) => player === chosen) ? all : [...all, [chosen, chosen]];
};

/** @param {HTMLElement} list @param {MatchView[]} matches @param {Page} page */
function showMatches(list, matches, page) {
  /** @param {SeatView} seat */
  const name = (seat) =>
    seat.player ? playerName(seat.player) : seat.kind === "free" ? t("play.free_seat") : seat.name || t("name.guest");
  /** @param {MatchView} match */
  const row = (match) =>
    h(
      "li",
      h(
        "span",
        `${name(match.seats.first)} – ${name(match.seats.second)} `,
        h("span.quiet.small", `${writeVariant(match.variant)}, ${t("watch.discs", { count: match.state.ply })}`),
      ),
      button(t("watch.watch"), () => page.navigate(`/match/${match.id}`)),
    );
  const isDemo = (/** @type {MatchView} */ { seats }) => seats.first.player !== null && seats.second.player !== null;
  const sorted = matches.toSorted((one, other) => Number(isDemo(one)) - Number(isDemo(other))); // people first
  const rows = sorted.length ? sorted.map(row) : [h("li.quiet", t("watch.none"))];
  redrawWhenReleased(list, () => list.replaceChildren(...rows));
}
