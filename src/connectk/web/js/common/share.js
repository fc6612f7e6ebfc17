// Shares a game as a link, a picture or a file, and opens files.
import { api, runOrShowError, hasServer } from "./api.js";
import { writeVariant } from "../board/convert.js";
import { button, download, h } from "./dom.js";
import { openFile } from "./file-drop.js";
import { embedSnippet, sharedUrl } from "./paths.js";
import { copyText, shareLink } from "./share-link.js";
import { isEmbedded } from "./storage.js";
import { t } from "../texts/texts.js";

/** @typedef {"svg" | "png" | "gif" | "json"} Format */

export class SharePanel {
  /** @param {import("../review/review-screen.js").ReviewScreen} review */
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
      this.status.textContent = await shareLink({ title: t("review.title"), url: sharedUrl(this.review.path()) });
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
          !isEmbedded && button(t("share.embed"), () => this.#copySnippet()),
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

  /** SVG and PNG show the current board; GIF and JSON hold the whole game. @param {Format} format */
  async #save(format) {
    this.status.textContent = t("share.working");
    await runOrShowError(this.status, async () => {
      const { game, ply } = this.review;
      download(`connectk.${format}`, await (format === "json" ? this.#saved() : api.picture(game, ply, format)));
      this.status.textContent = t("share.done", { file: `connectk.${format}` });
    });
  }

  /** Copies the HTML that shows the game in another site's page. */
  async #copySnippet() {
    this.status.textContent = await copyText(embedSnippet(this.review.path()));
  }

  #saved() {
    const { game } = this.review;
    const players = { first: this.review.playerName("first"), second: this.review.playerName("second") };
    const body = { variant: writeVariant(game.variant), moves: game.moves, start: game.start, players };
    return api.exportGame(body);
  }
}
