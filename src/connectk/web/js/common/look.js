// How this device likes the page: theme, colours of the discs, sound.
import { remember, remembered } from "./memory.js";

export const THEMES = ["system", "light", "dark"];
export const DISCS = ["classic", "sea", "forest", "ink"];

/** @returns {{ theme: string, discs: string, sound: boolean }} */
export function look() {
  const { theme, discs, sound } = remembered("look", { theme: "", discs: "", sound: false });
  return {
    theme: THEMES.includes(theme) ? theme : "system",
    discs: DISCS.includes(discs) ? discs : "classic",
    sound: sound === true,
  };
}

/** @param {"theme" | "discs" | "sound"} name @param {string | boolean} value */
export function setLook(name, value) {
  remember("look", { ...look(), [name]: value });
  applyLook();
}

export function applyLook() {
  const { theme, discs } = look();
  const root = document.documentElement;
  if (theme === "system") root.removeAttribute("data-theme");
  else root.dataset.theme = theme;
  root.dataset.discs = discs;
}
