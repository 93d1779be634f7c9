/** A file that the browser saves where downloads go. */

/** So long a browser may take to begin. */
const BEGUN_MS = 60_000;

export function save(file: File): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), BEGUN_MS);
}
