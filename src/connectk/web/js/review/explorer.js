// The opening explorer: for each column of a position the result with perfect play, how often people and computers have
// played it on this server, and how that ended. The name of a known opening stands above.
import { hasServer } from "../common/api.js";
import { KNOWN_LINES } from "../common/constants.js";
import { button, h } from "../common/dom.js";
import { svg } from "../board/drawing.js";
import { boardAtPly, writeVariant } from "../board/convert.js";
import { writeDiscs } from "../board/start-position.js";
import { columnLabels } from "../texts/score-labels.js";
import { t } from "../texts/texts.js";

/** @import { ExplorerAnswer, OpeningCountsView, ScoresAnswer, WholeGameAnswer } from "../types.js" */

const MAX_COLUMNS = 30; // of a wider board no table is drawn
/** @type {(keyof OpeningCountsView)[]} */
const ENDINGS = ["wins", "draws", "losses"];

export class Explorer {
  /** @param {(column: number) => unknown} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.line = h("p.quiet.small");
    this.body = h("tbody");
    const played = hasServer ? [t("explorer.people"), t("explorer.computers")] : [];
    const head = [t("explorer.column"), t("explorer.result"), ...played];
    this.element = h(
      "section.explorer.stack",
      { "aria-label": t("explorer.title") },
      this.line,
      h("div.scrolled", h("table", h("thead", h("tr", ...head.map((words) => h("th", words)))), this.body)),
      hasServer && h("p.quiet.small", t("explorer.lead")),
    );
  }

  /** Shows the columns of a position; what was played, and the scores, come later. @param {WholeGameAnswer} game @param {number} ply */
  show(game, ply) {
    const { legal_columns: legal } = game.positions[ply];
    const columns = legal.length <= MAX_COLUMNS ? legal : [];
    this.line.textContent = lineText(game, ply);
    this.body.replaceChildren(...columns.map((column) => this.#row(column)));
    this.element.hidden = !columns.length;
  }

  /** @param {number} column */
  #row(column) {
    const choose = button(String(column + 1), () => this.onChoose(column), {
      "aria-label": t("explorer.choose", { column: column + 1 }),
    });
    const played = hasServer ? [h("td.people"), h("td.computers")] : [];
    return h("tr", { "data-column": column }, h("td", choose), h("td.worth"), ...played);
  }

  /** @param {ScoresAnswer} scores */
  setScores(scores) {
    const labels = columnLabels(scores);
    for (const row of this.body.rows) {
      const label = labels[Number(row.dataset.column)];
      const cell = /** @type {HTMLElement} */ (row.querySelector(".worth"));
      cell.textContent = label ? `${label.word} ${label.number}`.trim() : "";
      cell.className = `worth ${label?.kind ?? ""}`;
    }
  }

  /** @param {ExplorerAnswer} answer */
  setCounts({ columns }) {
    const most = Math.max(1, ...columns.flatMap(({ people, computers }) => [total(people), total(computers)]));
    for (const { column, people, computers } of columns) {
      const row = this.body.querySelector(`[data-column="${column}"]`);
      row?.querySelector(".people")?.replaceChildren(...countsView(people, most));
      row?.querySelector(".computers")?.replaceChildren(...countsView(computers, most));
    }
  }
}

/** @param {OpeningCountsView} counts */
const total = ({ wins, draws, losses }) => wins + draws + losses;

/** How many matches there were, and a bar of their endings, whose length is a share of the longest bar.
 * @param {OpeningCountsView} counts @param {number} most */
function countsView(counts, most) {
  const all = total(counts);
  if (!all) return [];
  const words = t("explorer.counts", { ...counts });
  let x = 0;
  const parts = ENDINGS.map((ending) => {
    const part = svg("rect", { class: ending, x, y: 0, width: counts[ending], height: 1 });
    x += counts[ending];
    return part;
  });
  const bar = svg(
    "svg",
    { viewBox: `0 0 ${most} 1`, preserveAspectRatio: "none", role: "img", "aria-label": words },
    ...parts,
  );
  return [h("span", { title: words }, String(all)), bar];
}

/** The known opening that was played last on the way to a position; empty if there is none. @param {WholeGameAnswer} game @param {number} ply */
function lineText(game, ply) {
  const boards = /** @type {Record<string, Record<string, string> | undefined>} */ (KNOWN_LINES);
  const names = boards[writeVariant(game.variant)];
  if (!names) return "";
  for (let at = ply; at >= 0; at -= 1) {
    const name = names[writeDiscs(boardAtPly(game, at).discs)];
    if (name) return t("explorer.line", { name: t(`explorer.line.${name}`) });
  }
  return "";
}
