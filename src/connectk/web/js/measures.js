// Measures of the board and the graph, written by `make tokens` from connectk.drawing.
export const CELL = 100;
export const MARGIN = 10;
export const CORNER = 26;
export const RADIUS = 41;
export const RIM = 3;
export const RING = 26;
export const RING_WIDTH = 6;
export const CORE = 16;
export const WON_WIDTH = 9;
export const LINE_EDGE = 15;
export const LETTER = 25;
export const LETTER_WIDE = 46;
export const WIDE_BOARD = 12;
export const GRAPH_HEIGHT = 120;
export const GRAPH_EDGE = 10;
export const GRAPH_DOT = 6;
export const GRAPH_KNOB = 7;
