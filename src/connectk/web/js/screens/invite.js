// The screen before an invitation is created: name, who starts, the board and the clock.
import { runOrShowError } from "../common/api.js";
import { button, restoreFieldFocus, h } from "../common/dom.js";
import { MatchSetup } from "../match/setup.js";
import { t } from "../texts/texts.js";

/** @param {import("../page-types.js").Page} page */
export async function open(page) {
  const status = h("p.bad", { role: "status" });
  const make = async () => {
    const { match, invitation } = await setup.create("invite");
    page.navigate(`/match/${match.id}`, { invitation });
  };
  const draw = () => {
    const kept = document.activeElement?.getAttribute("name");
    page.panel.replaceChildren(
      h("div.stack", h("h1", t("invite.title")), h("p.quiet", t("home.lead.invite"))),
      setup.nameField(),
      setup.startsField("home.you", "home.friend"),
      ...setup.boardFields(),
      setup.clockField(),
      setup.beginningField(),
      setup.beginningText(),
      h(
        "div.row",
        button(t("home.start.invite"), () => runOrShowError(status, make), { class: "main" }),
        h("a.button", { href: "#/" }, t("page.back")),
      ),
      status,
    );
    restoreFieldFocus(page.panel, kept);
  };
  const setup = new MatchSetup((name) => {
    if (name !== "any") draw();
  });
  page.panel.classList.add("inviting");
  page.board.show({});
  draw();
  return null;
}
