// An invitation to a match: a link and a QR code with an address that others can reach.
import { api } from "../common/api.js";
import { button, h } from "../common/dom.js";
import { NetworkAccess } from "../common/network.js";
import { sharedUrl } from "../common/paths.js";
import { shareLink } from "../common/share-link.js";
import { t } from "../texts/texts.js";

export class Invitation {
  /** @param {import("../page-types.js").Page} page @param {string} id @param {string} invitation @param {string} facts */
  constructor(page, id, invitation, facts) {
    this.page = page;
    this.path = `/join/${id}/${invitation}`;
    this.facts = facts; // the facts of the match: board, clock and who starts
    this.linkArea = h("div.stack");
    this.networkArea = h("div.stack");
    this.element = h(
      "div.stack",
      h("h2", t("invite.title")),
      h("p", { id: "facts" }, facts),
      this.linkArea,
      h("p.quiet.small", t("invite.lead")),
      this.networkArea,
    );
    this.network = new NetworkAccess(() => this.#draw());
    this.network.find();
  }

  async #draw() {
    const { origin, warning, offer } = this.network;
    const isOpen = origin !== location.origin;
    this.networkArea.replaceChildren(
      isOpen
        ? h("p.good", { role: "status" }, t("network.open", { address: origin }))
        : h("div.stack", h("p.bad", warning), offer),
    );
    await this.#drawLink(sharedUrl(this.path, origin));
  }

  /** @param {string} address */
  async #drawLink(address) {
    const box = h("input", {
      type: "text",
      readonly: true,
      value: address,
      "aria-label": t("invite.link"),
      onfocus: () => box.select(),
    });
    const status = h("span.quiet.small", { role: "status" });
    const code = h("div.qr", { role: "img", "aria-label": t("invite.qr") });
    const send = button(
      t("share" in navigator ? "share.share" : "invite.copy"),
      async () => {
        status.textContent = await shareLink({ title: `connectk: ${this.facts}`, url: address });
      },
      { class: "main" },
    );
    this.linkArea.replaceChildren(box, h("div.row", send, status), code);
    const drawn = await api.qr(address).catch(() => ""); // the link alone is enough
    if (!drawn) return code.remove();
    const picture = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
    code.replaceChildren(document.importNode(picture, true));
  }
}
