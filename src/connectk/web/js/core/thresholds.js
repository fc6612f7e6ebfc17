// What connectk.review goes by, written by `make tokens` from it.
export const HOPELESS = 0.1;
export const LOOK = 0.1;
export const CLEAR = 0.5;
export const NOTABLE = 0.15;
export const WON = 0.6;
export const LONGEST_LINE = 9;
