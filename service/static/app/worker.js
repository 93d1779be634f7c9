/**
 * Opens the table without a connection, and shows notifications. The cache contains the page and the scripts of its
 * version; each page of another version replaces them. Responses of the API, such as games, are never cached.
 */
const SHELL = "azul-table-shell";
const FILES = ["table.js", "game.js", "people_pages.js", "puzzle_pages.js", "lean-qr.js", "gif.js"];
const OF_A_VERSION = /\/static\/v-\w+\/|\.woff2$/;
const OURS = /\/(play|static\/(app|design)\/[\w.-]+|static\/v-\w+\/table\/[\w.-]+)$/;
const PAGE = "play";

self.addEventListener("install", (event) => {
  const page = fetch(PAGE).then((answer) => cachePage(new URL(PAGE, self.location), answer));
  event.waitUntil(page.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** Cache the page after its files, then delete files of other versions. */
async function cachePage(address, page) {
  const [, files] = /"(static\/v-\w+\/table\/)/.exec(await page.clone().text());
  const base = new URL(files, address).href;
  const shell = await caches.open(SHELL);
  const cached = (await shell.keys()).map(({ url }) => url);
  await shell.addAll(FILES.map((name) => base + name).filter((url) => !cached.includes(url)));
  await shell.put(address, page);
  const others = cached.filter((url) => url.includes("/table/") && !url.startsWith(base));
  await Promise.all(others.map((url) => shell.delete(url)));
}

/** Prefer the network; use the cache when offline. */
async function networkFirst(address, event) {
  const shell = await caches.open(SHELL);
  try {
    const answer = await fetch(event.request);
    const copy = answer.clone();
    if (answer.ok)
      event.waitUntil(address.pathname.endsWith(PAGE) ? cachePage(address, copy) : shell.put(address, copy));
    return answer;
  } catch (error) {
    const cached = await shell.match(address);
    if (cached) return cached;
    throw error;
  }
}

/** Prefer the cache: files of a version never change. Add the typeface to the cache when it is first used. */
async function cacheFirst(address, event) {
  const shell = await caches.open(SHELL);
  const cached = await shell.match(address);
  if (cached) return cached;
  const answer = await fetch(event.request);
  if (answer.ok && address.pathname.endsWith(".woff2")) event.waitUntil(shell.put(address, answer.clone()));
  return answer;
}

self.addEventListener("push", (event) => {
  const { title, text, language, type, game_id, url } = event.data.json();
  const options = { body: text, lang: language, tag: game_id ?? type, icon: "static/app/icon-192.png", data: url };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(new URL(event.notification.data, self.location).href));
});

/** Open an address in a tab of the table, or in a new one. */
async function showPage(address) {
  const [tab] = await self.clients.matchAll({ type: "window" });
  if (!tab) return self.clients.openWindow(address);
  await tab.navigate(address);
  return tab.focus();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !OURS.test(pathname)) return;
  const address = new URL(origin + pathname); // its query may hold a secret
  const answer = OF_A_VERSION.test(pathname) ? cacheFirst : networkFirst;
  event.respondWith(answer(address, event));
});
