// The appearance settings of this device: theme, the board's material, colours of the discs, sound.
import { BOARD_STYLES, DISC_STYLES } from "./constants.js";
import { writeStorage, readStorage } from "./storage.js";

export const THEMES = ["system", "light", "dark"];

/** @returns {{ theme: string, board: string, discs: string, sound: boolean }} */
export function readAppearance() {
  const { theme, board, discs, sound } = readStorage("look", { theme: "", board: "", discs: "", sound: false });
  return {
    theme: THEMES.includes(theme) ? theme : "system",
    board: BOARD_STYLES.includes(board) ? board : "classic",
    discs: DISC_STYLES.includes(discs) ? discs : "board",
    sound: sound === true,
  };
}

/** @param {"theme" | "board" | "discs" | "sound"} name @param {string | boolean} value */
export function setAppearance(name, value) {
  writeStorage("look", { ...readAppearance(), [name]: value });
  applyAppearance();
}

export function applyAppearance() {
  const { theme, board, discs, sound } = readAppearance();
  const root = document.documentElement;
  if (theme === "system") root.removeAttribute("data-theme");
  else root.dataset.theme = theme;
  Object.assign(root.dataset, { board, discs });
  document.getElementById("sound")?.setAttribute("aria-pressed", String(sound));
}
