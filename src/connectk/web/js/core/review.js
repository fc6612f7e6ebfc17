// A game reviewed by the core: what connectk.review does with the same searches. Tests hold its answers to that one's.
import { HOPELESS, LONGEST_LINE, LOOK, WON } from "../common/constants.js";
import { bestColumns, bestOf, labelOf, markOf, valueOf } from "./labels.js";

/** @import { Asked, Core, Moment } from "./numbers.js"
 *  @import { MoveReviewView } from "../types.js"
 *  @typedef {[number, number]} Cell
 *  @import { Judged } from "./labels.js"
 *  @typedef {Pick<MoveReviewView, "worth_before">["worth_before"]} Worth
 *  @typedef {{ kind: string, facts: Record<string, any>, cells: Cell[], line: number[], refutation: number[] }} Reason
 *  @typedef {{ given: number, seconds: number, isStopped?: () => boolean }} How */

/** @type {[number, number]} */
const SEED = [0, 0];

/** @param {Core} core @param {Asked} asked @param {How} how */
export function reviewGame(core, asked, how) {
  return new Reviewer(core, asked, how).review();
}

class Reviewer {
  /** @param {Core} core @param {Asked} asked @param {How} how */
  constructor(core, asked, { given, seconds, isStopped = () => false }) {
    this.core = core;
    this.asked = asked;
    this.given = given;
    this.ms = 1000 * seconds;
    this.isStopped = isStopped;
    this.hopeless = false;
    this.positions = core.game(asked).positions;
  }

  review() {
    const { moves } = this.asked;
    const told = moves
      .map((_, index) => index)
      .toReversed()
      .map((index) => this.#move(index))
      .toReversed(); // late positions are easy and help early ones
    const blunders = told.filter((move) => move.label === "blunder");
    return {
      variant: Object.values(this.asked.variant).join("x"),
      players: {},
      winner: this.positions.at(-1)?.result?.winner ?? null,
      given: told.filter((move) => move.label === "given").length,
      exact: told.every((move) => move.exact),
      accuracy: { first: accuracy(told, "first"), second: accuracy(told, "second") },
      turning_point: blunders.at(-1)?.number ?? null,
      advantage: told[0].advantage_before,
      moves: told,
    };
  }

  /** The game so far, and some more drops. @param {number} index @param {...number} more @returns {Asked} */
  at(index, ...more) {
    return { ...this.asked, moves: [...this.asked.moves.slice(0, index), ...more] };
  }

  /** @param {number} index */
  #move(index) {
    if (this.isStopped()) throw new Error("stopped");
    const { variant, moves } = this.asked;
    const column = moves[index];
    const position = this.positions[index];
    const judged = this.#exact(index) ?? this.#estimate(index, column);
    const [best] = bestColumns(judged);
    const label = index < this.given ? "given" : labelOf(judged, column);
    const why = label === "blunder" ? this.#explain(index, column, judged) : null;
    const worths = [this.#worth(judged, best, position), this.#worth(judged, column, position)];
    return {
      number: position.ply + 1,
      side: position.side_to_move ?? "first",
      column,
      row: this.positions[index + 1].last_drop?.[1] ?? 0,
      before: bestOf(judged),
      after: valueOf(judged, column),
      worth_before: worths[0],
      worth_after: worths[1],
      exact: judged.exact,
      proven: worths.every((worth) => worth.kind !== "about"),
      best_columns: bestColumns(judged),
      label,
      scores: Array.from(
        { length: judged.exact ? variant.width : Math.max(...judged.scores.keys()) + 1 },
        (_, at) => judged.scores.get(at) ?? null,
      ),
      advantage: this.#height(judged, column, position),
      advantage_before: this.#height(judged, best, position),
      mark: label === "given" ? null : markOf(judged, column),
      reason_kind: why?.kind ?? null,
      reason_facts: why?.facts ?? {},
      cells: why?.cells ?? [],
      better_line: why?.line ?? [],
      refutation: why?.refutation ?? [],
      better_cells: why ? this.#cellsOf(this.at(index), why.line) : [],
      refutation_cells: why ? this.#cellsOf(this.at(index + 1), why.refutation) : [],
    };
  }

  /** @param {number} index @returns {Judged | null} */
  #exact(index) {
    const answer = this.core.scores(this.at(index), Math.ceil(this.ms * (this.hopeless ? HOPELESS : 1)), false);
    if (!answer.exact) {
      this.hopeless = true; // the positions before it are harder still, unless the book knows them
      return null;
    }
    const scores = (answer.scores ?? []).flatMap((score, column) =>
      score === null ? [] : [/** @type {[number, number]} */ ([column, score])],
    );
    return { scores: new Map(scores), exact: true, proven: new Map() };
  }

  /** The engine's column and the one played, each judged from the position after it, so that both are alike.
   * @param {number} index @param {number} played @returns {Judged} */
  #estimate(index, played) {
    const best = this.#look(this.at(index)).column;
    const looks = [...new Set([best, played])]
      .toSorted((one, other) => one - other)
      .map((column) => ({ column, ...this.#expected(this.at(index, column)) }));
    const scores = new Map(looks.map(({ column, score }) => [column, score]));
    const proven = new Map(
      looks.flatMap(({ column, exact }) => (exact === null ? [] : [/** @type {[number, number]} */ ([column, exact])])),
    );
    if ((scores.get(best) ?? 0) < (scores.get(played) ?? 0)) {
      // a second look that thinks less of it than the first one
      proven.delete(best);
      scores.set(best, scores.get(played) ?? 0);
    }
    return { scores, exact: false, proven };
  }

  /** @param {Asked} asked */
  #look(asked) {
    return this.core.choose(asked, "engine", Math.ceil(LOOK * this.ms), SEED);
  }

  /** The expected result for the side that has just moved, and the exact score where it is proven. @param {Asked} after */
  #expected(after) {
    const moment = this.core.moment(after);
    if (moment.result) {
      const exact = moment.result.winner ? this.core.winScore(after.variant, moment.ply) : 0;
      return { score: Math.sign(exact), exact };
    }
    const { thought } = this.#look(after);
    const score = thought.score ?? 0;
    return thought.proven
      ? { score: Math.sign(-score) + 0, exact: -score }
      : { score: -Math.max(-1, Math.min(1, score)), exact: null };
  }

  /** @param {Judged} judged @param {number} column @param {Moment} position @returns {Worth} */
  #worth(judged, column, position) {
    const score = judged.exact ? valueOf(judged, column) : judged.proven.get(column);
    if (score === undefined) return { kind: "about", count: 0, score: rounded(valueOf(judged, column)) };
    if (score === 0) return { kind: "draw", count: 0, score: 0 };
    return {
      kind: score > 0 ? "wins" : "loses",
      count: this.core.discsToWin(this.asked.variant, position.ply, score),
      score: 0,
    };
  }

  /** For the graph: 1 first wins at once, -1 second does. @param {Judged} judged @param {number} column @param {Moment} position */
  #height(judged, column, position) {
    const exact = judged.exact ? valueOf(judged, column) : judged.proven.get(column);
    const most = this.core.winScore(this.asked.variant, 1);
    const height =
      exact === undefined
        ? WON * valueOf(judged, column)
        : Math.sign(exact) * (exact ? WON + ((1 - WON) * Math.abs(exact)) / most : 0);
    return rounded(position.side_to_move === "second" ? -height : height);
  }

  /** Where the drops of a line come to lie, as many as are told. @param {Asked} from @param {number[]} line @returns {Cell[]} */
  #cellsOf(from, line) {
    const told = line.slice(0, LONGEST_LINE);
    const { positions } = this.core.game({ ...from, moves: [...from.moves, ...told] });
    return positions.slice(positions.length - told.length).flatMap(({ last_drop: cell }) => (cell ? [cell] : []));
  }

  // Why a move was a blunder: a missed win, a win allowed, two threats at once, or a threat that lasts.

  /** @param {number} index @param {number} played @param {Judged} judged @returns {Reason} */
  #explain(index, played, judged) {
    const [column] = bestColumns(judged);
    const better = [column, ...(judged.exact ? this.core.line(this.at(index, column), this.ms) : [])];
    const refutation = judged.exact ? this.core.line(this.at(index + 1), this.ms) : [];
    const found =
      this.#missedWin(index) ??
      this.#allowedWin(index, played) ??
      this.#allowedFork(index) ??
      this.#missedFork(index, judged) ??
      this.#soonerThreat(index, better, refutation) ??
      reason(judged.exact ? "score_prefers" : "engine_prefers", { columns: bestColumns(judged) });
    return {
      ...found,
      line: found.line.length ? found.line : better,
      refutation: refutation.length ? refutation : found.refutation,
    };
  }

  /** @param {number} index */
  #missedWin(index) {
    const side = this.#sideAt(index);
    const columns = this.core.forks(this.at(index)).winning[side];
    return columns.length
      ? {
          ...reason("missed_win", { columns, run: this.asked.variant.run }, this.#tops(this.at(index), columns)),
          line: [columns[0]],
        }
      : null;
  }

  /** @param {number} index @param {number} played */
  #allowedWin(index, played) {
    const winner = this.#sideAt(index + 1);
    const columns = this.positions[index + 1].result ? [] : this.core.forks(this.at(index + 1)).winning[winner];
    if (!columns.length) return null;
    const facts = { columns, winner, run: this.asked.variant.run };
    const kind = columns.includes(played) ? "allowed_win_on_top" : "allowed_win";
    return { ...reason(kind, facts, this.#tops(this.at(index + 1), columns)), refutation: [columns[0]] };
  }

  /** @param {number} index */
  #allowedFork(index) {
    if (this.positions[index + 1].result) return null;
    const { forks, centre } = this.core.forks(this.at(index + 1));
    const column = centre.find((one) => forks.includes(one));
    return column === undefined
      ? null
      : this.#fork("allowed_fork", this.at(index + 1), column, this.#sideAt(index + 1));
  }

  /** @param {number} index @param {Judged} judged */
  #missedFork(index, judged) {
    const { forks } = this.core.forks(this.at(index));
    const column = bestColumns(judged).find((one) => forks.includes(one));
    return column === undefined ? null : this.#fork("missed_fork", this.at(index), column, this.#sideAt(index));
  }

  /** Two threats, playable ones first; one may lie on top of the other. @param {string} kind @param {Asked} asked @param {number} column @param {"first" | "second"} side */
  #fork(kind, asked, column, side) {
    const after = { ...asked, moves: [...asked.moves, column] };
    const { board } = this.core.moment(after);
    /** @param {Cell} cell */
    const above = ([at, row]) => row - board[at].length;
    const cells = this.core
      .threats(after)
      .filter((threat) => threat.side === side)
      .map((threat) => /** @type {Cell} */ ([threat.column, threat.row]))
      .toSorted((one, other) => above(one) - above(other) || one[0] - other[0] || one[1] - other[1]);
    const two = cells.filter((cell) => above(cell) <= 1).slice(0, 2);
    const columns = [...new Set(two.map(([at]) => at))].toSorted((one, other) => one - other);
    return reason(kind, { column, columns, winner: side }, two);
  }

  /** The win that was there or the loss that followed, whichever is seen sooner, followed to its end.
   * @param {number} index @param {number[]} better @param {number[]} refutation */
  #soonerThreat(index, better, refutation) {
    /** @type {[string, number, number[]][]} */
    const lines = [
      ["missed", index, better],
      ["allowed", index + 1, refutation],
    ];
    for (const [whose, at, line] of lines.toSorted((one, other) => one[2].length - other[2].length)) {
      const found = line.length % 2 === 1 ? this.#threat(whose, at, line) : null;
      if (found) return found;
    }
    return null;
  }

  /** @param {string} whose @param {number} at @param {number[]} line */
  #threat(whose, at, line) {
    const end = this.core.moment(this.at(at, ...line));
    const cell = end.result?.winner ? end.last_drop : null;
    if (!cell) return null;
    const winner = this.#sideAt(at);
    const beneath = line.length > 1 && line.at(-2) === cell[0]; // the loser's last disc had to go beneath the threat
    const facts = {
      column: line[0],
      threat_column: cell[0],
      row: cell[1],
      run: this.asked.variant.run,
      move: this.positions[at].ply + line.length - Number(beneath),
      winner,
      loser: winner === "first" ? "second" : "first",
    };
    if (!beneath) return reason(`${whose}_open_play`, facts, [cell]);
    const there = this.core
      .threats(this.at(at))
      .some((threat) => threat.side === winner && threat.column === cell[0] && threat.row === cell[1]);
    return reason(
      `${whose}_${there ? "lasting" : "coming"}_threat`,
      { ...facts, ...this.#whyBeneath(at, line, cell) },
      [cell],
    );
  }

  /** Why the loser has to drop beneath the threat: the other cells run out on its turn, or what is left loses as well.
   * @param {number} at @param {number[]} line @param {Cell} cell */
  #whyBeneath(at, line, cell) {
    const { legal_columns: open } = this.core.moment(this.at(at, ...line.slice(0, -2)));
    return open.length === 1 && open[0] === cell[0]
      ? { why: "parity", cells_left: line.length - 1 }
      : { why: "squeezed" };
  }

  /** @param {number} index @returns {"first" | "second"} */
  #sideAt(index) {
    return this.positions[index].ply % 2 ? "second" : "first";
  }

  /** Where discs in these columns would fall. @param {Asked} asked @param {number[]} columns @returns {Cell[]} */
  #tops(asked, columns) {
    const { board } = this.core.moment(asked);
    return columns.map((column) => [column, board[column].length]);
  }
}

/** @param {string} kind @param {Record<string, any>} facts @param {Cell[]} cells @returns {Reason} */
function reason(kind, facts, cells = []) {
  return { kind, facts, cells, line: [], refutation: [] };
}

/** The mean mark of a side's moves; null when it never had a choice. @param {{ side: string, mark: number | null }[]} moves @param {string} side */
function accuracy(moves, side) {
  const marks = moves.flatMap((move) => (move.side === side && move.mark !== null ? [move.mark] : []));
  return marks.length ? marks.reduce((sum, one) => sum + one, 0) / marks.length : null;
}

/** @param {number} value */
const rounded = (value) => Math.round(10_000 * value) / 10_000 + 0;
