// What this browser remembers: settings, and the secrets of the seats held here. Works without storage, too.
const PREFIX = "connectk.";
const MOST_SEATS = 50;

/** @template T @param {string} name @param {T} fallback @returns {T} */
export function remembered(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** @param {string} name @param {unknown} value */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows may refuse; then it is forgotten with the page.
  }
}

// 192 random bits in 32 characters that need no escaping.
export function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

export const HERE = "here-"; // how the names of matches begin that no server knows

/** @param {string} match */
export const isHere = (match) => match.startsWith(HERE);

/** @param {string} match @returns {string | null} */
export function seatSecret(match) {
  const game = remembered("games", /** @type {{ id: string, secret: string | null }[]} */ ([])).find(
    ({ id }) => id === match,
  );
  return kept.get(match) ?? game?.secret ?? seats().find(([id]) => id === match)?.[1] ?? null;
}

const seats = () => remembered("seats", /** @type {[string, string][]} */ ([]));

/** @type {Map<string, string>} */
const kept = new Map();

/** @param {string} match @param {string} secret */
export function keepSeat(match, secret) {
  kept.set(match, secret);
  const others = seats().filter(([id]) => id !== match);
  remember("seats", [...others, [match, secret]].slice(-MOST_SEATS));
}
