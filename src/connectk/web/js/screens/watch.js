// Watch: two computers play for you, or a match that is on.
import { api, attempt, hasServer } from "../common/api.js";
import { writeVariant } from "../board/boards.js";
import { button, field, h, select } from "../common/dom.js";
import { playerName, playerOptions } from "../texts/levels.js";
import { whenReleased } from "../common/press.js";
import { Setup } from "../match/setup.js";
import { t } from "../texts/texts.js";

/** @import { MatchView, SeatView } from "../types.js"
 *  @import { Page, Side } from "../shapes.js" */

const REFRESH_MS = 5000;

/** @param {Page} page */
export async function open(page) {
  const status = h("p.bad", { role: "status" });
  const matches = h("ul.matches");
  const setup = new Setup(() => fields.replaceChildren(...drawn()));
  const start = async () => {
    const { match } = await setup.create("demo");
    page.go(`/match/${match.id}`, { fromStart: true });
  };
  /** @param {Side} side */
  const player = (side) =>
    field(
      t(`side.${side}`),
      select(t(`name.${side}`), options(setup.values[side]), setup.values[side], (value) => setup.set(side, value)),
    );
  const drawn = () => [player("first"), player("second"), ...setup.boards()];
  const fields = h("div.stack", ...drawn());
  page.board.show({});
  page.panel.append(
    h("div.stack", h("h1", t("watch.title")), h("p.quiet", t("home.lead.demo"))),
    fields,
    h(
      "div.row",
      button(t("home.start.demo"), () => attempt(status, start), { class: "main" }),
    ),
    status,
  );
  if (!hasServer) return null; // nobody else's matches, and no tables of an arena
  page.panel.append(h("p", h("a", { href: "#/arena" }, t("arena.title"))), h("h2", t("watch.live")), matches);
  const refresh = async () => showMatches(matches, (await api.matches()).matches, page);
  await refresh();
  const timer = setInterval(() => refresh().catch(() => {}), REFRESH_MS);
  return { close: () => clearInterval(timer) };
}

/** @param {string} chosen */
const options = (chosen) => {
  const all = playerOptions(hasServer);
  return all.some(([player]) => player === chosen) ? all : [...all, [chosen, chosen]];
};

/** @param {HTMLElement} list @param {MatchView[]} matches @param {Page} page */
function showMatches(list, matches, page) {
  /** @param {SeatView} seat */
  const name = (seat) =>
    seat.player ? playerName(seat.player) : seat.kind === "free" ? t("play.free_seat") : seat.name;
  /** @param {MatchView} match */
  const row = (match) =>
    h(
      "li",
      h(
        "span",
        `${name(match.seats.first) || t("name.first")} – ${name(match.seats.second) || t("name.second")} `,
        h("span.quiet.small", `${writeVariant(match.variant)}, ${t("watch.discs", { count: match.state.ply })}`),
      ),
      button(t("watch.watch"), () => page.go(`/match/${match.id}`)),
    );
  const rows = matches.length ? matches.map(row) : [h("li.quiet", t("watch.none"))];
  whenReleased(list, () => list.replaceChildren(...rows));
}
