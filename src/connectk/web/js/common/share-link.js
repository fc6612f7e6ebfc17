// Shares an address with the system's dialog, or copies the address.
import { t } from "../texts/texts.js";

/** Shares with the system's dialog, or else copies to the clipboard. Returns the text to show: the address if neither works.
 * @param {{ title: string, url: string, text?: string }} what `text` is copied before the address */
export async function shareLink(what) {
  if ("share" in navigator) {
    try {
      await navigator.share(what);
      return "";
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return "";
    }
  }
  return copyText([what.text, what.url].filter(Boolean).join("\n"));
}

/** Copies a text. Returns what to show: the text itself if it cannot be copied. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return t("invite.copied");
  } catch {
    return text;
  }
}
