/**
 * Opens the table where there is no connection: its page and what that loads are kept, each time they come. What the
 * service answers, games above all, is never kept.
 */
const SHELL = "azul-table-shell";
const AT_FIRST = ["play", "static/table/table.js", "static/table/table.css"];
const OURS = /\/(play|static\/(table|app)\/[\w.-]+)$/;

self.addEventListener("install", (event) => {
  const keep = caches.open(SHELL).then((shell) => shell.addAll(AT_FIRST));
  event.waitUntil(keep.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** What comes now is the newest; what was kept is for when nothing comes. An address's query may hold a secret. */
async function newestOrKept(request) {
  const { origin, pathname } = new URL(request.url);
  const shell = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await shell.put(origin + pathname, answer.clone());
    return answer;
  } catch (error) {
    const kept = await shell.match(origin + pathname);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !OURS.test(pathname)) return;
  event.respondWith(newestOrKept(request));
});
