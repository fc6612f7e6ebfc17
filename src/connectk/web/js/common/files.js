// A file dropped anywhere on the page: a saved game, a Connect-Z file, an explanation or the results of an arena.
import { api, hasServer, wordsOf } from "./api.js";
import { t } from "../texts/texts.js";

/** @import { Page } from "../shapes.js" */

const ARENA = "connectk-arena"; // what only a server reads
const EXPLANATION = "connectk-explanation";
const LARGEST = 8 * 1024 * 1024;

/** @param {Page} page */
export function acceptFiles(page) {
  const body = document.body;
  /** @param {DragEvent} event */
  const holdsFile = (event) => event.dataTransfer?.types.includes("Files");
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
  const { hash } = location;
  if (file.size > LARGEST) return page.notice(t("file.large"));
  const text = await file.text();
  const holds = (/** @type {string} */ format) => text.includes(`"${format}"`);
  if (holds(EXPLANATION)) return page.go("/why", { text });
  if (holds(ARENA)) return hasServer ? page.go("/arena", { text }) : page.notice(t("page.needs_server"));
  try {
    const [{ game, players, given, verdict }, { gamePath }] = await Promise.all([
      api.read(text),
      import("./paths.js"), // not needed for the first disc
    ]);
    if (location.hash !== hash) return undefined; // who went elsewhere meanwhile stays there
    if (!game) return page.notice(verdict);
    return page.go(gamePath(game), { players, given, verdict });
  } catch (error) {
    return page.notice(wordsOf(error));
  }
}
