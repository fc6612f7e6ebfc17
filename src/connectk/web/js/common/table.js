// A table in a scrollable container; the first cell of each row is its header.
import { h } from "./dom.js";

/** @param {string} label @param {string[]} heads @param {(string | number | import("./dom.js").Child[])[][]} rows */
export function table(label, heads, rows) {
  const head = h(
    "tr",
    heads.map((text) => h("th", { scope: "col" }, text)),
  );
  const body = rows.map((cells) => h("tr", cells.map(cell)));
  return h(
    "div.scroll",
    { tabindex: 0, role: "group", "aria-label": label },
    h("table", h("thead", head), h("tbody", body)),
  );
}

/** @param {string | number | import("./dom.js").Child[]} content @param {number} index */
const cell = (content, index) =>
  h(index ? "td" : "th", index ? {} : { scope: "row" }, Array.isArray(content) ? content : String(content));
