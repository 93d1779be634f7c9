/** Puzzles without a board: local play, the choice of the next puzzle, and texts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { type LocalGame, type State, useLocalGame } from "../src/puzzles/local_game";
import { PuzzlePage } from "../src/puzzles/puzzle_page";
import { PUZZLE_WORDS } from "../src/puzzles/words";
import type { Action } from "../src/rulesets/base/steps";
import { apiExample, RULESETS } from "./recordings";
import { fakeService, flushEffects, pressButton, renderHook, renderPart, textOf, unmountAll } from "./render";

afterEach(async () => {
  await unmountAll();
  localStorage.clear();
});

const start = apiExample<State>("checkPosition");
const ACTION = { type: "azul.draft", source: "factory_0", colour: "blue", line: 1 } as Action;
const ELSEWHERE = { ...start, notation: "another position" };

/** Render a local game. Each action leads to a state whose notation counts the actions. */
async function renderLocal(decide = vi.fn(() => Promise.resolve())) {
  const { client, requests } = fakeService(async (request) => {
    if (request.method === "GET") return new Response("<svg/>");
    const { action, position, form } = (await request.clone().json()) as Record<string, unknown>;
    if (form) return { ...start, legal: { total: 1, actions: null, choices: { ruleset: "azul" } } };
    if (!action) return position === ELSEWHERE.position ? start : ELSEWHERE;
    const after = { ...start, to_decide: 1, notation: `after ${requests.length}` };
    return { ...start, action: { after, effects: [{ type: "azul.tiles_taken" }], text: "Take blue." } };
  });
  const local = await renderHook<LocalGame>(() => useLocalGame(client, start, decide, false));
  return { local, requests, decide };
}

test("actions become revisions with events, and a return shows an earlier state", async () => {
  const { local } = await renderLocal();
  expect(local.now.game).toMatchObject({ revision: 1, status: "playing", ruleset: "azul", to_decide: 0, help: false });
  await act(() =>
    local.now.play(
      [
        { seat: 0, action: ACTION },
        { seat: 1, action: ACTION },
      ],
      {},
    ),
  );
  expect(local.now.game).toMatchObject({ revision: 3, to_decide: 1 });
  expect(local.now.events.map(({ revision, kind, seat }) => [revision, kind, seat])).toEqual([
    [1, "start", null],
    [2, "action", 0],
    [3, "action", 1],
  ]);
  await act(() => local.now.play([], { from: start }));
  expect(local.now.state).toBe(start);
  expect(local.now.game).toMatchObject({ revision: 4, to_decide: 0 });
});

test("the play goes on from the expected position if an equal action was chosen", async () => {
  const { local } = await renderLocal();
  await act(() => local.now.play([{ seat: 0, action: ACTION }], { to: start.position }));
  expect(local.now.state.notation).toBe(ELSEWHERE.notation);
});

test("pictures and choices belong to the shown position, and decisions are judged", async () => {
  const { local, requests, decide } = await renderLocal();
  const { signal } = new AbortController();
  await local.now.source.picture(1, { theme: "dark", layout: "narrow" }, signal);
  const { searchParams } = new URL(requests.at(-1)?.url ?? "");
  expect(Object.fromEntries(searchParams)).toEqual({
    position_notation: start.notation,
    theme: "dark",
    layout: "narrow",
  });
  expect(await local.now.source.choices(local.now.game, signal)).toEqual({
    revision: 1,
    choices: { ruleset: "azul" },
  });
  await local.now.source.decide(local.now.game, ACTION);
  expect(decide).toHaveBeenCalledWith(ACTION);
});

test("without an account the next puzzle follows the last one, and filters apply", async () => {
  localStorage.setItem("azul-table-puzzles", JSON.stringify({ ruleset: "azul", theme: "", last: "first" }));
  const { href } = location;
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(request.url);
    return Response.json({ status: 404, code: "puzzle/not_found", title: "No such puzzle" }, { status: 404 });
  });
  const host = await renderPart(<PuzzlePage id={undefined} />);
  await flushEffects();
  await flushEffects();
  expect(new URL(asked[0] ?? "").search).toBe("?ruleset=azul&after=first");
  expect(textOf(host.querySelector("p.card"))).toBe(PUZZLE_WORDS.en.none);
  await pressButton(host, PUZZLE_WORDS.en.next);
  expect(asked).toHaveLength(2);
  expect(location.href).toBe(href);
  vi.unstubAllGlobals();
});

test("every reason for a move is a theme with a name", () => {
  const texts = RULESETS.map((ruleset) => `../../service/rulesets/${ruleset.replaceAll("-", "_")}/texts/en.ftl`);
  const messages = texts.flatMap((name) => [
    ...readFileSync(join(import.meta.dirname, name), "utf8").matchAll(/^why-([\w-]+) =/gm),
  ]);
  const reasons = messages.map(([, name]) => name?.replaceAll("-", "_"));
  const themes = [...new Set([...reasons, "last_round"])].sort();
  for (const { themeNames } of Object.values(PUZZLE_WORDS)) expect(Object.keys(themeNames).sort()).toEqual(themes);
});
