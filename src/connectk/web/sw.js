// Keeps the page's own files, so that it opens without a network. Matches are never kept.
//
// From a server the newest file comes first, and the kept one where none answers. A folder of files has a version, which
// `connectk site` writes here: then all files are of one version, and a newer one waits until the page opens again.
const VERSION = "";
const SHELL = `connectk-shell${VERSION}`;
// Written by `make tokens`: all that `connectk site` writes but the opening book.
const NAMES = `
manifest.webmanifest
./
core/analysis.wasm core/connectk.wasm
css/board.css css/controls.css css/page.css css/review.css css/rooms.css css/tokens.css css/why.css
icons/icon-192.png icons/icon-512.png icons/icon.svg
js/app.js
js/board/board.js js/board/boards.js js/board/drawing.js js/board/falling.js js/board/gestures.js js/board/keys.js
js/board/marks.js js/board/start.js js/board/words.js
js/common/api.js js/common/ask.js js/common/constants.js js/common/dom.js js/common/files.js js/common/look.js
js/common/memory.js js/common/paths.js js/common/players.js js/common/press.js js/common/questions.js
js/common/reconnecting.js js/common/share.js js/common/sound.js js/common/table.js
js/core/analysis.js js/core/book.js js/core/checker.js js/core/crew.js js/core/helper.js js/core/local.js
js/core/notation.js js/core/numbers.js js/core/picture.js js/core/why.js js/core/whywords.js js/core/words.js
js/core/worker.js
js/learn/learn.js js/learn/practice.js js/learn/puzzledata.js js/learn/puzzles.js js/learn/tasks.js
js/match/fold.js js/match/games.js js/match/hints.js js/match/invitation.js js/match/kept.js js/match/live.js
js/match/locallive.js js/match/match.js js/match/pace.js js/match/panel.js js/match/play.js js/match/ruling.js
js/match/seats.js js/match/setup.js js/match/state.js js/match/words.js
js/review/graph.js js/review/marks.js js/review/panel.js js/review/review.js js/review/why.js js/review/whymarks.js
js/rooms/api.js js/rooms/live.js js/rooms/look.js js/rooms/results.js js/rooms/room.js js/rooms/rooms.js
js/rooms/wall.js js/rooms/words.js
js/screens/arena.js js/screens/editor.js js/screens/foot.js js/screens/help.js js/screens/home.js js/screens/invite.js
js/screens/join.js js/screens/lookdialog.js js/screens/mygames.js js/screens/showing.js js/screens/watch.js
js/texts/levels.js js/texts/names.js js/texts/refused.js js/texts/scores.js js/texts/texts.js
lessons/lessons.json
puzzles/5x5x4.txt puzzles/6x5x4.txt puzzles/7x6x4.txt puzzles/8x7x4.txt
texts/en.json texts/fi.json texts/sv.json
texts/later/en.json texts/later/fi.json texts/later/sv.json
texts/learn/en.json texts/learn/fi.json texts/learn/sv.json
texts/why/en.json texts/why/fi.json texts/why/sv.json
`;
const FILES = [...NAMES.trim().split(/\s+/), ...(VERSION ? ["first.json"] : [])].map(
  (name) => new URL(name, location.href).href,
);

self.addEventListener("install", (event) => {
  const all = caches
    .open(SHELL)
    .then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" }))));
  event.waitUntil(all.then(() => (VERSION ? undefined : self.skipWaiting())));
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(forgetOlder().then(() => self.clients.claim())));

async function forgetOlder() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("connectk-shell") && name !== SHELL).map((name) => caches.delete(name)),
  );
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
  return isolated((await cache.match(name)) ?? (await fetch(request)));
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
