// Inline script that runs before the first paint. It applies the chosen theme, preloads the page's chunks, and sends the
// first requests of a game's page, whose responses `shared/client.ts` takes.
// If a script fails to load, it reloads the page once: during a deployment, one server may still run the old version.
// The Content-Security-Policy contains the hash of this script.
const AGAIN_MS = 2000;
const root = document.documentElement;
const parts = /^#\/?(lobby|leaders|me|player|competitions?)(\/|\?|$)/.test(location.hash)
  ? ["people_pages"]
  : /^#\/?(puzzles(\/|\?|$)|[\w-]+\/mistakes)/.test(location.hash)
    ? ["game", "puzzle_pages"]
    : /^#\/?[\w-]/.test(location.hash)
      ? ["game"]
      : [];
const stored = (key) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {}; // storage is forbidden: use the device's theme
  }
};
const { theme = "auto", contrast, language, apiKey } = stored("azul-table-settings");
root.dataset["page"] = parts[0] ?? "home";
root.dataset["theme"] = theme;
addEventListener(
  "error",
  ({ target }) => {
    const [arrived] = performance.getEntriesByType("navigation");
    if (target instanceof HTMLScriptElement && arrived.type !== "reload") setTimeout(() => location.reload(), AGAIN_MS);
  },
  true,
);
for (const name of parts) {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = `static/table/${name}.js`;
  document.head.append(link);
}
const [, game] = /^#\/?([\w-]+)$/.exec(location.hash) ?? [];
if (game && String(parts) === "game") {
  const { host, invite, watch, seats = {} } = stored("azul-table-games")[game] ?? {};
  const token = [host, invite, watch, ...Object.values(seats), stored("azul-table-player").token].find((each) => each);
  const headers = {
    "Accept-Language": language ?? (navigator.language.startsWith("de") ? "de" : "en"),
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(apiKey && { "X-Api-Key": apiKey }),
  };
  const paths = ["", "/history?after=0&limit=200"];
  if (Object.keys(seats).length) paths.push("/choices");
  if (matchMedia("(max-width: 43rem)").matches)
    paths.push(`/board.svg?theme=${contrast ? "contrast" : theme}&layout=narrow`);
  const send = (path) => {
    const url = new URL(`v1/games/${game}${path}`, location.href).href;
    return [url, fetch(url, { headers }).catch(() => null)];
  };
  globalThis.early = { authorization: headers.Authorization ?? null, responses: new Map(paths.map(send)) };
}
