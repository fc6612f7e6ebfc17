// Watch: a demo of any two players, and live matches that are public.
import { api } from "./api.js";
import { writeVariant } from "./boards.js";
import { button, field, h } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { playerName } from "./names.js";
import { t } from "./texts.js";

const REFRESH_MS = 5000;

export async function open(page) {
  const settings = { first: "level:5", second: "level:8", ...remembered("demo", {}) };
  const { players } = await api.players();
  const list = h("datalist", { id: "players" }, players.map(({ name, sentence }) => h("option", { value: name }, sentence)));
  const status = h("p", { class: "bad" });
  const matches = h("ul", { class: "matches" });
  const start = async () => {
    remember("demo", settings);
    const seat = (name) => ({ kind: "player", player: name.trim() });
    try {
      const { match } = await api.create({ first: seat(settings.first), second: seat(settings.second), public: true });
      page.go(`/match/${match.id}`);
    } catch (error) {
      status.textContent = error.message;
    }
  };
  page.panel.append(
    h("div", { class: "stack" }, h("h1", {}, t("watch.title")), h("p", { class: "quiet" }, t("home.lead.demo"))),
    player(t("name.first"), "first", settings), player(t("name.second"), "second", settings), list,
    h("div", { class: "row" }, button(t("home.start.demo"), start, { class: "main" })), status,
    h("h2", {}, t("watch.live")), matches,
    h("details", {}, h("summary", {}, t("watch.players")), h("dl", { class: "keys" },
      players.flatMap(({ name, sentence }) => [h("dt", {}, name), h("dd", { class: "quiet" }, sentence)]))));
  const refresh = async () => showMatches(matches, (await api.matches()).matches, page);
  await refresh();
  const timer = setInterval(() => refresh().catch(() => {}), REFRESH_MS);
  return { close: () => clearInterval(timer) };
}

function player(label, name, settings) {
  const input = h("input", { type: "text", list: "players", value: settings[name], maxlength: 60, autocomplete: "off", "aria-label": label,
    oninput: () => { settings[name] = input.value; } });
  return field(t(`side.${name}`), input);
}

function showMatches(list, matches, page) {
  const name = (seat) => (seat.kind === "player" ? playerName(seat.player) : seat.kind === "free" ? t("play.free_seat") : seat.name);
  const row = (match) => h("li", {},
    h("span", {}, `${name(match.seats.first) || t("name.first")} – ${name(match.seats.second) || t("name.second")} `,
      h("span", { class: "quiet small" }, `${writeVariant(match.variant)}, ${t("watch.discs", { count: match.state.ply })}`)),
    button(t("watch.watch"), () => page.go(`/match/${match.id}`)));
  list.replaceChildren(...(matches.length ? matches.map(row) : [h("li", { class: "quiet" }, t("watch.none"))]));
}
