// What the server says about a position, in the board's own terms. Nothing is worked out here but the order of things.
const SIDES = { x: "first", o: "second" };

export function discsOf(board) {
  return board.flatMap((discs, column) => [...discs].map((letter, row) => ({ column, row, side: SIDES[letter] })));
}

export const cell = ([column, row]) => ({ column, row });

export function boardOf(view, { width, height }, hand = null, discs = discsOf(view.board)) {
  return {
    width,
    height,
    discs,
    open: view.legal_columns,
    hand,
    last: view.last_drop && cell(view.last_drop),
    lines: view.winning_lines.map((line) => line.map(cell)),
  };
}

// A written game at one of its plies: the discs it began with, and those dropped since.
export function gameBoard(game, ply, hand = null) {
  const dropped = game.positions.slice(1, ply + 1).map(({ last_drop: drop, ply: count }) => ({
    ...cell(drop), side: count % 2 ? "first" : "second" }));
  return boardOf(game.positions[ply], game.variant, hand, [...discsOf(game.board), ...dropped]);
}

export function variantOf(text) {
  const [width, height, run] = text.split("x").map(Number);
  return { width, height, run };
}

export function writeVariant({ width, height, run }) {
  return `${width}x${height}x${run}`;
}

// The numbers of columns as people write them: 4453, or with commas on a wide board.
export function writeMoves(columns, width) {
  return columns.map((column) => column + 1).join(width > 9 ? "," : "");
}

// Discs set up, for an address: `4xo.5x`, columns from 1.
export function writeStart(columns) {
  return (columns ?? []).map((discs, column) => (discs ? `${column + 1}${discs}` : "")).filter(Boolean).join(".");
}
