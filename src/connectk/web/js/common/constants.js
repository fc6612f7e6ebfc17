// What the page goes by where no server tells it, written by `make tokens` from these modules.

// connectk.solver.solver
export const MOST_BITS = 128;

// connectk.notation.moves
export const WIDEST_WITHOUT_COMMAS = 9;

// connectk.server.schemas.orders
export const WIDEST = 100;

// connectk.players.registry
export const DEFAULT_DEPTH = 5;
export const DEFAULT_SIMULATIONS = 1000;

// connectk.players.levels
export const BEST = 10;

// connectk.review.judging
export const HOPELESS = 0.1;
export const LOOK = 0.1;
export const CLEAR = 0.5;
export const NOTABLE = 0.15;

// connectk.review.review
export const WON = 0.6;
export const BEST_MARK = 100.0;
export const SLIP_MARK = 75.0;
export const HALF_MARK = 25.0;
export const WHOLE_MARK = 0.0;

// connectk.review.lines
export const LONGEST_LINE = 9;

// connectk.puzzles.puzzle
export const EASIEST = 700;
export const PER_LEVEL = 100;
export const PER_DEPTH = 50;
export const STEPS = [1250, 1400, 1550, 1850];

// connectk.puzzles.collection
export const STRIDE = 1009;

// connectk.puzzles.rating
export const CENTRE = 1500.0;
export const SCALE = 173.7178;
export const TAU = 0.5;
export const CLOSE_ENOUGH = 1e-06;
export const NEW_RATING = 1500.0;
export const NEW_DEVIATION = 350.0;
export const NEW_VOLATILITY = 0.06;

// connectk.puzzles.practice
export const RESTS = [1, 3, 7, 21];
export const PUZZLE_DEVIATION = 80.0;

// connectk.notation.saved
export const GAME_FORMAT = "connectk-game";
export const GAME_VERSION = 2;

// connectk.why.files
export const WHY_FORMAT = "connectk-explanation";
export const WHY_VERSION = 1;
export const LARGEST_WHY = 4194304;

// connectk.referee.verdict
export const ILLEGAL_GAME = 7;

// connectk.server.analysis
export const ADVISER = "engine:500ms";
export const HINT_MS = 500;

// connectk.server.settings
export const ANALYSIS_MS = 10000;
