// The words of the page, from the catalogue that the terminal speaks from too.
import { LANGUAGES } from "../common/constants.js";
import { remember, remembered } from "../common/memory.js";

/** @typedef {keyof typeof LANGUAGES} Language
 *  @typedef {Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>} Catalogue */

/** @type {Catalogue} */
let catalogue = {};
/** @type {Language} */
export let language = "en";
let plurals = new Intl.PluralRules(language);

/** @type {Set<string>} */
const groups = new Set(); // of words that came later, and come again in another language

/** @type {Promise<unknown>} */
let loading = Promise.resolve();

/** One after the other, so that the language chosen last is spoken, however late the words of another come. @param {() => Promise<void>} work */
function inTurn(work) {
  const mine = loading.then(work, work);
  loading = mine;
  return mine;
}

export const loadTexts = (wanted = preferred()) => inTurn(() => load(wanted));

/** @param {Language} wanted */
async function load(wanted) {
  catalogue = Object.assign(
    {},
    ...(await Promise.all([catalogueOf(wanted), ...[...groups].map((group) => fetched(`${group}/${wanted}`))])),
  );
  language = wanted;
  plurals = new Intl.PluralRules(wanted);
  document.documentElement.lang = wanted;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-text]")))
    element.textContent = t(element.dataset.text ?? "");
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
    element.setAttribute("aria-label", t(element.dataset.label ?? ""));
  }
}

/** A page that came as one file brings its words along. @param {string} wanted @returns {Promise<Catalogue>} */
async function catalogueOf(wanted) {
  const kept = document.getElementById("texts");
  if (kept) return JSON.parse(kept.textContent ?? "")[wanted];
  return fetched(wanted);
}

/** @param {string} name @returns {Promise<Catalogue>} */
async function fetched(name) {
  const answer = await fetch(new URL(`../../texts/${name}.json`, import.meta.url));
  if (!answer.ok) throw new TypeError(`no texts for ${name}`);
  return answer.json();
}

/** Words that only some screens need, fetched when one of them opens. @param {string} group */
export const loadMore = (group) =>
  inTurn(async () => {
    if (groups.has(group) || document.getElementById("texts")) return;
    catalogue = { ...catalogue, ...(await fetched(`${group}/${language}`)) };
    groups.add(group);
  });

/** @param {string} wanted */
export function chooseLanguage(wanted) {
  remember("language", wanted);
  return loadTexts(spoken(wanted));
}

/** @param {string} wanted @returns {Language | undefined} */
const spoken = (wanted) => (wanted in LANGUAGES ? /** @type {Language} */ (wanted) : undefined);

function preferred() {
  const wishes = [remembered("language", ""), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wishes.map(spoken).find(Boolean) ?? "en";
}

/** The text, if there is one and it needs no facts. @param {string} key */
export function plain(key) {
  const text = catalogue[key];
  return typeof text === "string" && !text.includes("{") ? text : undefined;
}

// The text with its {facts} filled in, {large:,} numbers in groups of three; one that counts has the forms of its language, chosen by `count`.
/** @param {string} key @param {Record<string, unknown>} facts */
export function t(key, facts = {}) {
  const text = catalogue[key] ?? key;
  const form = typeof text === "string" ? text : (text[plurals.select(Number(facts.count))] ?? text.other);
  return String(form).replace(/\{(\w+)(:,)?\}/g, (_, name, grouped) =>
    grouped ? Number(facts[name]).toLocaleString("en") : String(facts[name] ?? ""),
  );
}
