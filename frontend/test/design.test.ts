/** Rules for style sheets: values come from the tokens of `service/static/design/design.css`. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const STYLES = join(ROOT, "frontend/src/styles");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const withoutComments = (css: string) => css.replace(/\/\*.*?\*\//gs, "");

const design = read("service/static/design/design.css");
const fonts = read("service/static/design/fonts.css");
const sheets = new Map(
  [
    ...readdirSync(STYLES).map((name) => `frontend/src/styles/${name}`),
    "service/static/pages/pages.css",
    "service/static/design/design.css",
  ].map((path) => [path, withoutComments(read(path))]),
);

test("style sheets use only tokens that exist", () => {
  const definitions = [...sheets.values()].flatMap((css) => [...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const unknown = [...sheets].flatMap(([path, css]) =>
    [...css.matchAll(/var\((--[\w-]+)/g)]
      .filter(([, name]) => !definitions.includes(name))
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(definitions.length).toBeGreaterThan(50);
  expect(unknown).toEqual([]);
});

test("only the design contains colours", () => {
  const colours = [...sheets].filter(([path]) => path.startsWith("frontend"));
  const found = colours.flatMap(([path, css]) =>
    [...css.matchAll(/(?<=[:,(] *)#[0-9a-f]{3,8}\b/gi)].map(([colour]) => `${path}: ${colour}`),
  );
  expect(design).toMatch(/#[0-9a-f]{6}/);
  expect(found).toEqual([]);
});

/** Properties with values from a scale, by the prefix of its tokens. */
const SCALES = {
  text: /^font(-size)?$/,
  space: /^((row-|column-)?gap|(padding|margin)(-[a-z]+)*)$/,
  radius: /^border(-[a-z]+)*-radius$/,
};
/** Sizes outside the scale: in units of a drawing, and for five links beside each other on a phone. */
const EXCEPTIONS = ["font-size: 11px", "font-size: clamp(0.75rem, 3.4vw, var(--text-xs))"];
/** Units relative to the component. */
const RELATIVE_UNITS = ["ch", "em", "lh"];

/** Return whether a value of a property is on the scale of the property. */
function isOnScale(property: string, value: string): boolean {
  const scale = Object.entries(SCALES).find(([, pattern]) => pattern.test(property))?.[0];
  if (!scale) return true;
  const tokens = [...value.matchAll(/var\(--([a-z]+)/g)].map(([, prefix]) => prefix);
  const units = [...value.replace(/var\([^)]*\)/g, "").matchAll(/\d([a-z]+)/g)].map(([, unit = ""]) => unit);
  return tokens.every((prefix) => prefix === scale) && units.every((unit) => RELATIVE_UNITS.includes(unit));
}

test("sizes of texts, distances and corners come from the scales of the design", () => {
  const found = [...sheets]
    .filter(([path]) => !path.endsWith("design.css"))
    .flatMap(([path, css]) =>
      [...css.matchAll(/([a-z-]+):\s+([^;{}]+)[;}]/g)]
        .filter(([, property = "", value = ""]) => !isOnScale(property, value))
        .map(([, property, value]) => `${path}: ${property}: ${value}`),
    );
  expect(isOnScale("margin-block", "calc(-1 * var(--space-2)) 0.3rem")).toBe(false);
  expect(found.filter((line) => !EXCEPTIONS.some((exception) => line.endsWith(exception)))).toEqual([]);
  expect(found.length).toBe(EXCEPTIONS.length);
});

/** Return whether the typeface has a character. */
const ranges = [...fonts.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, from = "", to = from]) =>
  [from, to].map((code) => parseInt(code, 16)),
);
const hasCharacter = (code: number) => ranges.some(([from = 0, to = 0]) => from <= code && code <= to);

/** Signs that every system has, and line ends. */
const FROM_THE_SYSTEM = "→●\n";

test("the typeface has the characters of all texts", () => {
  const texts = readdirSync(join(ROOT, "frontend/src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /(words\/.*|\/(en|de))\.ts$/.test(name),
  );
  const missing = texts.flatMap((name) =>
    [...read(`frontend/src/${name}`)].filter((character) => !hasCharacter(character.codePointAt(0) ?? 0)),
  );
  expect(texts.length).toBeGreaterThan(10);
  expect([...new Set(missing)].filter((character) => !FROM_THE_SYSTEM.includes(character))).toEqual([]);
});
