// Before an invitation: your name, who starts, the board and the clock.
import { attempt } from "../common/api.js";
import { button, focusField, h } from "../common/dom.js";
import { Setup } from "../match/setup.js";
import { t } from "../texts/texts.js";

/** @param {import("../shapes.js").Page} page */
export async function open(page) {
  const status = h("p.bad", { role: "status" });
  const make = async () => {
    const { match, invitation } = await setup.create("invite");
    page.go(`/match/${match.id}`, { invitation });
  };
  const draw = () => {
    const kept = document.activeElement?.getAttribute("name");
    page.panel.replaceChildren(
      h("div.stack", h("h1", t("invite.title")), h("p.quiet", t("home.lead.invite"))),
      setup.name(),
      setup.starts("home.you", "home.friend"),
      ...setup.boards(),
      setup.clocks(),
      h(
        "div.row",
        button(t("home.start.invite"), () => attempt(status, make), { class: "main" }),
        h("a.button", { href: "#/" }, t("page.back")),
      ),
      status,
    );
    focusField(page.panel, kept);
  };
  const setup = new Setup(draw);
  page.board.show({});
  draw();
  return null;
}
