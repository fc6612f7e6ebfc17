// A field for a room's code or for a link of this page, which a friend or a room's wall shows.
import { errorMessage } from "../common/api.js";
import { h, textInput } from "../common/dom.js";
import { pathOfLink } from "../common/paths.js";
import { t } from "../texts/texts.js";

/** @import { Page } from "../page-types.js" */

/** @param {Page} page @param {(words: string) => void} showStatus */
export function codeForm(page, showStatus) {
  const spelling = { autocapitalize: "characters", spellcheck: "false", placeholder: t("home.code"), maxlength: 300 };
  const input = textInput(t("home.code"), "", { name: "code", ...spelling });
  const go = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const path = pathOfLink(input.value);
    if (path) return page.navigate(path);
    try {
      await openRoom(page, input.value);
    } catch (error) {
      showStatus(errorMessage(error));
    }
    return undefined;
  };
  return h("form.row.code-form", { onsubmit: go }, input, h("button", { type: "submit" }, t("home.code_go")));
}

/** @param {Page} page @param {string} text */
async function openRoom(page, text) {
  const [{ normalizeCode, roomApi }, { loadTextGroup }] = await Promise.all([
    import("../rooms/api.js"),
    import("../texts/texts.js"),
  ]);
  await loadTextGroup("rooms"); // the group has the texts of refusals
  const { room } = await roomApi.get(normalizeCode(text) || "-");
  page.navigate(`/room/${room.code}`);
}
