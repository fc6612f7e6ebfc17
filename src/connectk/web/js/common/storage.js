// Stores settings and the secrets of seats in localStorage. If the browser stores nothing, the secrets last as long
// as the page.
const KEY_PREFIX = "connectk.";
const MAX_STORED_SEATS = 50;

/** Whether the page is in a frame of another site's page. It then neither reads nor stores anything in the browser, so
 * that the other page cannot trick a person into acting with their own seats. */
export const isEmbedded = typeof document !== "undefined" && document.documentElement.hasAttribute("data-embed");
/** @type {Map<string, string>} */
const embeddedStorage = new Map();
const embeddedAccess = {
  getItem: (/** @type {string} */ key) => embeddedStorage.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ text) => void embeddedStorage.set(key, text),
};
const storage = () => (isEmbedded ? embeddedAccess : localStorage); // access may throw where nothing may be stored

/** @template T @param {string} name @param {T} fallback @returns {T} */
export function readStorage(name, fallback) {
  try {
    const text = storage().getItem(KEY_PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** @param {string} name @param {unknown} value */
export function writeStorage(name, value) {
  try {
    storage().setItem(KEY_PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows may refuse to store anything.
  }
}

// 192 random bits in 32 characters that are safe in a URL.
export function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

export const LOCAL_MATCH_PREFIX = "here-"; // the prefix of the ids of matches that are played without a server

/** @param {string} match */
export const isLocalMatch = (match) => match.startsWith(LOCAL_MATCH_PREFIX);

/** @param {string} match @returns {string | null} */
export function seatSecret(match) {
  const game = readStorage("games", /** @type {{ id: string, secret: string | null }[]} */ ([])).find(
    ({ id }) => id === match,
  );
  return secretsInMemory.get(match) ?? game?.secret ?? storedSeats().find(([id]) => id === match)?.[1] ?? null;
}

const storedSeats = () => readStorage("seats", /** @type {[string, string][]} */ ([]));

/** @type {Map<string, string>} */
const secretsInMemory = new Map();

/** @param {string} match @param {string} secret */
export function storeSeatSecret(match, secret) {
  secretsInMemory.set(match, secret);
  const others = storedSeats().filter(([id]) => id !== match);
  writeStorage("seats", [...others, [match, secret]].slice(-MAX_STORED_SEATS));
}
