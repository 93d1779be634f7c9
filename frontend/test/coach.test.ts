import type { Schemas } from "@azul-games/client";
import { describe, expect, test } from "vitest";
import { hasLesson, lessonSettings } from "../src/coach/lesson_game";
import { advanceLesson, adviceOf, isOver, learnerTurn, storyOf } from "../src/coach/lessons";
import { type KeptLesson, lessonStore, NEW_LESSON } from "../src/coach/progress";
import type { GameEvent } from "../src/rulesets/base/events";
import { canLeadTo, isSameAction } from "../src/rulesets/base/lesson";
import type { SingleChoice } from "../src/rulesets/base/steps";
import { firstStep } from "../src/rulesets/choices";
import { type Language, WORDS } from "../src/shared/words";
import { type RecordedDecision, recordedLesson, RULESETS } from "./recordings";

interface CoachedDecision extends RecordedDecision {
  kept: KeptLesson;
  known: GameEvent[];
  advice: string;
  story: string;
}

/** Return the coach's texts before each decision of a recorded lesson. */
function coachedDecisions(ruleset: string, language: Language = "en"): CoachedDecision[] {
  const words = WORDS[language];
  let kept = NEW_LESSON;
  const known: GameEvent[] = [];
  return recordedLesson(ruleset).decisions.map((decision) => {
    const { game, choices, events } = decision;
    known.push(...events);
    kept = advanceLesson(kept, game, known, choices, words);
    const asked = kept.asked as NonNullable<KeptLesson["asked"]>;
    const advice = adviceOf(game, asked, learnerTurn(game, choices, words, kept.taught));
    return { ...decision, kept, known: [...known], advice, story: storyOf(game, known, kept.before, words).join(" ") };
  });
}

const effectsOf = (events: readonly GameEvent[], type: string) =>
  events.flatMap(({ effects }) => effects).filter((effect) => effect.type === type) as Record<string, unknown>[];

describe.each(RULESETS)("lesson of %s", (ruleset) => {
  test("the lesson coaches five moves, each of another topic", () => {
    const all = coachedDecisions(ruleset);
    const coached = all.filter(({ kept }) => kept.asked?.topic);
    expect(coached).toHaveLength(5);
    expect(new Set(coached.map(({ kept }) => kept.asked?.topic)).size).toBe(5);
    expect(coached.map(({ kept }) => kept.moves)).toEqual([0, 1, 2, 3, 4]);
    expect(all.map(({ kept }) => isOver(kept))).toEqual(all.map((_, at) => at === all.length - 1));
    expect(all.map(({ kept }) => kept.followed).filter((followed) => followed !== null)).toEqual(Array(5).fill(true));
    expect(all.at(-1)?.kept.taught).toEqual(coached.map(({ kept }) => kept.asked?.topic));
  });

  test("advice is a legal move, and only its option is marked", () => {
    for (const { game, choices, kept } of coachedDecisions(ruleset)) {
      const action = kept.asked?.action;
      if (!action) continue;
      const { options } = firstStep(choices, game.position, 0, WORDS.en) as SingleChoice;
      const meant = options.filter((option) => canLeadTo(option.next(), action));
      expect(meant).toHaveLength(1);
      expect(options.length).toBeGreaterThan(1);
    }
  });

  test("German advice has the same content", () => {
    const german = coachedDecisions(ruleset, "de");
    for (const [at, { advice, kept }] of coachedDecisions(ruleset).entries()) {
      expect(german[at]?.kept).toEqual(kept);
      expect(german[at]?.advice).not.toBe(advice);
      expect(german[at]?.advice).not.toMatch(/undefined|NaN|null/);
      const numbers = (text: string) => text.match(/\d+/g) ?? [];
      expect(numbers(german[at]?.advice ?? "").length).toBeGreaterThanOrEqual(numbers(advice).length - 1);
    }
  });

  test("a lesson survives a reload", () => {
    const [, second] = coachedDecisions(ruleset) as [CoachedDecision, CoachedDecision];
    lessonStore.keep(second.game.id, second.kept);
    const reloaded = lessonStore.read(second.game.id) as KeptLesson;
    expect(reloaded).toEqual(second.kept);
    const moment = learnerTurn(second.game, second.choices, WORDS.en, reloaded.taught);
    expect(adviceOf(second.game, reloaded.asked as NonNullable<KeptLesson["asked"]>, moment)).toBe(second.advice);
    expect(storyOf(second.game, second.known, reloaded.before, WORDS.en).join(" ")).toBe(second.story);
  });

  test("a topic is repeated if the learner ignores the advice", () => {
    const [one, two] = recordedLesson(ruleset).decisions as [RecordedDecision, RecordedDecision];
    const begun = advanceLesson(NEW_LESSON, one.game, one.events, one.choices, WORDS.en);
    const other = { type: "azul.tile", line: 0, column: 0 } as Schemas["Action"];
    const asked = { ...(begun.asked as NonNullable<KeptLesson["asked"]>), action: other, topic: "pass" };
    const now = advanceLesson({ ...begun, asked }, two.game, [...one.events, ...two.events], two.choices, WORDS.en);
    expect(now).toMatchObject({ followed: ruleset === "azul" ? null : false, decisions: 2 });
    expect(now.taught).toEqual([]);
  });

  test("a lesson ends after 18 decisions without its topics", () => {
    const [one] = recordedLesson(ruleset).decisions as [RecordedDecision];
    expect(isOver({ decisions: 18, moves: 4 })).toBe(false);
    const kept = advanceLesson({ ...NEW_LESSON, decisions: 18 }, one.game, one.events, one.choices, WORDS.en);
    expect(isOver(kept)).toBe(true);
    expect(kept.asked).toMatchObject({ topic: null, action: null });
  });

  test("a lesson has a fixed first deal", () => {
    expect(hasLesson(ruleset)).toBe(true);
    expect(lessonSettings(ruleset).seed).toHaveLength(64);
    expect(lessonSettings(ruleset).first_seat).toBe(0);
  });
});

describe("coach of Azul", () => {
  const all = coachedDecisions("azul");

  test("the first advice names the move of the fixed deal", () => {
    expect(all[0]?.advice).toContain("Take yellow from factory 4 for line 3: 3 tiles fill it exactly.");
    const lineOf = (at: number) => (all[at]?.game.position as Schemas["AzulPosition"]).seats[0]?.pattern_lines[2];
    expect(lineOf(0)).toEqual({ colour: null, count: 0, capacity: 3 });
    expect(lineOf(1)).toEqual({ colour: "yellow", count: 3, capacity: 3 });
    expect(all[1]?.story).toMatch(/^Line 3 now has 3 of 3 tiles\./);
  });

  test("explained points match the score", () => {
    const scored = all.find(({ story }) => story.includes("Round 1 is over")) as CoachedDecision;
    const [, placed = ""] = /scored ([\d +]+) on the wall/.exec(scored.story) ?? [];
    const [, floor = "0"] = /floor line cost (\d+)/.exec(scored.story) ?? [];
    const told = placed.split("+").reduce((sum, each) => sum + Number(each), 0);
    const { score } = (scored.game.position as Schemas["AzulPosition"]).seats[0] ?? {};
    expect(told).toBeGreaterThan(0);
    expect(told - Number(floor)).toBe(score);
  });

  test("advice about neighbours promises the points that the tile scores", () => {
    const at = all.findIndex(({ kept }) => kept.asked?.topic === "neighbours");
    const { kept, advice } = all[at] as CoachedDecision;
    const { line, colour } = kept.asked?.action as { line: number; colour: string };
    const { wall } = (all[at]?.game.position as Schemas["AzulPosition"]).seats[0] as Schemas["AzulBoard"];
    const column = (["blue", "yellow", "red", "black", "white"].indexOf(colour) + line) % 5;
    const lies = (down: number, across: number) => Boolean(wall[line + down]?.[column + across]);
    const run = (down: number, across: number): number =>
      lies(down, across) ? 1 + run(down + Math.sign(down), across + Math.sign(across)) : 0;
    const [height, width] = [run(1, 0) + run(-1, 0), run(0, 1) + run(0, -1)];
    expect(height + width).toBeGreaterThan(0);
    const worth = (height && height + 1) + (width && width + 1);
    expect(advice).toContain(`you score ${worth} points instead of 1`);
  });
});

describe("coach of Summer Pavilion", () => {
  const all = coachedDecisions("summer-pavilion");

  test("advice names the wild colour", () => {
    expect(all[0]?.advice).toContain("Purple is wild this round");
    expect((all[0]?.game.position as Schemas["SummerPavilionPosition"]).wild).toBe("purple");
  });

  test("explanations name the taken tiles and the points", () => {
    const [taken] = effectsOf(all[1]?.events ?? [], "summer-pavilion.tiles_acquired");
    expect(all[1]?.story).toContain(`You took ${taken?.["count"]} tiles, ${taken?.["wilds"]} wild.`);
    const at = all.findIndex(({ kept }) => kept.asked?.topic === "beside") + 1;
    const [placed] = effectsOf(all[at]?.events ?? [], "summer-pavilion.tile_placed");
    expect(all[at]?.story).toContain(`That scored ${placed?.["points"]} points.`);
    expect(all[at - 1]?.advice).toContain(`scores: ${placed?.["points"]} points`);
  });
});

describe("coach of Queen's Garden", () => {
  test("the German explanation names the points of the garden", () => {
    const last = coachedDecisions("queens-garden", "de").at(-1) as CoachedDecision;
    const scored = effectsOf(last.events, "queens-garden.round_scored").find(({ seat }) => seat === 0);
    const [, told] = /Dein Garten brachte (\d+) Punkt/.exec(last.story) ?? [];
    expect(Number(told)).toBe(scored?.["points"]);
  });

  test("advice about an expansion names the available points", () => {
    const buying = coachedDecisions("queens-garden").find(({ advice }) =>
      advice.includes("Buy an expansion"),
    ) as CoachedDecision;
    expect(buying.advice).toContain(`of your ${buying.game.seats[0]?.score} points`);
  });
});

test("actions are compared without payment but with place", () => {
  const paid = { tiles: [], expansions: [], jokers: 0 };
  const hexagon = { colour: "blue", pattern: "tree" } as const;
  const place = { type: "queens-garden.place_tile" as const, hexagon, space: [1, 0], payment: paid };
  expect(isSameAction(place, { ...place, payment: { ...paid, jokers: 2 } })).toBe(true);
  expect(isSameAction(place, { ...place, space: [0, 1] })).toBe(false);
});
