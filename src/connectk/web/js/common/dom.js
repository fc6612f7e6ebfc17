// Elements from plain calls. Text is always set as text, so a name full of markup is only a name.
import { svg } from "../board/drawing.js";

/** @import { ElementOf, Side } from "../shapes.js"
 *  @typedef {Node | string | null | undefined | false} Child
 *  @typedef {Record<string, any>} Attributes text, flags, and listeners under `on...` */

/** A tag with its classes, as in `h("p.quiet", "words")`, its attributes if it has any, and what is in it.
 *  @template {string} T
 *  @param {T} name @param {Attributes | Child | Child[]} [first] @param {...(Child | Child[])} rest @returns {ElementOf<T>} */
export function h(name, first, ...rest) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  const hasAttributes = first?.constructor === Object;
  if (hasAttributes) for (const [key, value] of Object.entries(first)) set(element, key, value);
  const children = /** @type {Child[]} */ (hasAttributes ? rest.flat() : [first, ...rest].flat());
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return /** @type {ElementOf<T>} */ (element);
}

/** @param {HTMLElement} element @param {string} key @param {any} value */
function set(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (PROPERTIES.has(key)) Object.assign(element, { [key]: value });
  else element.setAttribute(key, value === true ? "" : value);
}

const PROPERTIES = new Set(["value", "checked"]);

/** @param {string} text @param {(event: MouseEvent) => unknown} onclick @param {Attributes} attributes */
export function button(text, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, text);
}

/** A disc as small as a letter, beside a name. @param {Side} side */
export function chip(side) {
  const mark = side === "first" ? { r: 27 } : { r: 18 };
  return svg(
    "svg",
    { class: `chip ${side}`, viewBox: "-50 -50 100 100", "aria-hidden": "true" },
    svg("circle", { r: 48 }),
    svg("circle", { class: "mark", ...mark }),
  );
}

// A few exclusive words in one line.
/** @param {string} legend @param {string} name @param {string[][]} options @param {string} chosen @param {(value: string) => void} onchange */
export function choice(legend, name, options, chosen, onchange, kind = "") {
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

/** A line of text, such as a name. @param {string} label @param {string} value @param {Attributes} attributes */
export const textInput = (label, value, attributes = {}) =>
  h("input", { type: "text", maxlength: 40, autocomplete: "off", "aria-label": label, value, ...attributes });

/** A dialog over the page; it is gone once it is closed.
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
export function check(label, checked, onchange) {
  const box = h("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return h("label", { class: "check" }, box, label);
}

/** A panel that was drawn anew: whoever stood in a field stands there again.
 * @param {HTMLElement} panel @param {string | null | undefined} name */
export function focusField(panel, name) {
  const found = name ? panel.querySelector(`[name="${name}"]:checked, [name="${name}"]:not([type="radio"])`) : null;
  if (found instanceof HTMLElement) found.focus();
}

/** Buttons that come and go: whoever stood on one stands on its like, or at the panel where there is none. @param {HTMLElement} panel @param {() => void} draw */
export function keepFocus(panel, draw) {
  const stood = panel.contains(document.activeElement) ? document.activeElement : null;
  draw();
  if (!stood || panel.contains(document.activeElement)) return;
  const like = [...panel.querySelectorAll(stood.tagName)].find((one) => wordsOn(one) === wordsOn(stood));
  (like instanceof HTMLElement ? like : panel).focus({ preventScroll: true });
}

/** @param {Element} element */
const wordsOn = (element) => element.getAttribute("aria-label") ?? element.textContent;

/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
