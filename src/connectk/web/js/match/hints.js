// Hints and scores during a match. Until the solver has proved the scores, the engine's estimate is shown and named as such.
import { api } from "../common/api.js";
import { bestColumns, columnLabels } from "../texts/score-labels.js";
import { toCell } from "../board/convert.js";
import { t } from "../texts/texts.js";

/** @import { AnalysisMessage, ThreatView } from "../types.js"
 *  @import { ExplanationRequest } from "../page-types.js"
 *  @import { MatchScreen } from "./match-screen.js" */

const QUICK_ANALYSIS_SECONDS = 0.8; // the time for the first answer

export class Hints {
  /** @param {MatchScreen} screen */
  constructor(screen) {
    this.screen = screen;
    this.areScoresShown = false; // whether every column's score is shown all the time
    /** @type {number | null} */
    this.scoredSeq = null; // the event after which the shown scores were computed
    /** @type {ExplanationRequest | null} */
    this.hintedPosition = null; // the position of the shown hint
    /** @type {object | null} */
    this.latestRequest = null;
  }

  get match() {
    return this.screen.match;
  }

  /** Removes the marks, which belong to one position. */
  clear() {
    const { board } = this.screen.page;
    this.scoredSeq = null;
    this.latestRequest = null;
    this.hintedPosition = null;
    board.showHint([]);
    board.showThreats([]);
    board.showScores(null);
  }

  /** @param {boolean} on */
  toggleScores(on) {
    this.areScoresShown = on;
    this.screen.isHelped = true;
    this.clear();
    this.refreshScores();
  }

  refreshScores() {
    const { match } = this;
    const mine = match.isMyTurn || !match.sides.length;
    if (
      !this.areScoresShown ||
      match.pendingDrop ||
      match.isOver ||
      !mine ||
      this.screen.playback ||
      this.scoredSeq === match.loadedView.seq
    )
      return;
    this.scoredSeq = match.loadedView.seq;
    this.#analyse((analysis) => this.screen.page.board.showScores(columnLabels(analysis)));
  }

  async showHint() {
    this.screen.showMessage(t("hint.thinking"));
    /** @type {Promise<ThreatView[]>} */
    const threats = api.threats(this.#position()).then(
      (answer) => answer.threats,
      () => [],
    );
    await this.#analyse(async (analysis, isCurrent) => {
      const found = await threats;
      if (isCurrent()) this.#drawHint(analysis, found);
    });
  }

  #position() {
    const { variant, loadedView, moves } = this.match;
    return { variant, start: loadedView.start, moves };
  }

  async explain() {
    const { hintedPosition } = this;
    if (hintedPosition) (await import("../review/explanation-dialog.js")).openExplanation(hintedPosition);
  }

  // Asks for a quick answer. If it is only an estimate, asks again for proved scores.
  /** @param {(analysis: AnalysisMessage, isStill: () => boolean) => unknown} show */
  async #analyse(show) {
    const { match } = this;
    const latestRequest = (this.latestRequest = {});
    const { seq } = match.loadedView;
    const isCurrent = () =>
      latestRequest === this.latestRequest &&
      seq === match.loadedView.seq &&
      !match.pendingDrop &&
      !this.screen.page.isClosed;
    /** @param {{ seconds?: number }} facts */
    const ask = async (facts) => {
      const analysis = await match.connection.request({ type: "analyse", ...facts }).catch(() => null); // a newer request aborts it
      if (!analysis || !isCurrent()) return false;
      await show(analysis, isCurrent);
      return !analysis.exact && isCurrent();
    };
    if (await ask({ seconds: QUICK_ANALYSIS_SECONDS })) await ask({});
  }

  /** @param {AnalysisMessage} analysis @param {ThreatView[]} threats */
  #drawHint(analysis, threats) {
    const { board } = this.screen.page;
    const side = this.match.state.side_to_move;
    const best = bestColumns(analysis);
    const near = threats.filter((threat) => threat.now && best.includes(threat.column));
    const own = near.filter((threat) => threat.side === side);
    board.showScores(columnLabels(analysis));
    board.showHint(best);
    this.hintedPosition = { ...this.#position(), ...(analysis.scores?.[best[0]] === 0 && side ? { side } : {}) };
    board.showThreats((own.length ? own : near).map((threat) => ({ ...threat, line: threat.line.map(toCell) })));
    const blocks = best.length === 1 && near.length > own.length; // of two threats no drop stops both
    this.screen.showMessage(hintText(analysis, best, blocks));
  }
}

/** A sentence that says which columns are best and what they achieve.
 * @param {AnalysisMessage} analysis @param {number[]} best @param {boolean} blocks */
function hintText(analysis, best, blocks) {
  const facts = {
    count: best.length,
    columns: new Intl.ListFormat(document.documentElement.lang).format(best.map((column) => String(column + 1))),
  };
  if (!analysis.exact) return t("hint.estimate", facts);
  const scores = analysis.scores ?? [];
  const score = scores[best[0]] ?? 0;
  const all = scores.filter((one) => one !== null);
  if (score > 0) {
    if (analysis.discs?.[best[0]] === 1) return t("hint.wins_now", facts);
    return t(all.some((one) => one > 0 && one < score) ? "hint.wins_soonest" : "hint.keeps_win", facts);
  }
  if (blocks) return t("hint.blocks", facts);
  if (score < 0) return t("hint.longest", facts);
  return t(all.every((one) => one === 0) ? "hint.all_draw" : "hint.keeps_draw", facts);
}
