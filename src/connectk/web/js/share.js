// A game as a link, as pictures and as a file; and the way back in.
import { ask } from "./api.js";
import { writeMoves, writeVariant } from "./boards.js";
import { button, download, h } from "./dom.js";
import { openFile } from "./files.js";
import { link } from "./paths.js";
import { t } from "./texts.js";

/** The system's share sheet where there is one, else the clipboard, else the address itself; the answer says which.
 * @param {{ title: string, url: string }} what */
export async function share(what) {
  if (navigator.share) {
    try {
      await navigator.share(what);
      return "";
    } catch (error) {
      if (error.name === "AbortError") return "";
    }
  }
  try {
    await navigator.clipboard.writeText(what.url);
    return t("invite.copied");
  } catch {
    return what.url;
  }
}

export class Share {
  constructor(review) {
    this.review = review;
    this.status = h("p", { class: "quiet small", role: "status" });
    const picker = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true",
      onchange: () => openFile(picker.files[0], review.page) });
    const send = button(t(navigator.share ? "share.share" : "share.link"), async () => {
      this.status.textContent = await share({ title: t("review.title"), url: link(this.review.path()) });
    });
    const save = (text, format) => button(text, () => this.#save(format));
    this.element = h("details", {}, h("summary", {}, t("share.title")), h("div", { class: "stack" },
      h("div", { class: "row" }, send, save("SVG", "svg"), save("PNG", "png"), save("GIF", "gif"), save(t("share.saved"), "json"),
        button(t("share.open"), () => picker.click()), picker),
      this.status));
  }

  // A picture shows the board as it is now; the film and the saved game hold the whole game.
  async #save(format) {
    this.status.textContent = t("share.working");
    try {
      download(`connectk.${format}`, await (format === "json" ? this.#saved() : this.#picture(format)));
      this.status.textContent = t("share.done", { file: `connectk.${format}` });
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  #saved() {
    const { game } = this.review;
    const players = { first: this.review.name("first"), second: this.review.name("second") };
    const body = { variant: writeVariant(game.variant), moves: game.moves, start: game.start, players };
    return ask("/api/page/saved", { body, as: "blob" });
  }

  #picture(format) {
    const { game, ply, last } = this.review;
    const moves = writeMoves(game.columns.slice(0, format === "gif" ? last : ply), game.variant.width);
    const facts = new URLSearchParams({ variant: writeVariant(game.variant), start: game.board.join(","), moves });
    return ask(`/api/picture.${format}?${facts}`, { as: "blob" });
  }
}
