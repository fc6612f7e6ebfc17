// The texts of the page, from the catalogue that it shares with the terminal.
import { LANGUAGES } from "../common/constants.js";
import { writeStorage, readStorage } from "../common/storage.js";

/** @typedef {keyof typeof LANGUAGES} Language
 *  @typedef {Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>} Catalogue */

/** @type {Catalogue} */
let catalogue = {};
/** @type {Language} */
export let language = "en";
let plurals = new Intl.PluralRules(language);

/** @type {Set<string>} */
const loadedGroups = new Set(); // the groups are loaded again when the language changes

/** @type {Promise<unknown>} */
let loading = Promise.resolve();

/** Runs the loads one after another, so that the language that was chosen last wins. @param {() => Promise<void>} work */
function enqueueLoad(work) {
  const mine = loading.then(work, work);
  loading = mine;
  return mine;
}

export const loadTexts = (wanted = preferredLanguage()) => enqueueLoad(() => loadLanguage(wanted));

/** @param {Language} wanted */
async function loadLanguage(wanted) {
  const parts = await Promise.all([
    loadCatalogue(wanted),
    ...[...loadedGroups].map((group) => fetchCatalogue(`${group}/${wanted}`)),
  ]);
  setTexts(wanted, Object.assign({}, ...parts));
  document.documentElement.lang = wanted;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-text]")))
    element.textContent = t(element.dataset.text ?? "");
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
    element.setAttribute("aria-label", t(element.dataset.label ?? ""));
  }
}

/** @param {Language} wanted @param {Catalogue} texts @param {Iterable<string>} groups that are among these texts */
export function setTexts(wanted, texts, groups = []) {
  for (const group of groups) loadedGroups.add(group);
  catalogue = texts;
  language = wanted;
  plurals = new Intl.PluralRules(wanted);
}

/** Loads the texts of a language; a page in one file contains its texts. @param {string} wanted @returns {Promise<Catalogue>} */
async function loadCatalogue(wanted) {
  const kept = document.getElementById("texts");
  if (kept) return JSON.parse(kept.textContent ?? "")[wanted];
  return fetchCatalogue(wanted);
}

/** @param {string} name @returns {Promise<Catalogue>} */
async function fetchCatalogue(name) {
  const answer = await fetch(new URL(`../../texts/${name}.json`, import.meta.url));
  if (!answer.ok) throw new TypeError(`no texts for ${name}`);
  return answer.json();
}

/** Loads texts that only some screens need. @param {string} group */
export const loadTextGroup = (group) =>
  enqueueLoad(async () => {
    if (loadedGroups.has(group) || document.getElementById("texts")) return;
    catalogue = { ...catalogue, ...(await fetchCatalogue(`${group}/${language}`)) };
    loadedGroups.add(group);
  });

/** @param {string} wanted */
export function chooseLanguage(wanted) {
  writeStorage("language", wanted);
  return loadTexts(supportedLanguage(wanted));
}

/** @param {string} wanted @returns {Language | undefined} */
const supportedLanguage = (wanted) => (wanted in LANGUAGES ? /** @type {Language} */ (wanted) : undefined);

function preferredLanguage() {
  const inAddress = new URLSearchParams(location.search).get("lang") ?? ""; // of a frame
  const wishes = [inAddress, readStorage("language", ""), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wishes.map(supportedLanguage).find(Boolean) ?? "en";
}

/** Words as a list, such as "2, 3 and 5". @param {(string | number)[]} words */
export function listWords(words) {
  const last = words[words.length - 1];
  return String(words.length > 1 ? t("reason.and", { most: words.slice(0, -1).join(", "), last }) : last);
}

/** The text with this key, if there is one and it has no placeholders. @param {string} key */
export function plainText(key) {
  const text = catalogue[key];
  return typeof text === "string" && !text.includes("{") ? text : undefined;
}

// The text with this key. {name} is replaced by a fact, {name:,} by a number with thousands separators. `count`
// chooses the plural form.
/** @param {string} key @param {Record<string, unknown>} facts */
export function t(key, facts = {}) {
  const text = catalogue[key] ?? key;
  const form = typeof text === "string" ? text : (text[plurals.select(Number(facts.count))] ?? text.other);
  return String(form).replace(/\{(\w+)(:,)?\}/g, (_, name, grouped) =>
    grouped ? Number(facts[name]).toLocaleString("en") : String(facts[name] ?? ""),
  );
}
