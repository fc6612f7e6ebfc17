// Keeps the page's own files, so that it opens without a network. Matches are never kept.
//
// From a server the newest file comes first, and the kept one where none answers. A folder of files has a version, which
// `connectk site` writes here: then all files are of one version, and a newer one waits until the page opens again.
const VERSION = "";
const SHELL = `connectk-shell${VERSION}`;
const FILES = [
  "./", "manifest.webmanifest", "icons/icon.svg", "icons/icon-192.png", "core/connectk.wasm", "core/why.wasm",
  ...["tokens", "page", "controls", "board", "review", "rooms", "why"].map((name) => `css/${name}.css`),
  ...["api", "app", "arena", "ask", "board", "boards", "boardwords", "constants", "dom", "drawing", "editor", "falling", "files", "foot",
    "games", "gestures", "graph", "help", "hints", "home", "invitation", "invite", "join", "keys", "learn", "levels", "live",
    "look", "lookdialog", "marks", "match", "measures", "memory", "mygames", "names", "pace", "paths", "play", "playpanel", "practice", "press", "puzzledata", "puzzles",
    "playwords", "questions", "refused", "review", "reviewmarks", "reviewpanel", "room", "roomapi", "roomlive", "roomlook", "roomresults", "rooms", "roomwords", "scores", "seats", "setup", "share", "showing", "sound", "start", "tasks", "texts", "wall", "watch", "why",
    "whymarks",
    "core/book", "core/checker", "core/crew", "core/explainer", "core/helper", "core/kept", "core/labels", "core/local", "core/match", "core/naming", "core/notation", "core/numbers", "core/picture", "core/review",
    "core/steps", "core/why", "core/whywords", "core/words", "core/worker",
  ].map((name) => `js/${name}.js`),
  ...["en", "fi", "sv"].flatMap((language) => [`texts/${language}.json`, `texts/later/${language}.json`, `texts/learn/${language}.json`, `texts/why/${language}.json`]),
  "lessons/lessons.json", ...["7x6x4", "5x5x4", "6x5x4", "8x7x4"].map((board) => `puzzles/${board}.txt`),
  ...(VERSION ? ["first.json"] : []),
].map((name) => new URL(name, location.href).href);

self.addEventListener("install", (event) => {
  const all = caches.open(SHELL).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" }))));
  event.waitUntil(all.then(() => (VERSION ? undefined : self.skipWaiting())));
});

self.addEventListener("message", (event) => { if (event.data === "take over") self.skipWaiting(); });

self.addEventListener("activate", (event) => event.waitUntil(forgetOlder().then(() => self.clients.claim())));

async function forgetOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("connectk-shell") && name !== SHELL).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const [address] = event.request.url.split(/[?#]/, 1);
  const name = address.endsWith("/index.html") ? address.slice(0, -"index.html".length) : address;
  if (event.request.method !== "GET" || !FILES.includes(name)) return;
  event.respondWith(VERSION ? kept(event.request, name) : fresh(event.request, name));
});

// All of one version.
async function kept(request, name) {
  const cache = await caches.open(SHELL);
  return isolated((await cache.match(name)) ?? await fetch(request));
}

// As our own server does, and a plain host does not: with these the page may share memory with its workers.
function isolated(answer) {
  const headers = new Headers(answer.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

// The server's file when it answers, the kept one when it does not.
async function fresh(request, name) {
  const cache = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(name, answer.clone());
    return answer;
  } catch {
    return (await cache.match(name)) ?? Response.error();
  }
}
