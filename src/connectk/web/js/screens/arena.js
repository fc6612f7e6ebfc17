// Ratings and crosstable of a results file that `connectk arena` wrote.
import { api, wordsOf } from "../common/api.js";
import { h } from "../common/dom.js";
import { table } from "../common/table.js";
import { remember, remembered } from "../common/memory.js";
import { language, t } from "../texts/texts.js";

/** @import { ArenaAnswer, StandingView } from "../types.js"
 *  @import { Handed, Page } from "../shapes.js" */

/** @param {Page} page @param {string[]} _path @param {Handed | null} handed */
export async function open(page, _path, handed) {
  const panel = page.panel;
  panel.className = "panel wide";
  const picker = h("input", {
    type: "file",
    "aria-label": t("arena.file"),
    onchange: async () => {
      const file = picker.files?.[0];
      if (file) await show(page, await file.text());
    },
  });
  panel.append(
    h("div.stack", h("h1", t("arena.title")), h("p.quiet", t("arena.lead"))),
    picker,
    h("div.stack", { id: "arena-results", role: "region", "aria-label": t("arena.title") }),
  );
  if (handed?.text) await show(page, handed.text);
  const kept = remembered("arena", /** @type {ArenaAnswer | null} */ (null));
  if (kept && !handed?.text) draw(page, kept); // a reload loses nothing
}

/** @param {Page} page @param {string} text */
async function show(page, text) {
  try {
    const results = await api.arena(text);
    remember("arena", results);
    draw(page, results);
    page.say(t("arena.games", { count: results.games }));
  } catch (error) {
    place(page)?.replaceChildren(h("p.bad", { role: "alert" }, wordsOf(error)));
  }
}

/** @param {Page} page @param {ArenaAnswer} results */
function draw(page, results) {
  place(page)?.replaceChildren(
    summary(results),
    ratings(results),
    crosstable(results),
    ...results.forfeits.map(forfeit),
  );
}

/** @param {Page} page */
const place = (page) => page.panel.querySelector("#arena-results");

/** @param {number} value @param {number} most @param {number} least */
const number = (value, most = 0, least = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most }).format(value);
/** @param {number} value */
const signed = (value) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 0, signDisplay: "exceptZero" }).format(value);
/** @param {ArenaAnswer["forfeits"][number]} reason */
const forfeit = (reason) => h("p.bad", t("arena.forfeit", { reason: reason[language] ?? reason.en }));

/** @param {ArenaAnswer} results */
function summary({ games, draws, mean_length: discs }) {
  return h(
    "p",
    [
      t("arena.games", { count: games }),
      t("arena.draws", { count: draws }),
      t("arena.length", { discs: number(discs, 1) }),
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
    signed(line.elo),
    `± ${number(line.margin)}`,
    number(line.points, 1),
    line.games,
    line.wins,
    line.draws,
    line.losses,
    `${number(1000 * line.seconds, 1, 1)} ms`,
  ];
  return titled(
    t("arena.ratings"),
    heads.map((key) => t(key)),
    lines.map((line) => [line.name, ...cells(line)]),
  );
}

/** @param {ArenaAnswer} results */
function crosstable({ lines, crosstable: met }) {
  const names = lines.map((line) => line.name);
  /** @param {[number, number] | undefined} pair */
  const score = (pair) => (pair ? `${number(pair[0], 1)} / ${pair[1]}` : "·");
  return titled(
    t("arena.crosstable"),
    [t("arena.against"), ...names],
    names.map((name) => [name, ...names.map((other) => score(met[name][other]))]),
  );
}

/** @param {string} caption @param {string[]} heads @param {(string | number)[][]} rows */
const titled = (caption, heads, rows) => h("div.stack", h("h2", caption), table(caption, heads, rows));
