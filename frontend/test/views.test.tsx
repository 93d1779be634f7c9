/** The part of the table that the page shows by itself, names of seats, takebacks in pass and play, and the chat. */
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import type { Game } from "../src/game/live";
import { nameOf } from "../src/game/players";
import { storeTokens } from "../src/shared/store";
import { WORDS } from "../src/shared/words";
import { Messages } from "../src/table/panels";
import { TurnTools } from "../src/table/seats";
import { Tools } from "../src/table/side_panel";
import { useAutomaticView, type ViewInputs } from "../src/table/views";
import { finishedGame } from "./recordings";
import { fakeService, pressButton, renderPart, rerender, textOf, unmountAll } from "./render";

const { en } = WORDS;

afterEach(async () => {
  await unmountAll();
  localStorage.clear();
});

const TARGETS = [{ selectors: ["#there"] }];
const PLAYING: ViewInputs = { isPartial: false, targets: [], isPlaying: true, isOwnMove: false, isCovered: false };

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

test("the view stays as it is while the result covers it", async () => {
  const over = { isPartial: true, isPlaying: false };
  const covered = { ...over, isCovered: true };
  expect(await viewsFor([{ isPartial: true, targets: TARGETS }, covered, over], { part: 1 })).toEqual([1, 1, "all"]);
  expect(await viewsFor([covered])).toEqual(["all"]);
});

test("equal names are numbered", () => {
  const seats = ["Ada", "Ada", null].map((name) => ({ name, kind: "ai", level: "novice" }));
  const game = { seats: [...seats, { name: null, kind: "ai", level: "novice" }] } as unknown as Game;
  expect([0, 1, 2, 3].map((seat) => nameOf(game, seat, en))).toEqual([
    "Ada 1",
    "Ada 2",
    `${en.character("novice")} 1`,
    `${en.character("novice")} 2`,
  ]);
  expect(nameOf({ seats: seats.slice(1) } as unknown as Game, 0, en)).toBe("Ada");
});

test.each([
  ["all seats", [0, 1], [true]],
  ["one seat", [0], []],
])("a player with %s is asked for consent to a takeback only by others", async (_, own, answers) => {
  const { game: finished } = finishedGame("finished");
  const offer = { id: 7, kind: "takeback", seat: 0, awaiting: [1], accepted: [] };
  const playing = { ...finished, status: "playing", outcome: null, to_decide: 0, offers: [] } as unknown as Game;
  storeTokens(playing, Object.fromEntries(own.map((seat) => [seat, `token-${seat}`])));
  const sent: { token: string | null; accept: boolean }[] = [];
  const { client } = fakeService(async (request) => {
    if (!request.url.endsWith("/answer")) return { events: [], game: { ...playing, revision: 9, offers: [offer] } };
    sent.push({ token: request.headers.get("Authorization"), ...((await request.json()) as { accept: boolean }) });
    return { events: [], game: { ...playing, revision: 10 } };
  });
  const host = await renderPart(
    <Tools client={client} game={playing} seats={own} reportErrors={(request) => request} />,
  );
  await pressButton(host, en.undo);
  await vi.waitFor(() => expect(sent.map(({ accept }) => accept)).toEqual(answers));
  if (answers.length) expect(sent[0]).toMatchObject({ token: "Bearer token-1", revision: 9 });
});

test("the move bar of a phone shows the running clock and the way back to an own seat", async () => {
  const { game: finished } = finishedGame("finished");
  const clock = { seat: 1, deadline: new Date(Date.now() + 3_600_000).toISOString(), turn_s: 60, banks: [0, 0] };
  const seats = finished.seats.map((seat, at) => ({ ...seat, name: `P${at}` }));
  const playing = { ...finished, seats, status: "playing", outcome: null, to_decide: 1, clock } as unknown as Game;
  const claimed: unknown[] = [];
  const claim = async (body: unknown) => void claimed.push(body);
  const tools = (game: Game) => (
    <TurnTools
      {...{ client: fakeService(() => ({})).client, game, seats: [0], claim, isClaiming: false }}
      reportErrors={(request) => request}
    />
  );
  const host = await renderPart(tools(playing));
  expect(textOf(host)).toMatch(/^(60:00|59:\d\d)$/);
  const away = { ...seats[0], status: "away", replaceable_at: new Date().toISOString() };
  await rerender(host, tools({ ...playing, clock: null, seats: [away, ...seats.slice(1)] } as unknown as Game));
  expect(textOf(host)).toBe(en.playOn);
  await pressButton(host, `${en.playOn}: P0`);
  expect(claimed).toEqual([{ seat: 0, name: "P0" }]);
});

test("a phrase is sent as a message without touching the draft", async () => {
  const { game } = finishedGame("finished");
  storeTokens(game, { 1: "token-1" });
  const sent: unknown[] = [];
  const { client } = fakeService(async (request) => {
    if (request.method === "GET") return new Promise(() => undefined); // a long poll without news
    sent.push(await request.json());
    return { number: 1 };
  });
  const host = await renderPart(
    <Messages client={client} game={game} seats={[1]} reportErrors={(request) => request} />,
  );
  const field = host.querySelector("input") as HTMLInputElement;
  field.value = "wait, I";
  await act(() => void field.dispatchEvent(new Event("input", { bubbles: true })));
  await pressButton(host, en.phrases[1] ?? "");
  await vi.waitFor(() => expect(sent).toEqual([{ text: "Good luck!", seat: 1 }]));
  expect(field.value).toBe("wait, I");
  await pressButton(host, en.send);
  await vi.waitFor(() => expect(sent[1]).toEqual({ text: "wait, I", seat: 1 }));
  await vi.waitFor(() => expect(field.value).toBe(""));
});
