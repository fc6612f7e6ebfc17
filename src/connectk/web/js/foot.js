// The last line of the page: which server this is, and closing it where this machine started it.
import { api, wordsOf } from "./api.js";
import { asked } from "./ask.js";
import { button, h } from "./dom.js";
import { t } from "./texts.js";

/** @param {HTMLElement} foot @param {import("./shapes.js").Page} page */
export async function buildFoot(foot, page) {
  const { version, closable } = await api.about().catch(() => ({ version: "", closable: false }));
  foot.replaceChildren(...(version ? [h("span", {}, `connectk ${version}`)] : []),
    h("a", { href: "#/arena" }, t("page.nav.arena")), h("a", { href: "/api/docs" }, t("foot.api")), ...(closable ? [button(t("foot.close"), () => close(page), { class: "plain" })] : []));
}

/** @param {import("./shapes.js").Page} page */
async function close(page) {
  if (!await asked(t("ask.close"), t("foot.close"), t("ask.close_more"))) return undefined;
  try {
    await api.close();
  } catch (error) {
    return page.notice(wordsOf(error));
  }
  document.querySelector("main")?.replaceChildren(h("section", { class: "panel wide" }, h("h1", {}, t("foot.closed")), h("p", { class: "quiet" }, t("foot.closed_lead"))));
  document.querySelector("#foot")?.replaceChildren();
  return page.say(t("foot.closed"));
}
