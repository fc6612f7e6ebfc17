// What the keys do: opened with `?`.
import { button, h } from "./dom.js";
import { t } from "./texts.js";

const KEYS = [
  ["1 – 9", "help.digits"],
  ["← →", "help.arrows"],
  ["↑ ↓", "help.rows"],
  ["Enter", "help.enter"],
  ["U", "help.undo"],
  ["R", "help.redo"],
  ["H", "help.hint"],
  ["Tab", "help.tab"],
  ["?", "help.help"],
];

export function openHelp() {
  const open = document.querySelector("dialog");
  if (open) return open.close();
  const dialog = h("dialog", { "aria-labelledby": "help-title", onclose: () => dialog.remove() },
    h("div", { class: "stack" },
      // The focus starts at the heading: the only button is at the end, and would scroll a small screen there.
      h("h2", { id: "help-title", tabindex: -1, autofocus: true }, t("help.title")),
      h("p", {}, t("help.rules")),
      h("dl", { class: "keys" }, KEYS.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(text))])),
      h("p", { class: "quiet" }, t("help.files")),
      h("div", { class: "row" }, button(t("help.close"), () => dialog.close(), { class: "main" }))));
  document.body.append(dialog);
  dialog.showModal();
}
