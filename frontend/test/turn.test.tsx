import { ProblemError } from "@azul-games/client";
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { serviceSource } from "../src/game/source";
import { type Turn, useTurn } from "../src/game/turn";
import { words } from "../src/rulesets/azul/words";
import type { CountChoice, SingleChoice } from "../src/rulesets/base/steps";
import { storeTokens } from "../src/shared/store";
import { WORDS } from "../src/shared/words";
import { MoveBar, statusText } from "../src/table/move_bar";
import { finishedGame, type RareDecision, rareDecision, recordedLesson } from "./recordings";
import {
  fakeService,
  flushEffects,
  pageContext,
  pressButton,
  problemResponse,
  renderHook,
  renderPart,
  textOf,
  unmountAll,
} from "./render";

const { en } = WORDS;

afterEach(async () => {
  await unmountAll();
  localStorage.clear();
});

/** Render the hook for a local decision. `answer` returns the response to the sent action. */
async function renderTurn(
  { game, choices }: RareDecision,
  answer: () => unknown = () => ({}),
  needsConfirmation = false,
) {
  const { client, requests } = fakeService((request) =>
    request.method === "GET" ? { choices, revision: game.revision, seat: game.to_decide } : answer(),
  );
  const seat = game.to_decide ?? 0;
  storeTokens(game, { [seat]: "token-of-the-seat" });
  const stale = vi.fn();
  const failed: unknown[] = [];
  const wait = (ask: Promise<unknown>) => ask.catch((error: unknown) => failed.push(error));
  const props = { source: serviceSource(client, game.id), game, seats: [seat], reportErrors: wait };
  const turn = await renderHook<Turn>(() => useTurn(props, en, stale, needsConfirmation));
  await flushEffects();
  const sent = () => requests.filter(({ method }) => method === "POST");
  return { turn, requests, sent, stale, failed, client, game, seat };
}

const choose = (turn: { now: Turn }, at: number) =>
  act(() => turn.now.choose([(turn.now.step as SingleChoice).options[at] as SingleChoice["options"][number]]));

const azul = recordedLesson("azul").decisions[0] as RareDecision;

test("steps can be undone before anything is sent", async () => {
  const { turn, sent } = await renderTurn(azul);
  const first = turn.now.step as SingleChoice;
  expect(turn.now).toMatchObject({ depth: 0, selected: [], alternatives: [] });
  await choose(turn, 0);
  expect(turn.now.depth).toBe(1);
  expect(turn.now.selected).toEqual([first.options[0]]);
  expect((turn.now.step as SingleChoice).question).toBe(words.en.ask.line(first.options[0]?.label ?? ""));
  await act(() => turn.now.undo());
  expect(turn.now).toMatchObject({ depth: 0, step: first, selected: [] });
  await choose(turn, 1);
  await act(() => turn.now.cancel());
  expect(turn.now).toMatchObject({ depth: 0, step: first });
  expect(sent()).toEqual([]);
});

test("another tile replaces the chosen one at once", async () => {
  const { turn } = await renderTurn(azul);
  const { options } = turn.now.step as SingleChoice;
  await choose(turn, 0);
  expect(turn.now.alternatives).toEqual(options);
  await act(() => turn.now.choose([turn.now.alternatives.at(-1) as SingleChoice["options"][number]]));
  expect(turn.now.depth).toBe(1);
  expect(turn.now.selected).toEqual([options.at(-1)]);
});

test("a complete action is sent with the seat's token and the revision", async () => {
  const { turn, sent, game } = await renderTurn(azul);
  await choose(turn, 0);
  const lines = turn.now.step as SingleChoice;
  await choose(turn, lines.options.length - 1);
  await flushEffects();
  const [request] = sent();
  expect(request?.headers.get("Authorization")).toBe("Bearer token-of-the-seat");
  expect(await request?.json()).toMatchObject({
    revision: game.revision,
    action: { type: "azul.draft", line: "floor" },
  });
  expect(turn.now.step).toBeNull(); // until the next revision
});

test("with confirmation, a complete action is sent after one more press", async () => {
  const { turn, sent } = await renderTurn(azul, () => ({}), true);
  await choose(turn, 0);
  const lines = turn.now.step as SingleChoice;
  await choose(turn, lines.options.length - 1);
  expect(turn.now).toMatchObject({ depth: 2, step: { question: en.choosing.sure } });
  await act(() => turn.now.undo());
  expect(turn.now).toMatchObject({ depth: 1, step: lines });
  await choose(turn, lines.options.length - 1);
  await flushEffects();
  expect(sent()).toEqual([]);
  await choose(turn, 0);
  await flushEffects();
  expect(await sent()[0]?.json()).toMatchObject({ action: { type: "azul.draft", line: "floor" } });
});

test("a replaced first choice must be confirmed, too", async () => {
  const single = recordedLesson("summer-pavilion").decisions[0] as RareDecision;
  const { turn, sent } = await renderTurn(single, () => ({}), true);
  const { options } = turn.now.step as SingleChoice;
  const isComplete = (option: SingleChoice["options"][number]) => option.next().kind === "ready";
  const [one, other] = options.filter(isComplete) as [SingleChoice["options"][number], SingleChoice["options"][number]];
  await act(() => turn.now.choose([one]));
  await act(() => turn.now.choose([other]));
  expect(turn.now).toMatchObject({ depth: 1, selected: [other], step: { question: en.choosing.sure } });
  await flushEffects();
  expect(sent()).toEqual([]);
  await act(() => turn.now.cancel());
  expect(turn.now).toMatchObject({ depth: 0, selected: [] });
});

test("a stale choice is reported and can be repeated", async () => {
  const { turn, stale, failed } = await renderTurn(azul, () => problemResponse(409, "game/stale_revision"));
  await choose(turn, 0);
  await choose(turn, 0);
  await flushEffects();
  expect(stale).toHaveBeenCalledTimes(1);
  expect(failed).toEqual([]);
  expect((turn.now.step as SingleChoice).options.length).toBeGreaterThan(1);
});

test("other refusals are reported", async () => {
  const { turn, stale, failed } = await renderTurn(azul, () => problemResponse(422, "request/invalid"));
  await choose(turn, 0);
  await choose(turn, 0);
  await flushEffects();
  expect(stale).not.toHaveBeenCalled();
  expect(failed[0]).toBeInstanceOf(ProblemError);
});

test("choices are not fetched unless a local seat must decide", async () => {
  for (const other of [
    { to_decide: 1 },
    { to_decide: null },
    { paused_until: "2026-01-01T00:00:00Z" },
    { status: "finished" as const },
  ]) {
    const { client, requests } = fakeService(() => ({}));
    const props = {
      source: serviceSource(client, azul.game.id),
      seats: [0],
      reportErrors: (ask: Promise<unknown>) => ask,
    };
    await renderHook(() => useTurn({ ...props, game: { ...azul.game, ...other } }, en, () => undefined));
    await flushEffects();
    expect(requests).toEqual([]);
  }
});

test("a place with several options asks which one", async () => {
  const { turn } = await renderTurn(azul);
  const { options } = turn.now.step as SingleChoice;
  await act(() => turn.now.choose(options.slice(0, 2)));
  expect((turn.now.step as SingleChoice).question).toBe(en.ask.several);
  expect((turn.now.step as SingleChoice).options).toEqual(options.slice(0, 2));
});

async function renderPassing(needsConfirmation = false) {
  const decided = await renderTurn(rareDecision("pass"), undefined, needsConfirmation);
  const { turn } = decided;
  const at = (turn.now.step as SingleChoice).options.findIndex(({ label }) => label === en.pass);
  await choose(turn, at);
  return decided;
}

test("counts start with the best tiles and can be changed", async () => {
  const { turn, sent } = await renderPassing();
  const step = turn.now.step as CountChoice;
  expect(turn.now.counts).toEqual(step.start);
  const [less] = step.start.map((count, at) => (count ? at : -1)).filter((at) => at >= 0);
  await act(() => turn.now.setCounts(step.start.map((count, at) => (at === less ? count - 1 : count))));
  expect(turn.now.counts).not.toEqual(step.start);
  await act(() => turn.now.confirm());
  await flushEffects();
  const { action } = (await sent()[0]?.json()) as { action: { keep: Record<string, number> } };
  expect(Object.values(action.keep).reduce((all, each) => all + each, 0)).toBe(3);
});

test("counts are kept when the confirmation is cancelled", async () => {
  const { turn, sent } = await renderPassing(true);
  const { start } = turn.now.step as CountChoice;
  const [less] = start.map((count, at) => (count ? at : -1)).filter((at) => at >= 0);
  const changed = start.map((count, at) => (at === less ? count - 1 : count));
  await act(() => turn.now.setCounts(changed));
  await act(() => turn.now.confirm());
  expect(turn.now.step).toMatchObject({ question: en.choosing.sure });
  await act(() => turn.now.undo());
  expect(turn.now.counts).toEqual(changed);
  expect(sent()).toEqual([]);
});

/** Render the move bar of a decision. */
async function renderBar({ turn, client, game }: Awaited<ReturnType<typeof renderTurn>>, context = pageContext()) {
  return renderPart(
    <MoveBar
      {...{ client, game, turn: turn.now, step: turn.now.step, status: en.yourTurn }}
      {...{ showArrows: () => undefined, recommendation: null }}
    />,
    context,
  );
}

test("the bar shows turn, question and cost", async () => {
  const decided = await renderPassing();
  const host = await renderBar(decided);
  const step = decided.turn.now.step as CountChoice;
  expect(textOf(host.querySelector(".status strong"))).toBe(en.yourTurn);
  expect(textOf(host.querySelector(".ask"))).toBe(step.question);
  expect(textOf(host.querySelector(".costs"))).toBe(step.describe?.(step.start).trim());
  expect(host.querySelectorAll(".counter")).toHaveLength(step.items.length);
});

test("buttons that cannot be used say why and do nothing", async () => {
  const decided = await renderPassing(); // four tiles are kept already
  const toast = vi.fn();
  const host = await renderBar(decided, pageContext("en", { toast }));
  const { start, items } = decided.turn.now.step as CountChoice;
  const more = [...host.querySelectorAll<HTMLButtonElement>(".counter button:last-child")];
  const reasons = start.map((count, at) => (count === items[at]?.max ? en.choosing.allChosen : en.choosing.cannotAdd));
  expect(more.map(({ title }) => title)).toEqual(reasons);
  expect(host.querySelectorAll(".counter button:last-child[aria-disabled=true]")).toHaveLength(reasons.length);
  await act(() => more.forEach((button) => button.click()));
  expect(toast.mock.calls).toEqual(reasons.map((why) => [why]));
  expect(decided.turn.now.counts).toEqual(start);
});

test("Enter confirms and Escape cancels", async () => {
  const decided = await renderPassing();
  await renderBar(decided);
  await act(() => void document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
  expect(decided.turn.now.depth).toBe(0);
  await unmountAll();
  const again = await renderPassing();
  await renderBar(again);
  await act(() => void document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
  await flushEffects();
  expect(again.sent()).toHaveLength(1);
});

test("the first step has one button back, later steps have two", async () => {
  const garden = await renderTurn(rareDecision("expansion"));
  const names = (host: HTMLElement) => [...host.querySelectorAll(".tools button")].map(textOf);
  const expected = (en: { back: string; cancel: string; hint: string }, depth: number) =>
    [depth > 0 && en.back, depth > 1 && en.cancel, garden.game.help && en.hint].filter(Boolean);
  const { turn } = garden;
  const placing = (turn.now.step as SingleChoice).options.findIndex(({ label }) =>
    label.startsWith("Place the expansion"),
  );
  for (const [depth, option] of [placing, 0].entries()) {
    expect(names(await renderBar(garden))).toEqual(expected(en, depth));
    await choose(turn, option);
  }
  expect(turn.now.depth).toBe(2);
  expect(names(await renderBar(garden))).toEqual(expected(en, 2));
});

test("options without a place have a button, and all options are in a list", async () => {
  const garden = await renderTurn(rareDecision("expansion"));
  const host = await renderBar(garden);
  const { options } = garden.turn.now.step as SingleChoice;
  const plain = [...host.querySelectorAll(".options button")].map(textOf);
  expect(plain).toEqual(options.filter(({ selectors }) => selectors.length === 0).map(({ label }) => label));
  const details = host.querySelector("details.all") as HTMLDetailsElement;
  expect(textOf(details.querySelector("summary"))).toBe(en.choices(options.length));
  details.open = true;
  await act(() => void details.dispatchEvent(new Event("toggle")));
  expect(details.querySelectorAll("button")).toHaveLength(options.length);
  await pressButton(details, options.find(({ label }) => label.startsWith("Place the expansion"))?.label ?? "");
  expect(garden.turn.now.depth).toBe(1);
});

test("the status names the deciding player and the result", () => {
  const { game } = azul;
  const [own, ai] = game.seats as [(typeof game.seats)[number], (typeof game.seats)[number]];
  expect(statusText(game, [0], en)).toBe("Your turn");
  expect(statusText(game, [0], WORDS.de)).toBe("Du bist dran");
  expect(statusText({ ...game, seats: [{ ...own, name: "Ana" }, ai] }, [1], en)).toBe("Ana is thinking…");
  expect(statusText({ ...game, seats: [{ ...own, name: "Ana" }, ai] }, [0, 1], en)).toBe("Ana's turn");
  const away = { ...game, seats: [{ ...own, name: "Ana", status: "away" as const }, ai] };
  expect(statusText(away, [0], en)).toBe("An AI plays for Ana");
  expect(statusText({ ...game, to_decide: 1 }, [0], en)).toBe("Lark (AI) is thinking…");
  expect(statusText({ ...game, to_decide: null }, [0], en)).toBe("Drawing tiles…");
  expect(statusText(finishedGame("reviewed").game, [0], en)).toBe("Game over. Cuckoo (AI) won");
});
