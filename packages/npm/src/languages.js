// The texts of the package: one language is spoken at a time.
import { LANGUAGES } from "page/common/constants.js";
import { setTexts } from "page/texts/texts.js";

/** @import { Catalogue, Language } from "page/texts/texts.js" */

/** @type {Record<Language, () => Promise<{ default: Catalogue }>>} */
const FILES = {
  en: () => import("made/texts-en.js"),
  fi: () => import("made/texts-fi.js"),
  sv: () => import("made/texts-sv.js"),
};
const GROUPS = ["later", "learn", "why"]; // all are in these files

/** @type {{ language: Language, texts: Catalogue }} */
let spoken = { language: "en", texts: {} };

/** @param {string} language @returns {language is Language} */
export const isLanguage = (language) => language in FILES;

/** @param {string} language @returns {Promise<{ language: Language, texts: Catalogue }>} */
async function load(language) {
  if (!isLanguage(language)) throw new TypeError(`no language "${language}": ${Object.keys(LANGUAGES).join(", ")}`);
  return { language, texts: (await FILES[language]()).default };
}

/** @param {typeof spoken} words */
const set = ({ language, texts }) => setTexts(language, texts, GROUPS);

/** Sets the language of all boards. @param {string} language */
export async function speak(language) {
  spoken = await load(language);
  set(spoken);
}

/** What a function says in a language. @template T @param {string} language @param {() => T} say @returns {Promise<T>} */
export async function inLanguage(language, say) {
  set(await load(language));
  try {
    return say();
  } finally {
    set(spoken);
  }
}
