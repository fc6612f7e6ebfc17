// A game as a link, as pictures and as a file; and the way back in.
import { ask } from "./api.js";
import { button, download, h } from "./dom.js";
import { openFile } from "./files.js";
import { link } from "./paths.js";
import { t } from "./texts.js";

export class Share {
  constructor(review) {
    this.review = review;
    this.status = h("p", { class: "quiet small", role: "status" });
    const picker = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true",
      onchange: () => openFile(picker.files[0], review.page) });
    const copy = button(t("share.link"), () => this.#copy());
    const save = (text, format) => button(text, () => this.#save(format));
    this.element = h("details", {}, h("summary", {}, t("share.title")), h("div", { class: "stack" },
      h("div", { class: "row" }, copy, save("SVG", "svg"), save("PNG", "png"), save("GIF", "gif"), save(t("share.saved"), "json"),
        button(t("share.open"), () => picker.click()), picker),
      this.status));
  }

  async #copy() {
    const address = link(this.review.path());
    try {
      await navigator.clipboard.writeText(address);
      this.status.textContent = t("invite.copied");
    } catch {
      this.status.textContent = address;
    }
  }

  // A picture shows the board as it is now; the film and the saved game hold the whole game.
  async #save(format) {
    const { review } = this;
    const whole = format === "gif" || format === "json";
    const body = { ...review.order(whole ? review.last : review.ply), players: { first: review.name("first"), second: review.name("second") } };
    this.status.textContent = t("share.working");
    try {
      download(`connectk.${format}`, await ask(`/api/page/picture.${format}`, { body, as: "blob" }));
      this.status.textContent = t("share.done", { file: `connectk.${format}` });
    } catch (error) {
      this.status.textContent = error.message;
    }
  }
}
