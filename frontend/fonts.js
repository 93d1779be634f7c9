// Writes the typeface of all pages into service/static/design, with licences: `npm run fonts -w frontend`.
// The package contains one file for each range of characters. File names contain its version, so they never change.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const source = new URL(import.meta.resolve("@fontsource-variable/figtree/package.json"));
const target = new URL("../service/static/design/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, source), "utf8"));
const { version } = read("package.json");
const ranges = read("unicode.json");

/** Metrics of Figtree and Arial, in shares of the font size: average width of a letter, ascent and descent. */
const FIGTREE = { width: 0.449, ascent: 0.95, descent: 0.25 };
const ARIAL_WIDTH = 913 / 2048;

const percent = (share) => `${(100 * share).toFixed(2)}%`;

for (const name of readdirSync(target)) if (name.endsWith(".woff2")) rmSync(new URL(name, target));
const faces = ["latin", "latin-ext"].map((subset) => {
  const name = `figtree-${version}-${subset}.woff2`;
  copyFileSync(new URL(`files/figtree-${subset}-wght-normal.woff2`, source), new URL(name, target));
  return `@font-face {
  font-family: "Figtree";
  font-weight: 300 900;
  font-display: swap;
  src: url("${name}") format("woff2");
  unicode-range: ${ranges[subset]};
}`;
});
const scale = FIGTREE.width / ARIAL_WIDTH;
const fallback = `@font-face {
  font-family: "Figtree fallback";
  src: local("Arial"), local("Liberation Sans"), local("Roboto");
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(FIGTREE.ascent / scale)};
  descent-override: ${percent(FIGTREE.descent / scale)};
  line-gap-override: 0%;
}`;
const origin =
  "/* Written by `npm run fonts -w frontend`. The fallback has the metrics of Figtree, so the layout is stable. */";
writeFileSync(new URL("fonts.css", target), `${[origin, ...faces, fallback].join("\n")}\n`);
copyFileSync(new URL("LICENSE", source), new URL("OFL.txt", target));
copyFileSync(new URL("../node_modules/lucide/LICENSE", import.meta.url), new URL("lucide.txt", target)); // of the icons
