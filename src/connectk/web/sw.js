// The service worker: caches the page's files, so that it opens offline. Matches are never cached.
//
// Files from a connectk server are fetched first, and the cache is used while it is unreachable. A static site has a version,
// which `connectk site` writes here: its files come from the cache, and a newer version is used when the page opens again.
const VERSION = "";
const CACHE_NAME = `connectk-shell${VERSION}`;
// Written by `make tokens`: all files of `connectk site` but the opening book.
const FILE_NAMES = `
manifest.webmanifest
./
core/analysis.wasm core/connectk.wasm
css/board.css css/certificate.css css/controls.css css/page.css css/review.css css/rooms.css css/strangers.css
css/tokens.css css/why.css
icons/icon-192.png icons/icon-512.png icons/icon.svg
js/app.js
js/board/board.js js/board/convert.js js/board/drawing.js js/board/fall-queue.js js/board/gestures.js
js/board/keyboard.js js/board/labels.js js/board/mini-board.js js/board/overlays.js js/board/overview.js
js/board/start-position.js
js/common/api.js js/common/appearance.js js/common/cancellable-requests.js js/common/confirm.js js/common/constants.js
js/common/deferred-redraw.js js/common/dom.js js/common/file-drop.js js/common/network.js js/common/paths.js
js/common/players.js js/common/reconnecting-socket.js js/common/share-link.js js/common/share.js js/common/sound.js
js/common/storage.js js/common/table.js
js/core/analysis-api.js js/core/analysis.js js/core/answering.js js/core/board-picture.js js/core/coach-text.js
js/core/core-files.js js/core/core-workers.js js/core/explainer.js js/core/explanation-checker.js
js/core/explanation-text.js js/core/helper.js js/core/local-api.js js/core/notation.js js/core/numbers.js
js/core/opening-book.js js/core/review-text.js js/core/worker.js
js/learn/certificate.js js/learn/lessons.js js/learn/practice.js js/learn/puzzle-attempt.js js/learn/puzzle-files.js
js/learn/puzzles.js js/learn/task-board.js
js/match/demo-playback.js js/match/faces.js js/match/facts.js js/match/fair-starts.js js/match/fairness.js
js/match/hints.js js/match/invitation.js js/match/local-match.js js/match/local-store.js js/match/match-panel.js
js/match/match-screen.js js/match/match-socket.js js/match/match-summary.js js/match/match.js js/match/progress.js
js/match/reducer.js js/match/ruling.js js/match/saved-games.js js/match/screen-state.js js/match/seats.js
js/match/sentences.js js/match/setup.js js/match/swapping.js
js/review/advantage-graph.js js/review/explanation-dialog.js js/review/explanation-overlay.js js/review/explorer.js
js/review/overlays.js js/review/review-panel.js js/review/review-screen.js js/review/review-state.js
js/review/strategy-game.js
js/rooms/api.js js/rooms/elements.js js/rooms/grades.js js/rooms/host-controls.js js/rooms/join-form.js
js/rooms/lobby.js js/rooms/results.js js/rooms/room-screen.js js/rooms/room-socket.js js/rooms/sentences.js
js/rooms/tournament.js js/rooms/wall-screen.js
js/screens/appearance-dialog.js js/screens/arena.js js/screens/code-form.js js/screens/editor.js js/screens/footer.js
js/screens/help-dialog.js js/screens/home-demo.js js/screens/home.js js/screens/invite.js js/screens/join.js
js/screens/my-games.js js/screens/watch.js
js/strangers/api.js js/strangers/match-part.js js/strangers/moods.js js/strangers/profile-dialog.js
js/strangers/seek-screen.js js/strangers/words.js
js/texts/levels.js js/texts/refusals.js js/texts/score-labels.js js/texts/side-names.js js/texts/texts.js
lessons/lessons.json
puzzles/5x5x4.txt puzzles/6x5x4.txt puzzles/7x6x4.txt puzzles/8x7x4.txt
texts/en.json texts/fi.json texts/sv.json
texts/later/en.json texts/later/fi.json texts/later/sv.json
texts/learn/en.json texts/learn/fi.json texts/learn/sv.json
texts/why/en.json texts/why/fi.json texts/why/sv.json
`;
const FILE_URLS = [...FILE_NAMES.trim().split(/\s+/), ...(VERSION ? ["first.json"] : [])].map(
  (name) => new URL(name, location.href).href,
);

self.addEventListener("install", (event) => {
  const all = caches
    .open(CACHE_NAME)
    .then((cache) => cache.addAll(FILE_URLS.map((file) => new Request(file, { cache: "no-cache" }))));
  event.waitUntil(all.then(() => (VERSION ? undefined : self.skipWaiting())));
});

self.addEventListener("message", (event) => {
  if (event.data === "skip waiting") self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(deleteOlderCaches().then(() => self.clients.claim())));

async function deleteOlderCaches() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("connectk-shell") && name !== CACHE_NAME).map((name) => caches.delete(name)),
  );
}

self.addEventListener("fetch", (event) => {
  const [address] = event.request.url.split(/[?#]/, 1);
  const name = address.endsWith("/index.html") ? address.slice(0, -"index.html".length) : address;
  if (event.request.method !== "GET" || !FILE_URLS.includes(name)) return;
  event.respondWith(VERSION ? cacheFirst(event.request, name) : networkFirst(event.request, name));
});

// Static site: all files are of one version.
async function cacheFirst(request, name) {
  const cache = await caches.open(CACHE_NAME);
  return withIsolationHeaders((await cache.match(name)) ?? (await fetch(request)));
}

// Adds the headers that a connectk server sends and a plain host does not: they let the page share memory with its workers.
function withIsolationHeaders(answer) {
  const headers = new Headers(answer.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

// Connectk server: the current file, or the cached one while the server is unreachable.
async function networkFirst(request, name) {
  const cache = await caches.open(CACHE_NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(name, answer.clone());
    return answer;
  } catch {
    return (await cache.match(name)) ?? Response.error();
  }
}
