// A game against an explanation, as in connectk/why/playing.py: the person drops for the rival, and the strategy
// answers for the keeper and says why. The rules of the game come from the server or the core.
import { api } from "../common/api.js";
import { boardAtPly, variantFromText, writeMoves } from "../board/convert.js";
import { cellText, colourName } from "../core/coach-text.js";
import { t } from "../texts/texts.js";

/** @import { Disc } from "../page-types.js"
 *  @import { GameMomentView, WholeGameAnswer, WhyStepView } from "../types.js"
 *  @typedef {import("../types.js").ExplanationView} Explanation
 *  @typedef {[number, number]} Place
 *  @typedef {{ page: number, atPage: boolean, forced: number }} Node the page that is followed, whether it was just turned to, and how many drops of its force were made
 *  @typedef {{ reason: string, column: number, page: number, to: Place | null, rule?: string }} Reply
 *  @typedef {{ moves: number[], node: Node, game: WholeGameAnswer, reply: Reply | null }} Turn */

export class StrategyGame {
  /** @param {Explanation} explanation @param {WhyStepView[]} steps */
  constructor(explanation, steps) {
    this.explanation = explanation;
    this.rules = steps.filter((step) => step.kind === "rule");
    this.keeper = explanation.claim.side;
    this.variant = variantFromText(explanation.variant);
    /** @type {Turn[]} */
    this.turns = [];
  }

  get turn() {
    return this.turns[this.turns.length - 1];
  }

  get moment() {
    return momentOf(this.turn.game);
  }

  get canTakeBack() {
    return this.turns.length > 1;
  }

  /** Loads the explained position; the keeper drops at once if it is to move. */
  async start() {
    const game = await this.#load([]);
    const node = { page: 0, atPage: true, forced: 0 };
    const keeperMoves = momentOf(game).side_to_move === this.keeper;
    this.turns = [keeperMoves ? await this.#answer([], node, game) : { moves: [], node, game, reply: null }];
  }

  /** Drops the rival's disc and answers it. @param {number} column */
  async drop(column) {
    const { moves, node } = this.turn;
    const after = [...moves, column];
    const game = await this.#load(after);
    const over = momentOf(game).result !== null;
    const next = this.explanation.pages[node.page].replies?.[column];
    const turned =
      node.atPage && next !== undefined ? { page: next, atPage: true, forced: 0 } : { ...node, atPage: false };
    this.turns.push(over ? { moves: after, node, game, reply: null } : await this.#answer(after, turned, game));
  }

  takeBack() {
    if (this.canTakeBack) this.turns.pop();
  }

  /** What the strategy did and why, and how the game ended or who is to move. */
  words() {
    const { result, side_to_move: rival } = this.moment;
    const said = this.turn.reply ? [replyText(this.turn.reply)] : [];
    if (result) said.push(t(result.winner ? "why.play.won" : "why.play.drawn"));
    else if (rival) said.push(t(`why.play.${this.explanation.claim.result}`, { side: colourName(rival) }));
    return said.join(" ");
  }

  /** The keeper's drop after `moves`. @param {number[]} moves @param {Node} node @param {WholeGameAnswer} game @returns {Promise<Turn>} */
  async #answer(moves, node, game) {
    const drop = momentOf(game).last_drop;
    const to = moves.length && drop ? drop : null;
    const reply = { ...(await this.#choose(moves, node, game, to)), page: node.page, to };
    const after = [...moves, reply.column];
    const isForce = this.explanation.pages[node.page].force?.length;
    const next = { page: node.page, atPage: node.atPage && !isForce, forced: node.forced + 1 };
    return { moves: after, node: next, game: await this.#load(after), reply };
  }

  /** The keeper's column and the reason: a win, the page's drop or force, a block, or the page's answer.
   * @param {number[]} moves @param {Node} node @param {WholeGameAnswer} game @param {Place | null} to */
  async #choose(moves, { page: number, atPage, forced }, game, to) {
    const { threats } = await api.threats({ variant: this.variant, start: this.explanation.start, moves });
    const near = threats.filter((threat) => threat.now);
    const win = near.find(({ side }) => side === this.keeper);
    if (win) return { reason: "win", column: win.column };
    const page = this.explanation.pages[number];
    if (page.force?.length) return { reason: "force", column: page.force[forced] };
    if (atPage && page.drop !== undefined) return { reason: "page", column: page.drop };
    const [block] = near;
    if (block) return { reason: "block", column: block.column };
    if (!to) throw new Error("the strategy has no drop here"); // not in an explanation that was checked
    return this.#tableAnswer(number, to, boardAtPly(game, moves.length).discs);
  }

  /** The first answer in the table that can be dropped, with the rule that it belongs
   * to. @param {number} page @param {Place} to @param {Disc[]} discs */
  #tableAnswer(page, to, discs) {
    const answers = this.explanation.pages[page].answers?.find(([cell]) => isSame(cell, to))?.[1] ?? [];
    const answer = answers.find(([column, row]) => row === discs.filter((disc) => disc.column === column).length);
    if (!answer) throw new Error("the strategy has no answer here"); // not in an explanation that was checked
    const rule = this.rules.find(
      (step) =>
        step.page === page &&
        step.pairs.some(([from, at]) => isSame(from, to) && isSame(at, answer)) &&
        step.statements.some(({ kind, cells }) => kind === "never_all" && cells.some((cell) => isSame(cell, answer))),
    );
    if (rule) return { reason: "rule", column: answer[0], rule: rule.facts.rule };
    const isAbove = isSame(answer, [to[0], to[1] + 1]);
    return { reason: isAbove ? "above" : "table", column: answer[0] };
  }

  /** @param {number[]} moves */
  #load(moves) {
    const { variant, start } = this.explanation;
    return api.game({ variant, start, moves: writeMoves(moves, this.variant.width) });
  }
}

/** The last position of a game, with what the server or the core knows about
 * it. @param {WholeGameAnswer} game @returns {GameMomentView} */
const momentOf = (game) => game.positions[game.positions.length - 1];

/** @param {Place} one @param {Place} other */
const isSame = ([column, row], [otherColumn, otherRow]) => column === otherColumn && row === otherRow;

/** Why the strategy dropped its disc there; columns, rows and boards count from 1. @param {Reply} reply */
function replyText({ reason, column, page, to, rule }) {
  const key = to ? reason : "drop";
  const facts = { column: column + 1, number: page + 1, ...(to && { to: cellText(to) }) };
  return t(`why.play.${key}`, { ...facts, rule: rule ? t(`why.rule.${rule}`) : "" });
}
