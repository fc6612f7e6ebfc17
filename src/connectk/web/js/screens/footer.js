// The page's footer: version, links, and a button that closes a server on this machine.
import { api, loadPrecomputedBoards, hasServer, errorMessage } from "../common/api.js";
import { button, h } from "../common/dom.js";
import { absoluteUrl } from "../common/paths.js";
import { isEmbedded } from "../common/storage.js";
import { t } from "../texts/texts.js";

/** @param {HTMLElement} foot @param {import("../page-types.js").Page} page */
export async function buildFooter(foot, page) {
  if (isEmbedded) return foot.replaceChildren(wholePageLink());
  const { version, closable, docs } = await serverInfo().catch(() => ({ version: "", closable: false, docs: false }));
  const links = hasServer
    ? [
        h("a", { href: "#/rooms" }, t("page.nav.rooms")),
        h("a", { href: "#/arena" }, t("page.nav.arena")),
        h("a", { href: "/api/docs" }, t("foot.api")),
      ]
    : [h("span", t("foot.alone")), ...(docs ? [h("a", { href: "docs/" }, t("foot.docs"))] : [])];
  return foot.replaceChildren(
    ...(version ? [h("span", `connectk ${version}`)] : []),
    ...links,
    ...(closable ? [button(t("foot.close"), () => closeServer(page), { class: "plain" })] : []),
  );
}

// In a frame: opens the whole page at the same screen.
function wholePageLink() {
  const link = h("a", { href: absoluteUrl("/"), target: "_blank", rel: "noopener" }, t("embed.open"));
  link.addEventListener("click", () => (link.href = absoluteUrl(location.hash.slice(1))));
  return link;
}

/** What the server says about itself. Without a server, only the version of the page is known. */
const serverInfo = async () =>
  hasServer ? { ...(await api.about()), docs: false } : { ...(await loadPrecomputedBoards()), closable: false };

/** @param {import("../page-types.js").Page} page */
async function closeServer(page) {
  const { confirmDialog } = await import("../common/confirm.js");
  if (!(await confirmDialog(t("ask.close"), t("foot.close"), t("ask.close_more")))) return undefined;
  try {
    await api.closeServer();
  } catch (error) {
    return page.showNotice(errorMessage(error));
  }
  document
    .querySelector("main")
    ?.replaceChildren(h("section.panel.wide", h("h1", t("foot.closed")), h("p.quiet", t("foot.closed_lead"))));
  document.querySelector("#foot")?.replaceChildren();
  return page.announce(t("foot.closed"));
}
