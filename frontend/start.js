// Stands in the page itself, before anything is painted: the colours that were chosen, and what is fetched beside the
// page's script, and once more where that does not come: while a new version is brought out, a machine may still have the
// one before. The service allows this script by its hash.
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
  // storage is forbidden here: as the device has it
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
