// Hints and scores during a match. What the solver has proved is told as such; what it cannot tell at once is first the
// engine's estimate, called so, and gets better while you look.
import { api } from "../common/api.js";
import { bestColumns, columnScores } from "../texts/scores.js";
import { cell } from "../board/boards.js";
import { t } from "../texts/texts.js";

/** @import { AnalysisMessage, ThreatView } from "../types.js"
 *  @import { WhyQuestion } from "../shapes.js"
 *  @import { Play } from "./play.js" */

const AT_ONCE = 0.8; // seconds for the first answer

export class Hints {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.wanted = false; // each column's score, all the time
    /** @type {number | null} */
    this.scored = null; // the number of the moment whose scores are shown
    /** @type {WhyQuestion | null} */
    this.pointed = null; // the position that a hint was given for
    /** @type {object | null} */
    this.asked = null;
  }

  get match() {
    return this.play.match;
  }

  // The marks on the board belong to one moment.
  forget() {
    const { board } = this.play.page;
    this.scored = null;
    this.asked = null;
    this.pointed = null;
    board.showHint([]);
    board.showThreats([]);
    board.showScores(null);
  }

  /** @param {boolean} on */
  toggle(on) {
    this.wanted = on;
    this.forget();
    this.scoresIfWanted();
  }

  scoresIfWanted() {
    const { match } = this;
    const mine = match.isMyTurn || !match.sides.length;
    if (!this.wanted || match.pending || match.isOver || !mine || this.play.pace || this.scored === match.known.seq)
      return;
    this.scored = match.known.seq;
    this.#look((analysis) => this.play.page.board.showScores(columnScores(analysis)));
  }

  async show() {
    this.play.tell(t("hint.thinking"));
    /** @type {Promise<ThreatView[]>} */
    const threats = api.threats(this.#order()).then(
      (answer) => answer.threats,
      () => [],
    );
    await this.#look(async (analysis, isStill) => {
      const found = await threats;
      if (isStill()) this.#point(analysis, found);
    });
  }

  #order() {
    const { variant, known, moves } = this.match;
    return { variant, start: known.start, moves };
  }

  async why() {
    const { pointed } = this;
    if (pointed) (await import("../review/why.js")).openWhy(pointed);
  }

  // An answer within a second; where that is only an estimate, the proof follows as soon as it is found.
  /** @param {(analysis: AnalysisMessage, isStill: () => boolean) => unknown} tell */
  async #look(tell) {
    const { match } = this;
    const asked = (this.asked = {});
    const { seq } = match.known;
    const isStill = () => asked === this.asked && seq === match.known.seq && !match.pending && !this.play.page.isLeft;
    /** @param {{ seconds?: number }} facts */
    const ask = async (facts) => {
      const analysis = await match.live.ask({ type: "analyse", ...facts }).catch(() => null); // a newer question may come first
      if (!analysis || !isStill()) return false;
      await tell(analysis, isStill);
      return !analysis.exact && isStill();
    };
    if (await ask({ seconds: AT_ONCE })) await ask({});
  }

  /** @param {AnalysisMessage} analysis @param {ThreatView[]} threats */
  #point(analysis, threats) {
    const { board } = this.play.page;
    const side = this.match.state.side_to_move;
    const best = bestColumns(analysis);
    const near = threats.filter((threat) => threat.now && best.includes(threat.column));
    const own = near.filter((threat) => threat.side === side);
    board.showScores(columnScores(analysis));
    board.showHint(best);
    this.pointed = { ...this.#order(), ...(analysis.scores?.[best[0]] === 0 && side ? { side } : {}) };
    board.showThreats((own.length ? own : near).map((threat) => ({ ...threat, line: threat.line.map(cell) })));
    this.play.tell(hintWords(analysis, best, near.length > own.length));
  }
}

/** What the column does for you, in a sentence. @param {AnalysisMessage} analysis @param {number[]} best @param {boolean} blocks */
function hintWords(analysis, best, blocks) {
  const facts = {
    count: best.length,
    columns: new Intl.ListFormat(document.documentElement.lang).format(best.map((column) => String(column + 1))),
  };
  if (!analysis.exact) return t("hint.estimate", facts);
  const scores = analysis.scores ?? [];
  const score = scores[best[0]] ?? 0;
  const all = scores.filter((one) => one !== null);
  if (score > 0) return t(analysis.discs?.[best[0]] === 1 ? "hint.wins_now" : "hint.keeps_win", facts);
  if (blocks) return t("hint.blocks", facts);
  if (score < 0) return t("hint.longest", facts);
  return t(all.every((one) => one === 0) ? "hint.all_draw" : "hint.keeps_draw", facts);
}
