import { describe, expect, test } from "vitest";
import { WORDS } from "../src/words";

type Node = string | ((...values: never[]) => unknown) | { [key: string]: Node } | readonly Node[];

/** All words of a language, by their path. */
function* leaves(node: Node, path = ""): Generator<[path: string, leaf: Exclude<Node, object> | Function]> {
  if (typeof node === "string" || typeof node === "function") yield [path, node];
  else for (const [key, child] of Object.entries(node)) yield* leaves(child as Node, `${path}.${key}`);
}

const all = { en: new Map(leaves(WORDS.en as unknown as Node)), de: new Map(leaves(WORDS.de as unknown as Node)) };

describe("the words of the table", () => {
  test("are the same in both languages, down to each name in a list", () => {
    expect([...all.de.keys()].sort()).toEqual([...all.en.keys()].sort());
    expect(all.en.size).toBeGreaterThan(400);
  });

  test("are translated", () => {
    const alike = [...all.en].filter(([path, word]) => typeof word === "string" && word === all.de.get(path));
    const sentences = alike.filter(([, word]) => String(word).split(" ").length > 3);
    expect(sentences).toEqual([]);
  });

  test("are none of them empty but those that are meant to be", () => {
    for (const language of ["en", "de"] as const) {
      const empty = [...all[language]].filter(([, word]) => word === "").map(([path]) => path);
      expect(empty).toEqual([".people.reasons.none"]);
    }
  });

  test("take as many values in both languages", () => {
    for (const [path, word] of all.en)
      if (typeof word === "function")
        expect([path, (all.de.get(path) as Function).length <= word.length]).toEqual([path, true]);
  });

  test("have a name for each language in the other", () => {
    expect([WORDS.en.language, WORDS.de.language]).toEqual(["Deutsch", "English"]);
  });

  test("count", () => {
    const { en, de } = WORDS;
    expect([en.points(1), en.points(2), de.points(1), de.points(0)]).toEqual([
      "1 point",
      "2 points",
      "1 Punkt",
      "0 Punkte",
    ]);
    expect([en.inBank(0), en.inBank(65.9), en.inBank(600)]).toEqual(["0:00", "1:05", "10:00"]);
    expect(en.choosing.keeping(4, 2, 1, 0).trim()).toBe("You keep 4 and discard 2, which costs 1 point");
    expect(en.source("factory_3")).toBe("factory 4");
    expect([en.line(0), en.line("floor")]).toEqual(["pattern line 1", "floor line"]);
  });

  test("say of a side what is not certain about it", () => {
    const { sureness } = WORDS.en;
    expect(sureness["queens-garden"]).toBe("Seven rulings of this game are likely ones, not certain.");
    expect(sureness["queens-garden reverse"]).toContain("The points of this side are reconstructed");
    expect(sureness["azul"]).toBeUndefined();
  });
});
