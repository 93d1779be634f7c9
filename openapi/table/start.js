// Stands in the page itself, before anything is painted: the colours that were chosen, and what is fetched beside the
// page's script. The service allows it by its hash.
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
if (part) {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = `static/table/${part}.js`;
  document.head.append(link);
}
