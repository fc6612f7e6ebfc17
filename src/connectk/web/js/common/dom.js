// Creates elements. Text is always set as text, never parsed as markup.
import { drawMark, svg } from "../board/drawing.js";

/** @import { ElementOf, Side } from "../page-types.js"
 *  @typedef {Node | string | null | undefined | false} Child
 *  @typedef {Record<string, any>} Attributes strings, booleans, and listeners under `on...` */

/** Creates an element from a tag with classes, optional attributes and children: `h("p.quiet", { id: "a" }, "text")`.
 *  @template {string} T
 *  @param {T} name @param {Attributes | Child | Child[]} [first] @param {...(Child | Child[])} rest @returns {ElementOf<T>} */
export function h(name, first, ...rest) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  const hasAttributes = first?.constructor === Object;
  if (hasAttributes) for (const [key, value] of Object.entries(first)) setAttribute(element, key, value);
  const children = /** @type {Child[]} */ (hasAttributes ? rest.flat() : [first, ...rest].flat());
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return /** @type {ElementOf<T>} */ (element);
}

/** @param {HTMLElement} element @param {string} key @param {any} value */
function setAttribute(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (DOM_PROPERTIES.has(key)) Object.assign(element, { [key]: value });
  else element.setAttribute(key, value === true ? "" : value);
}

const DOM_PROPERTIES = new Set(["value", "checked"]);

/** @param {string} text @param {(event: MouseEvent) => unknown} onclick @param {Attributes} attributes */
export function button(text, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, text);
}

/** A disc as large as a letter. @param {Side} side */
export function discIcon(side) {
  return svg(
    "svg",
    { class: `chip ${side}`, viewBox: "-50 -50 100 100", "aria-hidden": "true" },
    svg("circle", { class: "face", r: 46 }),
    drawMark(side, { class: "mark", transform: "scale(1.4)" }),
  );
}

// Radio buttons in one line.
/** @param {string} legend @param {string} name @param {string[][]} options @param {string} chosen @param {(value: string) => void} onchange */
export function radioGroup(legend, name, options, chosen, onchange, kind = "") {
  return h(
    "fieldset",
    { class: `choice ${kind}`, "aria-label": legend },
    options.map(([value, text]) =>
      h(
        "label",
        h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }),
        h("span", text),
      ),
    ),
  );
}

/** @param {string} label @param {string[][]} options @param {string} chosen @param {(value: string) => void} onchange */
export function select(label, options, chosen, onchange) {
  const element = h(
    "select",
    { name: label, "aria-label": label, onchange: () => onchange(element.value) },
    options.map(([value, text]) => h("option", { value }, text)),
  );
  element.value = chosen;
  return element;
}

/** @param {string} label @param {string[][]} options @param {string} chosen @param {(value: string) => void} onchange */
export const selectField = (label, options, chosen, onchange) => field(label, select(label, options, chosen, onchange));

/** A one-line text field. @param {string} label @param {string} value @param {Attributes} attributes */
export const textInput = (label, value, attributes = {}) =>
  h("input", { type: "text", maxlength: 40, autocomplete: "off", "aria-label": label, value, ...attributes });

/** Opens a modal dialog, which is removed once it is closed.
 * @param {Attributes} attributes @param {...(Child | Child[])} children @returns {HTMLDialogElement} */
export function openDialog(attributes, ...children) {
  const dialog = h("dialog", attributes, ...children);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {string} label @param {HTMLElement} control */
export function field(label, control) {
  return h("div.field", h("span.label", { "aria-hidden": "true" }, label), control);
}

/** @param {string} label @param {boolean} checked @param {(on: boolean) => void} onchange */
export function checkbox(label, checked, onchange) {
  const box = h("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return h("label", { class: "check" }, box, label);
}

/** Focuses the field with this name after a panel was redrawn.
 * @param {HTMLElement} panel @param {string | null | undefined} name */
export function restoreFieldFocus(panel, name) {
  const found = name ? panel.querySelector(`[name="${name}"]:checked, [name="${name}"]:not([type="radio"])`) : null;
  if (found instanceof HTMLElement) found.focus();
}

/** Redraws, and then focuses the element that has the same label as the one that had the focus, or else the panel.
 * @param {HTMLElement} panel @param {() => void} draw */
export function preserveFocus(panel, draw) {
  const root = panel.getRootNode(); // a shadow tree knows which of its elements has the focus
  const focused = () => (root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null);
  const stood = panel.contains(focused()) ? focused() : null;
  draw();
  if (!stood || panel.contains(focused())) return;
  const like = [...panel.querySelectorAll(stood.tagName)].find((one) => labelOf(one) === labelOf(stood));
  (like instanceof HTMLElement ? like : panel).focus({ preventScroll: true });
}

/** @param {Element} element */
const labelOf = (element) => element.getAttribute("aria-label") ?? element.textContent;

/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Whether this is a review in one file, which contains all that it shows. */
export const isOneFile = () => Boolean(document.getElementById("texts"));

/** Loads a stylesheet that the page needs from now on; a review in one file already contains it. @param {string} href */
export function loadStylesheet(href) {
  if (isOneFile() || document.querySelector(`link[href="${href}"]`)) return undefined;
  return new Promise((resolve) => {
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
}
