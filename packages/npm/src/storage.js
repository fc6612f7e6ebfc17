// The package's js/common/storage.js: it keeps nothing in the browsers of another site's visitors.

/** @type {Map<string, unknown>} */
const kept = new Map();

export const isEmbedded = true;

/** @template T @param {string} name @param {T} fallback @returns {T} */
export const readStorage = (name, fallback) => /** @type {T} */ (kept.get(name) ?? fallback);

/** @param {string} name @param {unknown} value */
export const writeStorage = (name, value) => void kept.set(name, value);
