// Keeps the page's own files, so that it opens without the server and can say so. Matches are never kept.
const SHELL = "connectk-shell";
const FILES = [
  "/", "/manifest.webmanifest", "/icons/icon.svg", "/icons/icon-192.png",
  ...["tokens", "page", "controls", "board", "review", "why"].map((name) => `/css/${name}.css`),
  ...["api", "app", "arena", "ask", "board", "boards", "boardwords", "dom", "drawing", "editor", "falling", "files", "foot",
    "games", "gestures", "graph", "help", "hints", "home", "invitation", "invite", "join", "keys", "levels", "live",
    "look", "lookdialog", "marks", "match", "measures", "memory", "mygames", "names", "pace", "paths", "play", "playpanel",
    "playwords", "questions", "review", "reviewpanel", "scores", "seats", "setup", "share", "showing", "sound", "texts", "watch", "why", "whymarks",
  ].map((name) => `/js/${name}.js`),
  ...["en", "fi", "sv"].flatMap((language) => [`/texts/${language}.json`, `/texts/why/${language}.json`]),
];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  event.respondWith(fresh(event.request, pathname));
});

// The server's file when it answers, the kept one when it does not.
async function fresh(request, pathname) {
  const cache = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok && FILES.includes(pathname)) await cache.put(pathname, answer.clone());
    return answer;
  } catch {
    return (await cache.match(pathname)) ?? Response.error();
  }
}
