// The sentences that a coach says first about a position, the same as in connectk/why/coach.py.
import { readAppearance } from "../common/appearance.js";
import { listWords, t } from "../texts/texts.js";

/** @import { CoachView, StatementView } from "../types.js"
 *  @import { Cell, Side } from "./analysis.js" */

/** @param {number[]} columns */
export const countedFromOne = (columns) => columns.map((column) => column + 1);

/** @param {Cell} cell */
export const cellText = ([column, row]) => t("why.cell", { column: column + 1, row: row + 1 });

/** @param {[Cell, Cell[]]} reply */
export const refutedText = ([cell, [win]]) => t("why.refuted", { cell: cellText(cell), cells: cellText(win) });

/** One sentence of a coach. @param {Pick<CoachView, "kind" | "statements">} sentence */
export function coachText({ kind, statements }) {
  const [first] = statements;
  const last = first.cells[first.cells.length - 1];
  const facts = {
    side: colourName(first.side),
    other: colourName(first.side === "first" ? "second" : "first"),
    columns: columnsOf(first).join(t("coach.then")),
    ...(last && { column: last[0] + 1, cell: coachCell(last) }),
    ...FACTS[kind]?.(statements, first),
  };
  return t(`coach.${coachKey(kind, statements)}`, facts).trim();
}

/** @param {StatementView} statement */
const columnsOf = ({ cells }) => countedFromOne(cells.map(([column]) => column));

/** @param {StatementView[]} _ @param {StatementView} first */
const mustPlay = (_, first) => ({ count: first.count, columns: columnsOf(first).join(t("coach.or")) });

/** @param {StatementView[]} statements */
const answered = ([, { count, of }]) => ({ count, of });

/** @param {StatementView} statement */
const isMostlyOnTop = ({ count = 0, of = 0 }) => 2 * count > of;

/** For each kind of sentence, the further facts that its text needs.
 * @type {Record<string, (statements: StatementView[], first: StatementView) => Record<string, any>>} */
const FACTS = {
  must_block: (_, { lines }) => ({ where: whereText(lines[0]) }),
  lost: (statements) => ({
    refuted: statements
      .map(({ cells: [[column], [answer]] }) => t("coach.refuted", { column: column + 1, answer: answer + 1 }))
      .join("; "),
  }),
  fork: (_, first) => ({ column: first.moves[first.moves.length - 1] + 1, columns: listWords(columnsOf(first)) }),
  several: (_, { cells }) => ({
    cells: cells
      .filter((_cell, index) => index % 2)
      .map(coachCell)
      .join(t("coach.or")),
  }),
  endings: (_, { cells }) => ({ cells: cells.map(coachCell).join(t("coach.or")) }),
  must_play: mustPlay,
  open_two: mustPlay,
  fates: (statements) => fatesText(statements),
  count: ([, { count }, { count: top, of }]) => ({ count, top, of }),
  certified: (_, { count }) => ({ count: count?.toLocaleString("en") }),
  nearest: (_, { cells: [[column], ...without] }) => ({
    column: column + 1,
    cells: listWords(without.map(coachCell)),
    count: without.length,
  }),
  answers_win: answered,
  answers_hold: answered,
};

/** For each kind of sentence with several texts, the key of the one that fits.
 * @type {Record<string, (statements: StatementView[], kind: string) => string>} */
const KEYS = {
  sequence: ([{ count }]) => (count ? "sequence" : "sequence_win"),
  several: ([{ count }]) => (count ? "several_given_up" : "several"),
  lost: ([{ moves }]) => (moves.length ? "lost_then" : "lost"),
  fates: (statements) => (isEveryColumn(statements) ? `every.${statements[0].kind}` : "fates"),
  answers_win: answersKey,
  answers_hold: answersKey,
  nearest: ([{ kind }]) => kind,
  certified: ([{ kind }]) => `certified_${kind}`,
  count: countKey,
};

/** @param {string} kind @param {StatementView[]} statements */
const coachKey = (kind, statements) => KEYS[kind]?.(statements, kind) ?? kind;

/** @param {StatementView[]} statements @param {string} kind */
function answersKey([, onTop], kind) {
  return isMostlyOnTop(onTop) ? `${kind}_on_top` : kind;
}

/** Whether every column is known to win or to lose. The core gives a count only if it has solved all columns.
 * @param {StatementView[]} statements */
const isEveryColumn = (statements) =>
  statements.length > 1 && statements.every(({ kind, count }) => kind === statements[0].kind && count !== undefined);

/** The text that fits: whether the number of other cells is even, and whether most answers are right above.
 * @param {StatementView[]} statements */
function countKey([, rest, top]) {
  const isEven = (rest.count ?? 1) % 2 === 0;
  return `count.${[...(isEven ? ["even"] : []), ...(isMostlyOnTop(top) ? ["on_top"] : [])].join("_") || "plain"}`;
}

/** @param {Cell} cell */
const coachCell = ([column, row]) => t("coach.cell", { column: column + 1, row: row + 1 });

/** @param {Cell[]} line */
function whereText([[column, row], [nextColumn, nextRow]]) {
  if (row === nextRow) return t("coach.row", { row: row + 1 });
  return column === nextColumn ? t("coach.column", { column: column + 1 }) : t("coach.diagonal");
}

/** For each result the columns that lead to it, and in how many discs. @param {StatementView[]} statements */
function fatesText(statements) {
  const byKind = /** @type {const} */ (["column_wins", "column_draws", "column_loses"]).map((kind) => ({
    kind,
    some: statements.filter((one) => one.kind === kind),
  }));
  const known = byKind.filter(({ some }) => some.length);
  const fates = known.map(({ kind, some }) =>
    t(`coach.${kind}`, { count: some.length, columns: listWords(some.map(({ cells: [[column]] }) => column + 1)) }),
  );
  const [{ kind, some }] = known;
  return { fates: fates.join("; "), count: lastText(kind, some) };
}

/** @param {string} kind @param {StatementView[]} some with the best result */
function lastText(kind, some) {
  if (kind === "column_draws") return t(`coach.last.${kind}`);
  const counts = some.flatMap(({ count }) => (count ? [count] : []));
  if (counts.length < some.length) return "";
  const count = kind === "column_wins" ? Math.min(...counts) : Math.max(...counts);
  const columns = some.filter((one) => one.count === count).map(({ cells: [[column]] }) => column + 1);
  const isAlike = kind === "column_loses" && columns.length > 1 && columns.length === some.length;
  return t(`coach.last.${isAlike ? `${kind}_alike` : kind}`, { count, column: columns.join(t("coach.or")) });
}

/** The name of the colour that a side's discs have on this device. @param {Side} side */
export function colourName(side) {
  const { discs } = readAppearance();
  return t(discs === "board" ? `coach.${side}` : `coach.${discs}.${side}`);
}
