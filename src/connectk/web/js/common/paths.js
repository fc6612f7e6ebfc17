// Addresses within the page. A game is written /game/7x6x4/4453, optionally followed by its start and a variation:
// /game/7x6x4/4453/-/2.35 continues with columns 3 and 5 after two moves.
import { hasServer } from "./api.js";
import { MAX_LINK_CHARS } from "./constants.js";
import { isEmbedded } from "./storage.js";
import { language } from "../texts/texts.js";

/** @import { GameAddress } from "../page-types.js" */

/** @param {GameAddress} game */
export function gamePath({ variant, moves, start = "", variation = null }) {
  const tail = [
    ...(start || variation ? [start || "-"] : []),
    ...(variation ? [`${variation.from}.${variation.moves}`] : []),
  ];
  return ["/game", variant, moves || "-", ...tail.map(encodeURIComponent)].join("/");
}

/** @param {string[]} path @returns {GameAddress} */
export function parseGamePath([variant = "7x6x4", moves = "-", start = "-", tries = ""]) {
  const found = /^(\d+)\.([\d,]+)$/.exec(tries);
  /** @param {string} text */
  const none = (text) => (text === "-" ? "" : text);
  return {
    variant,
    moves: none(moves),
    start: none(start),
    variation: found ? { from: Number(found[1]), moves: found[2] } : null,
  };
}

/** @param {string} path */
export function absoluteUrl(path) {
  return `${new URL(isEmbedded ? ".." : ".", location.href).href.split("?")[0]}#${path}`;
}

/** Opens the whole page from within a frame. @param {string} path */
export const openWholePage = (path) => void open(absoluteUrl(path), "_blank", "noopener");

/** The HTML with which another site's page shows a screen in a frame. @param {string} path */
export function embedSnippet(path) {
  const address = absoluteUrl(path).replace("#", `embed/${language === "en" ? "" : `?lang=${language}`}#`);
  const size = 'width="100%" height="720" style="border:0" loading="lazy" allow="clipboard-write"';
  return `<iframe src="${address}" title="connectk" ${size}></iframe>`;
}

// A server shows such a link with its board where it is pasted (src/connectk/server/link_previews.py).
const LINK_KINDS = /** @type {Record<string, string | undefined>} */ ({
  game: "g",
  puzzle: "p",
  join: "i",
  match: "m",
});
const LINK_PATTERN = /^(?:https?:\/\/[^/]+)?\/([gpim])\/([^?#]+)(?:\?[^#]*)?(?:#(.*))?$/;

/** The link that others get. On a server it has a path of its own; the secret of an invitation stays behind the `#`.
 * @param {string} path @param {string} origin */
export function sharedUrl(path, origin = location.origin) {
  const [, screen, ...rest] = path.split("/");
  const kind = LINK_KINDS[screen];
  const secret = kind === "i" ? `#${rest.pop()}` : "";
  const link = `/${kind}/${rest.join("/")}`;
  if (!hasServer || !kind || link.length > MAX_LINK_CHARS) return absoluteUrl(path);
  return `${origin}${link}${language === "en" ? "" : `?lang=${language}`}${secret}`;
}

/** The path within the page that a link leads to; empty if the text is no link. @param {string} text */
export function pathOfLink(text) {
  const [, kind, rest, secret = ""] = LINK_PATTERN.exec(text.trim()) ?? [];
  const screen = Object.keys(LINK_KINDS).find((name) => LINK_KINDS[name] === kind);
  if (!screen) return (text.split("#")[1] ?? "").trim();
  return `/${screen}/${rest}${kind === "i" ? `/${secret}` : ""}`;
}
