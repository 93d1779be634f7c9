/** The part of the table that the page shows by itself, and the names of seats. */
import { afterEach, expect, test } from "vitest";
import type { Game } from "../src/game/live";
import { nameOf } from "../src/game/players";
import { WORDS } from "../src/shared/words";
import { useAutomaticView, type ViewInputs } from "../src/table/views";
import { renderPart, rerender, unmountAll } from "./render";

const { en } = WORDS;

afterEach(unmountAll);

const TARGETS = [{ selectors: ["#there"] }];
const PLAYING: ViewInputs = { isPartial: false, targets: [], isPlaying: true, isOwnMove: false };

/** Return the views for several inputs, one after another. */
async function viewsFor(
  inputs: readonly Partial<ViewInputs>[],
  { part = "market", sizePx = 30 }: { part?: "market" | number; sizePx?: number } = {},
) {
  const stage = {
    current: { viewOf: (all: readonly unknown[]) => (all.length ? part : null), smallestPiece: () => sizePx },
  };
  const views: unknown[] = [];
  const Shown = ({ now }: { now: ViewInputs }) => {
    views.push(useAutomaticView(stage, now));
    return null;
  };
  const [first = {}, ...others] = inputs;
  const host = await renderPart(<Shown now={{ ...PLAYING, ...first }} />);
  for (const each of others) await rerender(host, <Shown now={{ ...PLAYING, ...each }} />);
  return views;
}

test("the whole table is shown if its pieces are large enough", async () => {
  expect(await viewsFor([{ targets: TARGETS }], { sizePx: 24 })).toEqual(["all"]);
  expect(await viewsFor([{ targets: TARGETS }], { sizePx: 23.9 })).toEqual(["market"]);
  expect(await viewsFor([{ targets: TARGETS }], { sizePx: 10, part: 2 })).toEqual([2]);
});

test("a small screen never opens the whole table during a game", async () => {
  const isPartial = true;
  const own = { isPartial, targets: TARGETS };
  expect(await viewsFor([{ isPartial }, own, { isPartial, isOwnMove: true }, { isPartial }], { part: 1 })).toEqual([
    "market",
    1,
    1,
    "market",
  ]);
  expect(await viewsFor([{ isPartial, isPlaying: false }])).toEqual(["all"]);
});

test("equal names are numbered", () => {
  const seats = ["Ada", "Ada", null].map((name) => ({ name, kind: "ai", level: "novice" }));
  const game = { seats: [...seats, { name: null, kind: "ai", level: "novice" }] } as unknown as Game;
  expect([0, 1, 2, 3].map((seat) => nameOf(game, seat, en))).toEqual([
    "Ada 1",
    "Ada 2",
    `${en.ai("novice")} 1`,
    `${en.ai("novice")} 2`,
  ]);
  expect(nameOf({ seats: seats.slice(1) } as unknown as Game, 0, en)).toBe("Ada");
});
