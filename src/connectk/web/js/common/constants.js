// What the page shares with Python, written by `make tokens` from these modules.

// connectk.solver.solver
export const MAX_BOARD_BITS = 128;

// connectk.notation.moves
export const MAX_WIDTH_WITHOUT_COMMAS = 9;

// connectk.server.schemas.requests
export const MAX_SHOWN_SIDE = 100;

// connectk.server.link_previews
export const MAX_LINK_CHARS = 2000;

// connectk.players.registry
export const BEST_LEVEL = 10;

// connectk.players.levels
export const BEST_LEVEL_MOVE_SECONDS = 0.5;
export const LEVEL_RATINGS = [752, 948, 1129, 1324, 1500, 1690, 1845, 2092, 2283, 2568];
export const LEVEL_DEVIATION = 50.0;

// connectk.puzzles.puzzle
export const BASE_PUZZLE_RATING = 700;
export const RATING_PER_LEVEL = 100;
export const RATING_PER_DEPTH = 50;
export const DIFFICULTY_RATINGS = [1250, 1400, 1550, 1850];
export const FORCING_THEMES = ["fork", "stack", "trap", "force"];

// connectk.puzzles.collection
export const PUZZLE_STRIDE = 1009;

// connectk.glicko
export const GLICKO_CENTRE = 1500.0;
export const GLICKO_SCALE = 173.7178;
export const GLICKO_TAU = 0.5;
export const VOLATILITY_TOLERANCE = 1e-06;
export const NEW_RATING = 1500.0;
export const NEW_DEVIATION = 350.0;
export const NEW_VOLATILITY = 0.06;

// connectk.puzzles.practice
export const REPEAT_INTERVAL_DAYS = [1, 3, 7, 21];
export const PUZZLE_DEVIATION = 80.0;
export const BEGINNER_RATING = 1000.0;
export const PLACEMENT_PUZZLES = 3;
export const HELPED_SCORE = 0.5;

// connectk.site
export const PRECOMPUTED_BOARDS = ["7x6x4", "5x4x3", "6x5x4", "9x7x5", "10x8x4", "30x30x6"];
export const DEMO_GAME = "44444752232255311";

// connectk.texts
export const LANGUAGES = {"en": "English", "fi": "Suomi", "sv": "Svenska"};

// connectk.errors
export const MAX_QUOTE_CHARS = 40;

// connectk.players.swapping
export const GUESSING_KINDS = ["random", "greedy"];

// connectk.play.match
export const ADDED_DISCS = 2;

// connectk.play.service
export const MIN_RUN_OF_PLACED_DISCS = 4;

// connectk.rooms.room
export const FORMATS_IN_ROUNDS = ["swiss", "knockout", "teams"];

// connectk.strangers.phrases
export const PHRASES = ["hello", "good_luck", "good_move", "oops", "thanks", "good_game", "one_more", "bye"];
export const REPORT_REASONS = ["left", "stalled", "name", "programs", "other"];

// connectk.lessons.certificate
export const TEST_LESSON = "test";

// connectk.why.coach
export const MAX_COACH_SENTENCES = 3;

// connectk.why.wording
export const MAX_NAMED_GROUPS = 8;

// connectk.drawing.measures
export const CELL_SIZE = 100;
export const PICTURE_PIXELS = 1200;
export const FRAME_MARGIN = 10;
export const FRAME_CORNER_RADIUS = 26;
export const DISC_RADIUS = 41;
export const DISC_RIM_WIDTH = 3;
export const DISC_PLATE_RADIUS = 30;
export const RING_RADIUS = 18;
export const RING_WIDTH = 7;
export const STAR_RADIUS = 23;
export const STAR_EDGE_WIDTH = 3;
export const STAR_POINTS = [[0.0, -23.0], [6.4, -8.7], [21.9, -7.1], [10.3, 3.3], [13.5, 18.6], [0.0, 10.8], [-13.5, 18.6], [-10.3, 3.3], [-21.9, -7.1], [-6.4, -8.7]];
export const EMBOSS_SHIFT = 1.8;
export const SHADE_HEIGHT = 3.5;
export const GLINT_HEIGHT = 1.8;
export const WIN_RING_WIDTH = 9;
export const WIN_LINK_WIDTH = 12;
export const WIN_LINK_START = 43;
export const DISC_NUMBER_RADIUS = 22;
export const DISC_NUMBER_HEIGHT = 34;
export const COLUMN_NUMBER_HEIGHT = 25;
export const WIDE_BOARD_NUMBER_HEIGHT = 46;
export const WIDE_BOARD_COLUMNS = 12;
export const MAX_NUMBERED_COLUMNS = 40;
export const GRAPH_HEIGHT = 120;
export const GRAPH_MARGIN = 10;
export const GRAPH_DOT_RADIUS = 6;
export const GRAPH_KNOB_RADIUS = 7;

// connectk.notation.saved_game
export const GAME_FORMAT = "connectk-game";
export const GAME_VERSION = 2;

// connectk.why.files
export const EXPLANATION_FORMAT = "connectk-explanation";
export const EXPLANATION_VERSION = 1;
export const MAX_EXPLANATION_FILE_BYTES = 4194304;

// connectk.drawing.palette
export const GRADIENTS = {"frame-face": [[0, "frame-light"], [0.5, "frame"], [1, "frame-dark"]], "hole-face": [[0.05, "hole-shade"], [0.5, "hole"]], "first-face": [[0, "first-light"], [0.5, "first"], [1, "first-dark"]], "first-plate": [[0, "first-dark"], [0.5, "first"], [1, "first-light"]], "second-face": [[0, "second-light"], [0.5, "second"], [1, "second-dark"]], "second-plate": [[0, "second-dark"], [0.5, "second"], [1, "second-light"]]};
export const BOARD_STYLES = ["classic", "wood", "night", "paper"];
export const DISC_STYLES = ["board", "sea", "forest", "ink"];

// connectk.why.explainer
export const MAX_EXPLANATION_BOARDS = 60;
export const EXPLANATION_TIMEOUT_MS = 10000;
export const QUICK_SEARCH_BELOW_DISCS = 8;
export const QUICK_SEARCH_MIN_CELLS = 42;
export const OPENING_EXPLANATION_TIMEOUT_MS = 500;
export const COACH_TIMEOUT_MS = 1000;
export const MAX_POSITIONS_TO_CHECK = 100000;

// connectk.players
export const PLAYER_KINDS = {"random": {"example": "random", "default": 0, "heavy": false, "compiled": true}, "greedy": {"example": "greedy", "default": 0, "heavy": false, "compiled": true}, "minimax": {"example": "minimax:5", "default": 5, "heavy": false, "compiled": true}, "engine": {"example": "engine:500ms", "default": 0, "heavy": true, "compiled": true}, "mcts": {"example": "mcts:1000", "default": 1000, "heavy": false, "compiled": true}, "perfect": {"example": "perfect", "default": 0, "heavy": true, "compiled": true}, "level": {"example": "level:3", "default": 0, "heavy": 10, "compiled": true}};

// connectk.puzzles
export const PUZZLE_BOARDS = ["7x6x4", "5x5x4", "6x5x4", "8x7x4"];
export const PUZZLE_THEMES = ["fork", "stack", "trap", "force", "zugzwang", "plan", "hold"];

// connectk.notation.named_starts
export const NAMED_STARTS = {"five-in-a-row": {"variant": "9x6x5", "start": "1xoxoxo.9xoxoxo", "last_disc": null, "even_levels": []}, "handicap-1": {"variant": "7x6x4", "start": "4x", "last_disc": 41, "even_levels": [[4, 4], [5, 5], [7, 7]]}, "handicap-2": {"variant": "7x6x4", "start": "1o.4xx", "last_disc": 35, "even_levels": [[1, 2], [5, 6]]}, "handicap-3": {"variant": "7x6x4", "start": "1o.3x.4xx.7o", "last_disc": 23, "even_levels": [[1, 2], [2, 3], [3, 4], [5, 6], [6, 7]]}};

// connectk.arena.results_reader
export const ARENA_FORMAT = "connectk-arena";

// connectk.notation.known_lines
export const KNOWN_LINES = {"7x6x4": {"4x": "centre", "4xoxox": "centre_column", "3oxox.4xox": "three_four", "4xox.5oxox": "three_four", "4xoxox.5oxox": "five_four", "3oxox.4xoxox": "five_four", "4xoxoxo.5x": "six_one", "3x.4xoxoxo": "six_one", "2oxox.4xoxox.6oxox": "candlesticks"}, "9x6x5": {"1xoxoxo.9xoxoxo": "five_in_a_row"}};

// connectk.arena.openings
export const FAIR_START_BOARDS = ["7x6x4", "5x4x3", "6x5x4"];

// connectk.referee.verdict
export const ILLEGAL_GAME_CODE = 7;

// connectk.server.analysis
export const HINT_PLAYER = "engine:200ms";
export const HINT_TIMEOUT_MS = 200;

// connectk.server.settings
export const ANALYSIS_TIMEOUT_MS = 10000;
