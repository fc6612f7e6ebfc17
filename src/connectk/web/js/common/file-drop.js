// Opens files that are dropped on the page and text that is pasted: moves, saved games, Connect-Z files, explanations and arena results.
import { api, hasServer, errorMessage } from "./api.js";
import { isTyping } from "../board/keyboard.js";
import { ARENA_FORMAT, EXPLANATION_FORMAT } from "./constants.js";
import { t } from "../texts/texts.js";

/** @import { Page } from "../page-types.js" */

const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** @param {Page} page */
export function acceptDroppedFiles(page) {
  const body = document.body;
  /** @param {DragEvent} event */
  const holdsFile = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("paste", (event) => {
    if (isTyping(event.target) || !event.clipboardData) return;
    const [file] = event.clipboardData.files;
    const text = event.clipboardData.getData("text/plain");
    if (file) openFile(file, page);
    else if (text.trim()) openText(text, page);
  });
  let depth = 0;
  body.addEventListener("dragenter", (event) => {
    if (holdsFile(event)) body.classList.toggle("dropping", ++depth > 0);
  });
  body.addEventListener("dragleave", (event) => {
    if (holdsFile(event)) body.classList.toggle("dropping", --depth > 0);
  });
  body.addEventListener("dragover", (event) => {
    if (holdsFile(event)) event.preventDefault();
  });
  body.addEventListener("drop", (event) => {
    depth = 0;
    body.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    openFile(file, page);
  });
}

/** @param {File} file @param {Page} page */
export async function openFile(file, page) {
  if (file.size > MAX_FILE_BYTES) return page.showNotice(t("file.large"));
  return openText(await file.text(), page);
}

/** Opens a text; asks first if a game is being played. @param {string} text @param {Page} page */
export async function openText(text, page) {
  const { hash } = location;
  const hasFormat = (/** @type {string} */ format) => text.includes(`"${format}"`);
  if (hasFormat(EXPLANATION_FORMAT)) return page.navigate("/why", { text });
  if (hasFormat(ARENA_FORMAT))
    return hasServer ? page.navigate("/arena", { text }) : page.showNotice(t("page.needs_server"));
  try {
    const [{ game, players, given, verdict }, { gamePath }] = await Promise.all([
      api.parseFile(text),
      import("./paths.js"), // not part of the first load
    ]);
    if (location.hash !== hash) return undefined; // the person has gone to another screen
    if (!game) return page.showNotice(verdict);
    if (page.mayLeave && !(await page.mayLeave())) return undefined;
    return page.navigate(gamePath(game), { players, given, verdict });
  } catch (error) {
    return page.showNotice(errorMessage(error));
  }
}
