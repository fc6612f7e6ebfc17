// The screen of arena results: ratings and crosstable from a file of `connectk arena`.
import { api, errorMessage } from "../common/api.js";
import { h } from "../common/dom.js";
import { table } from "../common/table.js";
import { writeStorage, readStorage } from "../common/storage.js";
import { language, loadTextGroup, t } from "../texts/texts.js";

/** @import { ArenaAnswer, StandingView } from "../types.js"
 *  @import { NavigationState, Page } from "../page-types.js" */

/** @param {Page} page @param {string[]} _path @param {NavigationState | null} navigationState */
export async function open(page, _path, navigationState) {
  await loadTextGroup("later");
  const panel = page.panel;
  panel.className = "panel wide";
  const picker = h("input", {
    type: "file",
    "aria-label": t("arena.file"),
    onchange: async () => {
      const file = picker.files?.[0];
      if (file) await loadResults(page, await file.text());
    },
  });
  panel.append(
    h("div.stack", h("h1", t("arena.title")), h("p.quiet", t("arena.lead"))),
    picker,
    h("div.stack", { id: "arena-results", role: "region", "aria-label": t("arena.title") }),
  );
  if (navigationState?.text) await loadResults(page, navigationState.text);
  const kept = readStorage("arena", /** @type {ArenaAnswer | null} */ (null));
  if (kept?.groups && !navigationState?.text) draw(page, kept); // a reload keeps the results; older stored results have no groups
}

/** @param {Page} page @param {string} text */
async function loadResults(page, text) {
  try {
    const results = await api.arena(text);
    writeStorage("arena", results);
    draw(page, results);
    page.announce(t("arena.games", { count: results.games }));
  } catch (error) {
    resultsElement(page)?.replaceChildren(h("p.bad", { role: "alert" }, errorMessage(error)));
  }
}

/** @param {Page} page @param {ArenaAnswer} results */
function draw(page, results) {
  resultsElement(page)?.replaceChildren(
    summary(results),
    ratings(results),
    h("p.quiet.small", t("arena.scale")),
    ...(results.groups.length > 1 ? [h("p.bad", noScale(results))] : []),
    crosstable(results),
    ...results.forfeits.map(forfeit),
  );
}

/** @param {Page} page */
const resultsElement = (page) => page.panel.querySelector("#arena-results");

/** @param {number} value @param {number} most @param {number} least */
const formatNumber = (value, most = 0, least = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most }).format(value);
/** @param {number} value */
const formatSigned = (value) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 0, signDisplay: "exceptZero" }).format(value);
/** @param {ArenaAnswer["forfeits"][number]} fault */
const forfeit = ({ reason, games }) =>
  h("p.bad", t("arena.fault", { reason: reason[language] ?? reason.en, count: games }));

/** @param {ArenaAnswer} results */
const noScale = ({ groups }) => t("arena.no_scale", { groups: groups.map((group) => group.join(", ")).join(" | ") });

/** @param {ArenaAnswer} results */
function summary({ games, different_games: different, draws, mean_length: discs }) {
  return h(
    "p",
    [
      t("arena.games", { count: games }),
      ...(different < games ? [t("arena.different", { count: different })] : []),
      t("arena.draws", { count: draws }),
      t("arena.length", { discs: formatNumber(discs, 1) }),
    ].join(" "),
  );
}

/** @param {ArenaAnswer} results */
function ratings({ lines }) {
  const heads = [
    "arena.player",
    "arena.elo",
    "arena.margin",
    "arena.points",
    "arena.played",
    "arena.won",
    "arena.drawn",
    "arena.lost",
    "arena.time",
  ];
  /** @param {StandingView} line */
  const cells = (line) => [
    line.elo === null ? "?" : formatSigned(line.elo),
    line.margin === null ? "?" : `± ${formatNumber(line.margin)}`,
    formatNumber(line.points, 1),
    line.games,
    line.wins,
    line.draws,
    line.losses,
    `${formatNumber(1000 * line.seconds, 1, 1)} ms`,
  ];
  return titledTable(
    t("arena.ratings"),
    heads.map((key) => t(key)),
    lines.map((line) => [line.name, ...cells(line)]),
  );
}

/** @param {ArenaAnswer} results */
function crosstable({ lines, crosstable: met }) {
  const names = lines.map((line) => line.name);
  /** @param {[number, number] | undefined} pair */
  const score = (pair) => (pair ? `${formatNumber(pair[0], 1)} / ${pair[1]}` : "·");
  return titledTable(
    t("arena.crosstable"),
    [t("arena.against"), ...names],
    names.map((name) => [name, ...names.map((other) => score(met[name][other]))]),
  );
}

/** @param {string} caption @param {string[]} heads @param {(string | number)[][]} rows */
const titledTable = (caption, heads, rows) => h("div.stack", h("h2", caption), table(caption, heads, rows));
