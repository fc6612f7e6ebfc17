// A dialog that asks before something that cannot be undone.
import { button, h, openDialog } from "./dom.js";
import { t } from "../texts/texts.js";

/** @param {string} question @param {string} yes @param {string} more @returns {Promise<boolean>} */
export function confirmDialog(question, yes, more = "") {
  document.querySelector("dialog")?.close();
  return new Promise((resolve) => {
    const dialog = openDialog(
      { class: "question", "aria-labelledby": "question", onclose: () => resolve(dialog.returnValue === "yes") },
      h(
        "div.stack",
        h("h2", { id: "question" }, question),
        more && h("p.quiet", more),
        h(
          "div.row",
          button(yes, () => dialog.close("yes"), { class: "main" }),
          button(t("ask.not_now"), () => dialog.close(), { autofocus: true }),
        ),
      ),
    );
  });
}
