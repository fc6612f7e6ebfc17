// The certificate of a learner who has solved the test at the end of the lessons, to print.
import { h, button, loadStylesheet } from "../common/dom.js";
import { TEST_LESSON } from "../common/constants.js";
import { t } from "../texts/texts.js";

/** @import { Page } from "../page-types.js"
 *  @import { Lesson } from "./lessons.js" */

/** Whether every question of the test was solved on this device. @param {Lesson[]} lessons @param {Record<string, number>} done */
export function hasPassed(lessons, done) {
  const test = lessons.find(({ name }) => name === TEST_LESSON);
  return Boolean(test && (done[TEST_LESSON] ?? 0) >= test.cards.length);
}

/** Shows the certificate, or how to get it. @param {Page} page @param {Lesson[]} lessons @param {Record<string, number>} done */
export async function showCertificate(page, lessons, done) {
  await loadStylesheet("css/certificate.css");
  const back = h("p", h("a", { href: "#/learn" }, t("learn.page.lessons")));
  const number = lessons.findIndex(({ name }) => name === TEST_LESSON) + 1;
  page.panel.className = "panel wide";
  page.setTitle?.(t("learn.certificate.title"));
  if (!hasPassed(lessons, done)) {
    page.panel.replaceChildren(h("p", t("learn.certificate.not_yet", { number })), back);
    return null;
  }
  const count = lessons[number - 1].cards.length;
  const name = h("input", {
    class: "certificate-name",
    "aria-label": t("learn.certificate.name"),
    placeholder: t("learn.certificate.name"),
    maxlength: 40,
    autocomplete: "name",
  });
  page.panel.replaceChildren(
    h(
      "div.certificate",
      h("h1", t("learn.certificate.title")),
      h("p.certificate-discs", { "aria-hidden": "true" }, "◉◉◉◉"),
      name,
      h("p", t("learn.certificate.solved", { count })),
      h("p.quiet", new Date().toLocaleDateString(document.documentElement.lang, { dateStyle: "long" })),
      h("p.quiet", "connectk"),
    ),
    h(
      "div.row",
      button(t("learn.certificate.print"), () => print(), { class: "main" }),
    ),
    back,
  );
  return null;
}
