/** Rules for folders and imports. A package is a folder of `src`; modules directly in `src` start the page. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const SRC = resolve(import.meta.dirname, "../src");
const MAX_FOLDER = 15;
const MAX_EDGES = 51;

const MODULES = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.d)\.tsx?$/.test(name));

/** Return the modules that a module imports. */
function importsOf(name: string, pattern = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g): string[] {
  const source = readFileSync(join(SRC, name), "utf8");
  const found = [...source.matchAll(pattern)].map(([, path]) => path as string);
  const targets = found
    .filter((path) => !path.endsWith(".css"))
    .map((path) => relative(SRC, join(SRC, dirname(name), path)))
    .filter((target) => !existsSync(join(SRC, `${target}.d.ts`)));
  return targets.map((target) => {
    const module = [`${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((each) => MODULES.includes(each));
    if (!module) throw new Error(`${name} imports ${target}, which is no module`);
    return module;
  });
}

const IMPORTS = new Map(MODULES.map((name) => [name, importsOf(name)]));
const STATIC_IMPORTS = new Map(
  MODULES.map((name) => [name, importsOf(name, /(?<!import type [^;]*)(?:from|import) "(\.[^"]+)"/g)]),
);

const packageOf = (name: string): string => (name.includes("/") ? (name.split("/")[0] as string) : "");

/** Return the imports between packages, each once. */
function packageImports(): [from: string, to: string][] {
  const all = [...IMPORTS].flatMap(([name, imports]) => imports.map((each) => [packageOf(name), packageOf(each)]));
  const between = new Set(all.filter(([from, to]) => from !== to).map((edge) => edge.join(" ")));
  return [...between].map((edge) => edge.split(" ") as [string, string]);
}

/** Return the nodes of cycles and the nodes that lead to them, by removing nodes without outgoing edges. */
function cyclicNodes(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(graph);
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    for (const [node, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(node);
  }
  return [...left.keys()];
}

test("modules have no import cycles", () => {
  expect(cyclicNodes(IMPORTS)).toEqual([]);
});

test("packages have no import cycles and few imports between them", () => {
  const all = packageImports();
  const graph = new Map(MODULES.map((name) => [packageOf(name), [] as string[]]));
  for (const [from, to] of all) graph.get(from)?.push(to);
  expect(cyclicNodes(graph)).toEqual([]);
  expect(graph.size).toBeGreaterThan(8);
  expect(all.length).toBeLessThanOrEqual(MAX_EDGES);
});

const REGISTRIES = ["rulesets/registry.ts", "rulesets/titles.ts", "rulesets/ui_registry.ts"];

test("only the registries import from the folder of a ruleset", () => {
  const folderOf = (name: string) => /^rulesets\/(?!base\/)[^/]+\//.exec(name)?.[0];
  const wrong = [...IMPORTS].flatMap(([name, imports]) =>
    imports
      .filter((each) => folderOf(each) && folderOf(each) !== folderOf(name) && !REGISTRIES.includes(name))
      .map((each) => `${name} imports ${each}`),
  );
  expect(wrong).toEqual([]);
});

test("only the folder of a ruleset and the registries contain its name", () => {
  const rulesets = [...new Set(MODULES.flatMap((name) => /^rulesets\/(?!base\/)([^/]+)\//.exec(name)?.[1] ?? []))];
  expect(rulesets.length).toBeGreaterThan(2);
  const named = MODULES.filter((name) => !rulesets.includes(name.split("/")[1] ?? "") && !REGISTRIES.includes(name));
  const quoted = rulesets.flatMap((id) => [`"${id}"`, `"${id}.`]);
  expect(named.filter((name) => quoted.some((id) => readFileSync(join(SRC, name), "utf8").includes(id)))).toEqual([]);
});

test("the start page loads no guided moves, lessons or animations of rulesets", () => {
  const loaded = new Set(["main.tsx"]);
  for (const name of loaded) for (const each of STATIC_IMPORTS.get(name) ?? []) loaded.add(each);
  expect(loaded).toContain("rulesets/registry.ts");
  expect(loaded).not.toContain("rulesets/ui_registry.ts");
});

test("buttons that cannot be used say why", () => {
  const silent = /<button\b(?:=>|[^>])*?\sdisabled\b/;
  expect(silent.test("<button onClick={() => 1} disabled={isBusy}>")).toBe(true);
  expect(MODULES.filter((name) => silent.test(readFileSync(join(SRC, name), "utf8")))).toEqual([]);
});

test("no folder has more than 15 modules", () => {
  const sizes: Record<string, number> = {};
  for (const name of MODULES) sizes[dirname(name)] = (sizes[dirname(name)] ?? 0) + 1;
  expect(Object.entries(sizes).filter(([, size]) => size > MAX_FOLDER)).toEqual([]);
});
