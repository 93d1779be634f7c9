import type { Schemas } from "@azul-games/client";
import { act } from "preact/test-utils";
import { afterEach, expect, test } from "vitest";
import type { Game } from "../src/game/live";
import { serviceSource } from "../src/game/source";
import { type Turn, useTurn } from "../src/game/turn";
import type { EventDetails } from "../src/rulesets/base/events";
import type { SingleChoice } from "../src/rulesets/base/steps";
import { moveTargets } from "../src/rulesets/choices";
import { moveText, scoringOf, splitIntoBeats } from "../src/rulesets/log";
import { rulesetTexts, variantName } from "../src/rulesets/registry";
import { rulesetUi } from "../src/rulesets/ui_registry";
import { storeTokens } from "../src/shared/store";
import { WORDS } from "../src/shared/words";
import { recordedLesson } from "./recordings";
import { fakeService, flushEffects, renderHook, unmountAll } from "./render";

const { en } = WORDS;

afterEach(async () => {
  await unmountAll();
  localStorage.clear();
});

/** Legal actions of a ruleset that the table does not know. The fake service returns two per page. */
const ACTIONS = [0, 1, 2].map((pile) => ({ action: { type: "nim.take", pile }, text: `Take from pile ${pile + 1}` }));

const listed = (cursor: string | null) => ({
  revision: 4,
  actions: cursor ? ACTIONS.slice(2) : ACTIONS.slice(0, 2),
  next_cursor: cursor ? null : "4.2",
});

test("an unknown ruleset is played by the texts of its actions", async () => {
  const game = {
    ...recordedLesson("azul").decisions[0]?.game,
    ruleset: "nim",
    revision: 4,
    to_decide: 0,
    position: null,
  } as unknown as Game;
  storeTokens(game, { 0: "token-of-the-seat" });
  const { client, requests } = fakeService(({ method, url }) =>
    method === "GET" ? listed(new URL(url).searchParams.get("cursor")) : {},
  );
  const props = { source: serviceSource(client, game.id), game, seats: [0] };
  const turn = await renderHook<Turn>(() => useTurn({ ...props, reportErrors: (ask) => ask }, en, () => undefined));
  while (turn.now.step === null) await flushEffects();
  const { question, options } = turn.now.step as SingleChoice;
  expect(question).toBe(en.ask.any);
  expect(options.map(({ label }) => label)).toEqual(ACTIONS.map(({ text }) => text));
  await act(() => turn.now.choose(options.slice(2)));
  const sent = () => requests.find(({ method }) => method === "POST");
  while (!sent()) await flushEffects();
  expect(await sent()?.json()).toEqual({ action: ACTIONS[2]?.action, revision: 4 });
});

test("events of an unknown ruleset have no texts, and points rise at the seat", () => {
  const event = {
    action: { type: "nim.take", pile: 0 },
    effects: [{ type: "nim.scored", seat: 1, points: 2 }],
  } as unknown as EventDetails;
  const [effect] = event.effects as [EventDetails["effects"][number]];
  expect(moveText(event, en, "")).toBeNull();
  expect(scoringOf(effect, en, "")).toBeNull();
  expect(splitIntoBeats(event)).toEqual([{ flights: [{ from: "#seat_1", to: "#seat_1", points: 2 }], scoring: null }]);
  expect(moveTargets(event.action as Schemas["Action"], 0)).toEqual({ from: [], to: null });
});

test("an unknown ruleset is called by its id", () => {
  expect(rulesetUi("nim")).toBeUndefined();
  expect(rulesetTexts("nim", en)).toEqual({ name: "nim", inShort: "", goal: "", variants: {}, parts: {} });
  expect(variantName("nim", "plain", en)).toBe("plain");
});
