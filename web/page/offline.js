/* Keeps the site's files for use without a network. A file comes from the network if it answers, so that
   files of two builds never mix. */
const FILES = ["./", "ask.js", "board.css", "board.js", "explain.js", "hand.css", "hand.js", "lab.js", "look.js", "main.js", "parlour_web.js",
  "parlour_web_bg.wasm", "parts.js", "play.js", "report.css", "rules.js", "run.js", "style.css", "table.css", "table.js", "worker.js"];
const STORE = "parlour";

addEventListener("install", (event) => {
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

async function answer(request) {
  const store = await caches.open(STORE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await store.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await store.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const own = new URL(event.request.url).origin === location.origin;
  if (own && event.request.method === "GET") event.respondWith(answer(event.request));
});
