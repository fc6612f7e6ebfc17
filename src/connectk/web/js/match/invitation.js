// A link and a code to scan, with an address that others can reach.
import { api, wordsOf } from "../common/api.js";
import { button, h } from "../common/dom.js";
import { share } from "../common/share.js";
import { t } from "../texts/texts.js";

const LOCAL = /^(localhost|127\.|\[::1\])/;

export class Invitation {
  /** @param {import("../shapes.js").Page} page @param {string} id @param {string} invitation */
  constructor(page, id, invitation) {
    this.page = page;
    this.path = `/#/join/${id}/${invitation}`;
    this.place = h("div.stack");
    this.reach = h("div.stack");
    this.element = h("div.stack", h("h2", t("invite.title")), h("p.quiet", t("invite.lead")), this.place, this.reach);
    this.#draw();
  }

  async #draw() {
    const { network } = LOCAL.test(location.hostname)
      ? await api.about().catch(() => ({ network: null }))
      : { network: null };
    const origin = network?.address ?? location.origin;
    this.#drawReach(origin, network);
    await this.#drawLink(origin + this.path);
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
        status.textContent = await share({ title: t("invite.title"), url: address });
      },
      { class: "main" },
    );
    this.place.replaceChildren(box, h("div.row", send, status), code);
    const drawn = await api.qr(address).catch(() => ""); // the link is enough
    if (!drawn) return code.remove();
    const picture = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
    code.replaceChildren(document.importNode(picture, true));
  }

  // A server that only this computer reaches says so, and can let others on this network in.
  /** @param {string} origin @param {import("../types.js").NetworkView | null} network */
  #drawReach(origin, network) {
    this.reach.replaceChildren();
    if (!LOCAL.test(location.hostname)) return;
    if (network?.address) this.reach.append(h("p.good", { role: "status" }, t("network.open", { address: origin })));
    else this.reach.append(h("p.bad", t(network?.possible ? "network.local" : "network.none")));
    if (network?.possible && !network.address) {
      this.reach.append(
        button(t("network.let_in"), () => this.#letIn()),
        h("p.quiet.small", t("network.what", { address: network.possible })),
      );
    }
  }

  async #letIn() {
    try {
      await api.letIn();
      await this.#draw();
    } catch (error) {
      this.reach.append(h("p.bad", { role: "alert" }, wordsOf(error)));
    }
  }
}
