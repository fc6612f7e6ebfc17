// What the page shares with Python, written by `make tokens` from these modules.

// connectk.solver.solver
export const MAX_BOARD_BITS = 128;

// connectk.notation.moves
export const MAX_WIDTH_WITHOUT_COMMAS = 9;

// connectk.server.schemas.orders
export const MAX_SHOWN_SIDE = 100;

// connectk.players.registry
export const BEST_LEVEL = 10;

// connectk.players.levels
export const BEST_SECONDS = 0.5;

// connectk.puzzles.puzzle
export const BASE_PUZZLE_RATING = 700;
export const RATING_PER_LEVEL = 100;
export const RATING_PER_DEPTH = 50;
export const DIFFICULTY_RATINGS = [1250, 1400, 1550, 1850];

// connectk.puzzles.collection
export const PUZZLE_STRIDE = 1009;

// connectk.puzzles.rating
export const CENTRE = 1500.0;
export const SCALE = 173.7178;
export const TAU = 0.5;
export const VOLATILITY_TOLERANCE = 1e-06;
export const NEW_RATING = 1500.0;
export const NEW_DEVIATION = 350.0;
export const NEW_VOLATILITY = 0.06;

// connectk.puzzles.practice
export const REPEAT_INTERVAL_DAYS = [1, 3, 7, 21];
export const PUZZLE_DEVIATION = 80.0;

// connectk.site
export const PRECOMPUTED_BOARDS = ["7x6x4", "5x4x3", "6x5x4", "9x7x5", "10x8x4", "30x30x6"];
export const DEMO_GAME = "44444752232255311";

// connectk.texts
export const LANGUAGES = {"en": "English", "fi": "Suomi", "sv": "Svenska"};

// connectk.drawing.measures
export const CELL = 100;
export const PICTURE_PIXELS = 1200;
export const MARGIN = 10;
export const CORNER = 26;
export const RADIUS = 41;
export const RIM = 3;
export const RING = 26;
export const RING_WIDTH = 6;
export const CORE = 16;
export const WON_WIDTH = 9;
export const LINE_EDGE = 15;
export const TAG = 22;
export const TAG_LETTER = 34;
export const LETTER = 25;
export const LETTER_WIDE = 46;
export const WIDE_BOARD = 12;
export const MAX_NUMBERED_COLUMNS = 40;
export const GRAPH_HEIGHT = 120;
export const GRAPH_EDGE = 10;
export const GRAPH_DOT = 6;
export const GRAPH_KNOB = 7;

// connectk.notation.saved
export const GAME_FORMAT = "connectk-game";
export const GAME_VERSION = 2;

// connectk.why.files
export const WHY_FORMAT = "connectk-explanation";
export const WHY_VERSION = 1;
export const LARGEST_WHY = 4194304;

// connectk.why.explainer
export const WHY_BOARDS = 15;
export const WHY_MS = 10000;
export const WHY_POSITIONS = 100000;

// connectk.players
export const PLAYERS = {"random": {"example": "random", "default": 0, "heavy": false, "compiled": true}, "greedy": {"example": "greedy", "default": 0, "heavy": false, "compiled": true}, "minimax": {"example": "minimax:5", "default": 5, "heavy": false, "compiled": true}, "engine": {"example": "engine:500ms", "default": 0, "heavy": true, "compiled": true}, "mcts": {"example": "mcts:1000", "default": 1000, "heavy": false, "compiled": true}, "perfect": {"example": "perfect", "default": 0, "heavy": true, "compiled": true}, "level": {"example": "level:3", "default": 0, "heavy": 10, "compiled": true}};

// connectk.puzzles
export const PUZZLE_BOARDS = ["7x6x4", "5x5x4", "6x5x4", "8x7x4"];
export const THEMES = ["fork", "stack", "trap", "force", "zugzwang", "plan", "hold"];

// connectk.referee.verdict
export const ILLEGAL_GAME = 7;

// connectk.server.analysis
export const HINT_PLAYER = "engine:500ms";
export const HINT_MS = 500;

// connectk.server.settings
export const ANALYSIS_MS = 10000;
