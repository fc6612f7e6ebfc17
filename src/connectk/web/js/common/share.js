// A game as a link, as pictures and as a file; and the way back in.
import { api, attempt, hasServer } from "./api.js";
import { writeVariant } from "../board/boards.js";
import { button, download, h } from "./dom.js";
import { openFile } from "./files.js";
import { link } from "./paths.js";
import { t } from "../texts/texts.js";

/** The system's share sheet where there is one, else the clipboard, else the address itself; the answer says which.
 * @param {{ title: string, url: string }} what */
export async function share(what) {
  if ("share" in navigator) {
    try {
      await navigator.share(what);
      return "";
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return "";
    }
  }
  try {
    await navigator.clipboard.writeText(what.url);
    return t("invite.copied");
  } catch {
    return what.url;
  }
}

/** @typedef {"svg" | "png" | "gif" | "json"} Format */

export class Share {
  /** @param {import("../review/review.js").Review} review */
  constructor(review) {
    this.review = review;
    this.status = h("p.quiet.small", { role: "status" });
    const picker = h("input.unseen", {
      type: "file",
      tabindex: -1,
      "aria-hidden": "true",
      onchange: () => {
        if (picker.files?.[0]) openFile(picker.files[0], review.page);
      },
    });
    const send = button(t("share" in navigator ? "share.share" : "share.link"), async () => {
      this.status.textContent = await share({ title: t("review.title"), url: link(this.review.path()) });
    });
    /** @param {string} text @param {Format} format */
    const save = (text, format) => button(text, () => this.#save(format));
    this.element = h(
      "details",
      h("summary", t("share.title")),
      h(
        "div.stack",
        h(
          "div.row",
          send,
          save("SVG", "svg"),
          save("PNG", "png"),
          hasServer && save("GIF", "gif"),
          save(t("share.saved"), "json"),
          button(t("share.open"), () => picker.click()),
          picker,
        ),
        this.status,
      ),
    );
  }

  /** A picture shows the board as it is now; the film and the saved game hold the whole game. @param {Format} format */
  async #save(format) {
    this.status.textContent = t("share.working");
    await attempt(this.status, async () => {
      const { game, ply } = this.review;
      download(`connectk.${format}`, await (format === "json" ? this.#saved() : api.picture(game, ply, format)));
      this.status.textContent = t("share.done", { file: `connectk.${format}` });
    });
  }

  #saved() {
    const { game } = this.review;
    const players = { first: this.review.name("first"), second: this.review.name("second") };
    const body = { variant: writeVariant(game.variant), moves: game.moves, start: game.start, players };
    return api.saved(body);
  }
}
