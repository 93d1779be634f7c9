import { describe, expect, test } from "vitest";
import { ADMIN_WORDS } from "../src/admin/words";
import { PUZZLE_WORDS } from "../src/puzzles/words";
import { words as azul } from "../src/rulesets/azul/words";
import { words as garden } from "../src/rulesets/queens-garden/words";
import { rulesetInfo, RULESETS, rulesetTexts } from "../src/rulesets/registry";
import { words as pavilion } from "../src/rulesets/summer-pavilion/words";
import { type Language, WORDS } from "../src/shared/words";

type Node = string | ((...values: never[]) => unknown) | { [key: string]: Node } | readonly Node[];

/** Yield all texts with their paths. */
function* leaves(node: Node, path = ""): Generator<[path: string, leaf: Exclude<Node, object> | Function]> {
  if (typeof node === "string" || typeof node === "function") yield [path, node];
  else for (const [key, child] of Object.entries(node)) yield* leaves(child as Node, `${path}.${key}`);
}

/** Return the texts of the table, of puzzles, of the admin page and of all rulesets, by path. */
function wordsIn(lang: Language): Map<string, string | Function> {
  const own = RULESETS.map((ruleset) => [ruleset, rulesetInfo(ruleset)?.words[lang]]);
  const pages = { solving: PUZZLE_WORDS[lang], admin: ADMIN_WORDS[lang] };
  return new Map(leaves({ ...WORDS[lang], ...pages, ...Object.fromEntries(own) } as unknown as Node));
}

const all = { en: wordsIn("en"), de: wordsIn("de") };

describe("texts of the table", () => {
  test("both languages have the same texts", () => {
    expect([...all.de.keys()].sort()).toEqual([...all.en.keys()].sort());
    expect(all.en.size).toBeGreaterThan(400);
  });

  test("sentences are translated", () => {
    const alike = [...all.en].filter(([path, word]) => typeof word === "string" && word === all.de.get(path));
    const sentences = alike.filter(([, word]) => String(word).split(" ").length > 3);
    expect(sentences).toEqual([]);
  });

  test("only one text is empty", () => {
    for (const language of ["en", "de"] as const) {
      const empty = [...all[language]].filter(([, word]) => word === "").map(([path]) => path);
      expect(new Set(empty.map((path) => path.replace(/^\.(azul|summer-pavilion|queens-garden)/, "")))).toEqual(
        new Set([".people.reasons.none"]),
      );
    }
  });

  test("functions have no more parameters in German than in English", () => {
    for (const [path, word] of all.en)
      if (typeof word === "function")
        expect([path, (all.de.get(path) as Function).length <= word.length]).toEqual([path, true]);
  });

  test("each language names the other", () => {
    expect([WORDS.en.language, WORDS.de.language]).toEqual(["Deutsch", "English"]);
  });

  test("plurals follow the rules of the language", () => {
    const { en, de } = WORDS;
    expect([en.points(1), en.points(2), de.points(1), de.points(0)]).toEqual([
      "1 point",
      "2 points",
      "1 Punkt",
      "0 Punkte",
    ]);
    expect([en.inBank(0), en.inBank(65.9), en.inBank(600)]).toEqual(["0:00", "1:05", "10:00"]);
    expect(pavilion.en.keeping(4, 2, 1, 0)).toBe("You keep 4 and discard 2, which costs 1 point.");
    expect(pavilion.en.keeping(1, 0, 0, 1)).toBe(
      "You keep 1 and discard nothing. At the end, the kept tile costs 1 point.",
    );
    expect(pavilion.de.keeping(4, 2, 2, 0)).toBe("Du behältst 4 und wirfst 2 ab, das kostet 2 Punkte.");
    expect([en.choices(1), en.choices(2), de.choices(1), de.choices(2)]).toEqual([
      "1 choice",
      "All 2 choices",
      "1 Möglichkeit",
      "Alle 2 Möglichkeiten",
    ]);
    expect([en.scoring.wins(["Ana"]), en.scoring.wins(["Ana", "Ben"])]).toEqual(["Ana won", "Ana and Ben won"]);
    expect([de.scoring.wins(["Ana"]), de.scoring.wins(["Ana", "Ben"])]).toEqual([
      "Ana hat gewonnen",
      "Ana und Ben haben gewonnen",
    ]);
    expect(en.source("factory_3")).toBe("factory 4");
    expect([azul.en.line(0), azul.en.line("floor")]).toEqual(["line 1", "floor line"]);
  });

  test("no text begins or ends with a space", () => {
    for (const language of ["en", "de"] as const)
      for (const [path, word] of all[language])
        if (typeof word === "string") expect([path, word]).toEqual([path, word.trim()]);
  });

  test("places are numbered from 1", () => {
    const { en } = garden;
    expect([en.area(0), en.space({ area: 0, at: 0 }), en.pieceOf("tile", "beside_0")]).toEqual([
      "area 1",
      "in area 1, to the right",
      "a tile at expansion 1",
    ]);
    const space = (variant: string) => [pavilion.en, pavilion.de].map((words) => words.starSpace("orange", 2, variant));
    expect(space("coloured")).toEqual(["orange star, space 2", "Stern Orange, Feld 2"]);
    expect(space("grey")).toEqual(["upper left star, space 2", "Stern oben links, Feld 2"]);
  });

  test("German texts quote the names of games, so that their articles are no part of the sentence", () => {
    const { sharing } = WORDS.de;
    const puzzles = PUZZLE_WORDS.de;
    const game = pavilion.de.name;
    const texts = [sharing.inviteText(game), sharing.invitedBy("Ada", game), sharing.watchText(game)];
    for (const text of [...texts, puzzles.shareText(game), puzzles.shareSolved(game, 2, 3)])
      expect(text).toContain(`„${game}“`);
  });

  test("each level has its own character in both languages", () => {
    for (const { sharing } of [WORDS.en, WORDS.de]) {
      const levels = Object.keys(sharing.levels);
      expect(Object.keys(sharing.characters)).toEqual(levels);
      expect(new Set(Object.values(sharing.characters)).size).toBe(levels.length);
    }
    expect([WORDS.en.ai("greedy"), WORDS.de.ai("casual")]).toEqual([
      "AI: Greedy – Magpie",
      "KI: Gelegenheitsspieler – Lerche",
    ]);
    expect([WORDS.en.character("greedy"), WORDS.de.character("casual")]).toEqual(["Magpie (AI)", "Lerche (KI)"]);
  });

  test("uncertain rules have a note for each side", () => {
    const { sureness } = rulesetTexts("queens-garden", WORDS.en);
    expect(sureness?.["any"]).toBe("A few rules are our best reading.");
    expect(sureness?.["reverse"]).toContain("The scoring of this side is reconstructed");
    expect(rulesetTexts("azul", WORDS.en).sureness).toBeUndefined();
  });
});
