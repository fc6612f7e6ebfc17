// The last line of the page: which server this is, and closing it where this machine started it.
import { api, firstBoards, hasServer, wordsOf } from "../common/api.js";
import { button, h } from "../common/dom.js";
import { t } from "../texts/texts.js";

/** @param {HTMLElement} foot @param {import("../shapes.js").Page} page */
export async function buildFoot(foot, page) {
  const { version, closable, docs } = await about().catch(() => ({ version: "", closable: false, docs: false }));
  const links = hasServer
    ? [
        h("a", { href: "#/rooms" }, t("page.nav.rooms")),
        h("a", { href: "#/arena" }, t("page.nav.arena")),
        h("a", { href: "/api/docs" }, t("foot.api")),
      ]
    : [h("span", t("foot.alone")), ...(docs ? [h("a", { href: "docs/" }, t("foot.docs"))] : [])];
  foot.replaceChildren(
    ...(version ? [h("span", `connectk ${version}`)] : []),
    ...links,
    ...(closable ? [button(t("foot.close"), () => close(page), { class: "plain" })] : []),
  );
}

/** A folder of files knows its version, and nobody need close it. */
const about = async () =>
  hasServer ? { ...(await api.about()), docs: false } : { ...(await firstBoards()), closable: false };

/** @param {import("../shapes.js").Page} page */
async function close(page) {
  const { asked } = await import("../common/ask.js");
  if (!(await asked(t("ask.close"), t("foot.close"), t("ask.close_more")))) return undefined;
  try {
    await api.close();
  } catch (error) {
    return page.notice(wordsOf(error));
  }
  document
    .querySelector("main")
    ?.replaceChildren(h("section.panel.wide", h("h1", t("foot.closed")), h("p.quiet", t("foot.closed_lead"))));
  document.querySelector("#foot")?.replaceChildren();
  return page.say(t("foot.closed"));
}
