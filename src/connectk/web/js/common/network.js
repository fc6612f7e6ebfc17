// The address at which others reach this page, and a notice where only this computer does.
import { api, errorMessage } from "./api.js";
import { button, h } from "./dom.js";
import { t } from "../texts/texts.js";

const LOCAL_HOST = /^(localhost$|127\.|0\.0\.0\.0$|\[::1\])/;

export class NetworkAccess {
  /** @param {() => void} onFound called when the address is known, also once others are let in */
  constructor(onFound) {
    this.onFound = onFound;
    this.isLocal = LOCAL_HOST.test(location.hostname);
    this.origin = location.origin;
    this.warning = "";
    this.offer = h("div.stack"); // a button to let others in, where this page may
  }

  async find() {
    if (this.isLocal) {
      const about = await api.about().catch(() => null);
      this.origin = about?.network?.address ?? location.origin;
      if (about) this.#warn(about);
    }
    this.onFound();
  }

  /** @param {import("../types.js").AboutAnswer} about */
  #warn({ network, closable }) {
    const { address = null, possible = null } = network ?? {};
    const key = !closable ? "network.closed" : possible ? "network.local" : "network.none";
    this.warning = address ? "" : t(key);
    const isOffered = possible && !address;
    this.offer.replaceChildren(
      ...(isOffered
        ? [
            button(t("network.let_in"), () => this.#openToNetwork()),
            h("p.quiet.small", t("network.what", { address: possible })),
          ]
        : []),
    );
  }

  async #openToNetwork() {
    try {
      await api.openToNetwork();
      await this.find();
    } catch (error) {
      this.offer.append(h("p.bad", { role: "alert" }, errorMessage(error)));
    }
  }
}
