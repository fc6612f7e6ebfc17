// What cannot be taken back asks once.
import { button, h } from "./dom.js";
import { t } from "../texts/texts.js";

/** @param {string} question @param {string} yes @param {string} more @returns {Promise<boolean>} */
export function asked(question, yes, more = "") {
  document.querySelector("dialog")?.close();
  return new Promise((resolve) => {
    let answer = false;
    /** @type {HTMLDialogElement} */
    const dialog = h(
      "dialog",
      {
        "aria-labelledby": "question",
        class: "question",
        onclose: () => {
          dialog.remove();
          resolve(answer);
        },
      },
      h(
        "div",
        { class: "stack" },
        h("h2", { id: "question" }, question),
        more ? h("p", { class: "quiet" }, more) : null,
        h(
          "div",
          { class: "row" },
          button(
            yes,
            () => {
              answer = true;
              dialog.close();
            },
            { class: "main" },
          ),
          button(t("ask.not_now"), () => dialog.close(), { autofocus: true }),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
