import { describe, expect, test } from "vitest";
import type { GameEvent } from "../src/rulesets/base/events";
import { moveArrow } from "../src/game/stage/drawings";
import type { Flight } from "../src/rulesets/base/motion";
import { type Beat, scoringOf, splitIntoBeats } from "../src/rulesets/log";
import { WORDS } from "../src/shared/words";
import { playthrough, PLAYTHROUGHS, recordedLesson, RULESETS } from "./recordings";

const flightsOf = (all: readonly Beat[]): Flight[] => all.flatMap(({ flights }) => flights);
const effectsOf = ({ effects }: GameEvent, type: string) => effects.filter((effect) => effect.type === type);

describe.each(PLAYTHROUGHS)("animation of %s", (name) => {
  const { events } = playthrough(name);

  test("the decision comes first, then one scoring after another", () => {
    for (const event of events) {
      const [first, ...later] = splitIntoBeats(event);
      expect(later.filter(({ scoring }) => scoring === null)).toEqual([]);
      if (event.kind === "action" && first?.scoring === null) expect(first.flights.length).toBeGreaterThan(0);
    }
  });

  test("every scoring of the log has its own beat", () => {
    for (const event of events) {
      const shown = splitIntoBeats(event).flatMap(({ scoring }) => scoring ?? []);
      expect(shown.filter((effect) => "points" in effect && effect.points)).toEqual(
        event.effects.filter((effect) => scoringOf(effect, WORDS.en, "coloured") !== null),
      );
    }
  });

  test("points rise for everything that scores", () => {
    for (const event of events) {
      const made = event.effects.flatMap((effect) => ("points" in effect && effect.points ? effect.points : []));
      const seen = flightsOf(splitIntoBeats(event)).flatMap(({ points }) => points ?? []);
      const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
      expect(sum(seen)).toBe(sum(made));
    }
  });

  test("every decision except a pass moves something", () => {
    for (const event of events.filter(({ kind }) => kind === "action")) {
      const moves = flightsOf(splitIntoBeats(event)).filter(({ points }) => points === undefined);
      expect(moves.length > 0 || event.action?.type.endsWith(".pass")).toBe(true);
    }
  });
});

test("the first tiles of a colour fly to the line, the others to the floor", () => {
  const { events } = playthrough("azul.grey.2");
  const both = events.filter(
    (event) => effectsOf(event, "azul.tiles_placed").length && effectsOf(event, "azul.tiles_fallen").length,
  );
  expect(both.length).toBeGreaterThan(0);
  for (const event of both) {
    const [placed] = effectsOf(event, "azul.tiles_placed") as { count: number }[];
    const parts = flightsOf(splitIntoBeats(event)).flatMap(({ part, fills }) => (fills && part ? part : []));
    expect(parts[0]).toEqual({ first: 0, count: placed?.count });
    expect(parts[1]?.first).toBe(placed?.count);
  }
});

describe.each(RULESETS)("pictures of %s", (ruleset) => {
  const { decisions } = recordedLesson(ruleset);
  const picture = (at: number): Element => {
    const host = document.createElement("div");
    host.innerHTML = decisions[at]?.places ?? "";
    return host;
  };
  const ownEvent = (at: number): GameEvent =>
    decisions[at + 1]?.events.find(({ kind, seat }) => kind === "action" && seat === 0) as GameEvent;

  test("starts of flights and both ends of arrows exist in the picture", () => {
    for (const at of [0, 1, 2]) {
      const [event, before] = [ownEvent(at), picture(at)];
      const starts = (splitIntoBeats(event)[0]?.flights ?? []).map(({ from }) => from);
      expect(starts.filter((from) => !before.querySelector(from))).toEqual([]);
      const way = moveArrow(event.action as NonNullable<GameEvent["action"]>, 0, "best");
      if (event.action?.type.endsWith(".pass")) continue;
      expect(way.from.length).toBeGreaterThan(0);
      expect([...way.from, way.to ?? "nowhere"].filter((selector) => !before.querySelector(selector))).toEqual([]);
    }
  });
});

test("every decision except a pass has an arrow", () => {
  for (const name of PLAYTHROUGHS)
    for (const { action } of playthrough(name).events) {
      if (action === null) continue;
      const { to } = moveArrow(action, 1, "played");
      if (action.type.endsWith(".pass")) expect(to).toBeNull();
      else expect(to).toMatch(/seat_1_|data-seat="1"/);
    }
});
