// Addresses inside the page. A whole game fits into one: /game/7x6x4/4453, and the discs it started from after that.
export function gamePath({ variant, moves, start }) {
  return ["/game", variant, moves || "-", ...(start ? [encodeURIComponent(start)] : [])].join("/");
}

export function parseGamePath([variant = "7x6x4", moves = "-", start = ""]) {
  return { variant, moves: moves === "-" ? "" : moves, start };
}

export function link(path) {
  return `${location.origin}/#${path}`;
}
