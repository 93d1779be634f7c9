// Inline script that runs before the first paint. It applies the chosen theme and preloads the page's chunk.
// If a script fails to load, it reloads the page once: during a deployment, one server may still run the old version.
// The Content-Security-Policy contains the hash of this script.
const AGAIN_MS = 2000;
const root = document.documentElement;
const part = /^#\/?(lobby|leaders|me|player|competitions?)(\/|\?|$)/.test(location.hash)
  ? "people_pages"
  : /^#\/?[\w-]/.test(location.hash)
    ? "game"
    : "";
root.dataset["page"] = part || "home";
try {
  root.dataset["theme"] = JSON.parse(localStorage.getItem("azul-table-settings") ?? "{}").theme ?? "auto";
} catch {
  // storage is forbidden: use the device's theme
}
addEventListener(
  "error",
  ({ target }) => {
    const [arrived] = performance.getEntriesByType("navigation");
    if (target instanceof HTMLScriptElement && arrived.type !== "reload") setTimeout(() => location.reload(), AGAIN_MS);
  },
  true,
);
if (part) {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = `static/table/${part}.js`;
  document.head.append(link);
}
