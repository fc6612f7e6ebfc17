// The words of the page, from the catalogue that the terminal speaks from too.
import { remember, remembered } from "./memory.js";

export const LANGUAGES = [["en", "English"], ["fi", "Suomi"], ["sv", "Svenska"]];

let catalogue = {};
export let language = "en";

export async function loadTexts(wanted = preferred()) {
  catalogue = await catalogueOf(wanted);
  language = wanted;
  document.documentElement.lang = wanted;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-text]"))) element.textContent = t(element.dataset.text);
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
    element.setAttribute("aria-label", t(element.dataset.label));
  }
}

// A page that came as one file brings its words along.
async function catalogueOf(wanted) {
  const kept = document.getElementById("texts");
  if (kept) return JSON.parse(kept.textContent)[wanted];
  const answer = await fetch(`/texts/${wanted}.json`);
  if (!answer.ok) throw new Error(`no texts for ${wanted}`);
  return answer.json();
}

export function chooseLanguage(wanted) {
  remember("language", wanted);
  return loadTexts(wanted);
}

function preferred() {
  const spoken = new Set(LANGUAGES.map(([code]) => code));
  const wishes = [remembered("language", ""), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wishes.find((code) => spoken.has(code)) ?? "en";
}

// The text with its {facts} filled in; one that counts has two forms, chosen by `count`.
export function t(key, facts = {}) {
  const text = catalogue[key] ?? key;
  const form = typeof text === "string" ? text : text[facts.count === 1 ? "one" : "other"];
  return form.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
}
