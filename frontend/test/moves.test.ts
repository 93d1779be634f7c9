import type { Schemas } from "@azul-games/client";
import { describe, expect, test } from "vitest";
import type { GameEvent } from "../src/rulesets/base/events";
import { moveText } from "../src/rulesets/log";
import { WORDS } from "../src/shared/words";
import { playthrough, PLAYTHROUGHS } from "./recordings";

const { en, de } = WORDS;

const moveTexts = (action: Schemas["Action"], effects: object[] = []) => {
  const event = { action, effects } as Pick<GameEvent, "action" | "effects">;
  return [moveText(event, en, "coloured"), moveText(event, de, "coloured")];
};

describe.each(PLAYTHROUGHS)("moves of %s", (name) => {
  test("actions have a text in both languages, draws have none", () => {
    for (const event of playthrough(name).events)
      for (const words of [en, de]) {
        const text = moveText(event, words, "coloured");
        if (event.action === null) expect(text).toBeNull();
        else expect(text).toMatch(/^[a-z][^.]*$/);
        expect(text ?? "").not.toMatch(/undefined|NaN|null|\bfactory_|beside_/);
      }
  });
});

describe("moves of Azul", () => {
  const draft = { type: "azul.draft", source: "factory_2", colour: "blue", line: 2 } as const;
  const taken = { type: "azul.tiles_taken", seat: 0, source: "factory_2", colour: "blue", count: 3 };

  test("a move names tiles, line and fallen tiles", () => {
    expect(moveTexts(draft, [taken])).toEqual([
      "took 3 blue from factory 3 for line 3",
      "nahm 3 × Blau aus Manufaktur 3 für Reihe 3",
    ]);
    expect(moveTexts({ ...draft, line: "floor" }, [taken])[0]).toBe("took 3 blue from factory 3, all to the floor");
    const fallen = { type: "azul.tiles_fallen", seat: 0, colour: "blue", count: 1, lost: 0 };
    expect(moveTexts(draft, [taken, fallen])[0]).toBe("took 3 blue from factory 3 for line 3, 1 to the floor");
    expect(moveTexts({ type: "azul.tile", line: 1, column: 3 })[0]).toBe("moved a tile from line 2 to column 4");
  });

  test("a move without effects has no text", () => {
    expect(moveTexts(draft)).toEqual([null, null]);
  });
});

describe("moves of Summer Pavilion", () => {
  const acquire = { type: "summer-pavilion.acquire", source: "centre", colour: "red" } as const;
  const acquired = (count: number, wilds: number) => [{ type: "summer-pavilion.tiles_acquired", count, wilds }];

  test("a move names tiles, and numbers spaces from 1", () => {
    expect(moveTexts(acquire, acquired(3, 1))).toEqual([
      "took 2 red + 1 wild from the centre",
      "nahm 2 × Rot + 1 Joker aus der Tischmitte",
    ]);
    expect(moveTexts(acquire, acquired(1, 1))[0]).toBe("took 1 red from the centre");
    const place = { type: "summer-pavilion.place", star: "orange", slot: 2, colour: "orange", wilds: 0 } as const;
    expect(moveTexts(place)).toEqual([
      "placed orange on orange star, space 2",
      "legte Orange auf Stern Orange, Feld 2",
    ]);
  });

  test("a pass names kept and discarded tiles", () => {
    const pass = { type: "summer-pavilion.pass", keep: { red: 1 } } as const;
    expect(moveTexts(pass, [{ type: "summer-pavilion.passed", discarded: { blue: 2 } }])).toEqual([
      "passed and kept 1 tile, discarded 2",
      "passte und behielt 1 Fliese, warf 2 ab",
    ]);
  });
});

describe("moves of Queen's Garden", () => {
  const hexagon = { colour: "blue", pattern: "tree" } as const;
  const payment = { tiles: [], expansions: [], jokers: 0 };

  test("a move names spaces and areas like the service", () => {
    const place = { type: "queens-garden.place_tile", hexagon, space: [4, -1], payment } as const;
    expect(moveTexts({ ...place, space: [4, -1] })[0]).toBe("placed the blue tree in area 1, to the upper right");
    expect(moveTexts({ ...place, space: [1, 0] })[0]).toBe("placed the blue tree beside the fountain, to the right");
    expect(moveTexts({ type: "queens-garden.buy_expansion", area: 5 })).toEqual([
      "bought an expansion for area 6",
      "kaufte eine Erweiterung für Bereich 6",
    ]);
  });

  test("a move names the number of pieces", () => {
    const pieces = [{ kind: "tile", from: "top", hexagon } as const];
    const acquire = { type: "queens-garden.acquire", by: "pattern", value: "tree", pieces } as const;
    expect(moveTexts({ ...acquire, pieces })).toEqual(["took all trees (1)", "nahm alle Bäume (1)"]);
    const discard = { tiles: [hexagon], expansions: [] };
    expect(moveTexts({ type: "queens-garden.pass", discard })[0]).toBe("passed and discarded 1 piece");
  });
});
