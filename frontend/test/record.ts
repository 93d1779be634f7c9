// @vitest-environment node
/**
 * Record the fixtures of the tests: `npm run record -w frontend` while `make serve` runs. `SERVICE=URL` selects another
 * service.
 *
 * The script plays on the real service: lessons in which the learner follows the coach, rare decisions, a finished game
 * and a reviewed one.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, connect, type Schemas, unwrap } from "@azul-games/client";
import { Window } from "happy-dom";
import { test } from "vitest";
import { lessonSettings, OPPONENT_LEVEL } from "../src/coach/lesson_game";
import { advanceLesson, isOver } from "../src/coach/lessons";
import { NEW_LESSON } from "../src/coach/progress";
import type { Game } from "../src/game/live";
import type { GameEvent } from "../src/rulesets/base/events";
import { isSameAction } from "../src/rulesets/base/lesson";
import type { Action, Choices, Step } from "../src/rulesets/base/steps";
import { firstStep } from "../src/rulesets/choices";
import { WORDS } from "../src/shared/words";
import type { FinishedGame, RareDecision, RecordedLesson } from "./recordings";

const SERVICE = process.env["SERVICE"] ?? "http://127.0.0.1:8000";
const VARIANTS = { azul: "coloured", "summer-pavilion": "coloured", "queens-garden": "standard" } as const;
const PICTURES = 3; // of the first decisions of a lesson
const SLOW_MS = 120_000;

function save(name: string, recorded: unknown): void {
  writeFileSync(join(import.meta.dirname, "fixtures", `${name}.json`), JSON.stringify(recorded));
}

/** Create a game, and a client with access to it. */
async function createGame(body: object): Promise<{ client: Client; id: string; tokens: Record<string, string> }> {
  const made = unwrap(
    await connect({ url: SERVICE }).POST("/v1/games", { body: body as Schemas["CreateGameRequest"] }),
  );
  const tokens = made.tokens.seats as Record<string, string>;
  return { client: connect({ url: SERVICE, token: tokens["0"] ?? made.tokens.host }), id: made.game.id, tokens };
}

const fetchGame = async (client: Client, game_id: string): Promise<Game> =>
  unwrap(await client.GET("/v1/games/{game_id}", { params: { path: { game_id } } })) as Game;

const fetchEvents = async (client: Client, game_id: string, after = 0): Promise<GameEvent[]> =>
  unwrap(
    await client.GET("/v1/games/{game_id}/history", { params: { path: { game_id }, query: { after, limit: 500 } } }),
  ).events;

async function choicesOf(client: Client, { id, revision }: Game): Promise<Choices> {
  const legal = unwrap(await client.GET("/v1/games/{game_id}/choices", { params: { path: { game_id: id } } }));
  if (!legal.choices || legal.revision !== revision) throw new Error("the game has moved on");
  return legal.choices;
}

async function placesOf(client: Client, { id, revision }: Game): Promise<string> {
  const params = { path: { game_id: id }, query: { revision } };
  const board = unwrap(await client.GET("/v1/games/{game_id}/board.svg", { params, parseAs: "text" })) as string;
  return skeletonOf(board);
}

const submitAction = async (client: Client, { id, revision }: Game, action: Action, token?: string): Promise<unknown> =>
  unwrap(
    await client.POST("/v1/games/{game_id}/actions", {
      params: { path: { game_id: id } },
      body: { action, revision },
      ...(token && { headers: { Authorization: `Bearer ${token}` } }),
    }),
  );

/** Return the first complete action below a step, or the first one that follows the advice. */
function firstAction(step: Step, advised: Action | null): Action | null {
  if (step.kind === "ready") return advised === null || isSameAction(step.action, advised) ? step.action : null;
  if (step.kind === "some") return firstAction(step.next(completeCounts(step, step.start)), advised);
  for (const option of step.options) {
    const found = firstAction(option.next(), advised);
    if (found) return found;
  }
  return null;
}

/** Return counts of the first items that complete the step. */
function completeCounts(step: Extract<Step, { kind: "some" }>, chosen: readonly number[]): readonly number[] {
  if (step.isComplete(chosen)) return chosen;
  const item = step.items.findIndex(({ max }, place) => (chosen[place] ?? 0) < max && step.canAdd(chosen, place));
  return completeCounts(
    step,
    chosen.map((count, place) => (place === item ? count + 1 : count)),
  );
}

test.each(Object.entries(VARIANTS))("record the lesson of %s", { timeout: SLOW_MS }, async (ruleset, variant) => {
  const seats = [{ kind: "player" }, { kind: "ai", level: OPPONENT_LEVEL }];
  const { client, id } = await createGame({ ruleset, variant, seats, ...lessonSettings(ruleset) });
  const decisions: RecordedLesson["decisions"] = [];
  const events: GameEvent[] = [];
  let kept = NEW_LESSON;
  while (!isOver(kept)) {
    const game = await fetchGame(client, id);
    if (game.status !== "playing") throw new Error("the game is over before the lesson");
    if (game.to_decide !== 0) continue;
    const fresh = await fetchEvents(client, id, events.at(-1)?.revision);
    events.push(...fresh);
    const choices = await choicesOf(client, game);
    kept = advanceLesson(kept, game, events, choices, WORDS.en);
    const places = decisions.length < PICTURES ? await placesOf(client, game) : null;
    decisions.push({ game, choices, events: fresh, places });
    if (isOver(kept)) break;
    const first = firstStep(choices, game.position, 0, WORDS.en);
    const action = firstAction(first, kept.asked?.action ?? null) ?? firstAction(first, null);
    if (!action) throw new Error("nothing can be chosen");
    await submitAction(client, game, action);
  }
  save(`lesson.${ruleset}`, { decisions } satisfies RecordedLesson);
});

/** Decisions that do not occur in a lesson. */
const RARE: Record<string, [ruleset: string, variant: string, isMeant: (choices: any) => boolean]> = {
  tile: ["azul", "grey", ({ tile }) => tile?.columns.length > 1],
  bonus: ["summer-pavilion", "coloured", ({ take_bonus }) => take_bonus.length > 1],
  pass: [
    "summer-pavilion",
    "grey",
    ({ pass }) => pass !== null && Object.values<number>(pass.hand).reduce((all, each) => all + each, 0) > 6,
  ],
  expansion: ["queens-garden", "standard", ({ place_expansion }) => place_expansion.length > 0],
  mixture: [
    "queens-garden",
    "standard",
    ({ place_tile }) =>
      place_tile.some(
        ({ payment }: any) => payment.pieces > 1 && payment.by_colour.length > 0 && payment.by_pattern.length > 0,
      ),
  ],
  full: [
    "queens-garden",
    "standard",
    ({ acquire, tile_spaces, expansion_spaces }) =>
      expansion_spaces > 0 &&
      acquire.some(
        ({ pieces }: any) =>
          pieces.length > tile_spaces &&
          pieces.some(({ sources }: any) => new Set(sources.map(({ kind }: any) => kind)).size > 1),
      ),
  ],
};

test.each(Object.entries(RARE))("record a decision: %s", { timeout: SLOW_MS }, async (name, [ruleset, variant, is]) => {
  let number = 1;
  const drawn = (below: number): number => (number = (number * 16807) % 2147483647) % below;
  for (;;) {
    const player = { kind: "player" };
    const { client, id, tokens } = await createGame({ ruleset, variant, seats: [player, player], first_seat: 0 });
    for (;;) {
      const game = await fetchGame(client, id);
      if (game.status !== "playing") break;
      const choices = await choicesOf(client, game);
      if (is(choices)) {
        save(name, { game, choices, places: await placesOf(client, game) } satisfies RareDecision);
        return;
      }
      let step = firstStep(choices, game.position, game.to_decide ?? 0, WORDS.en);
      while (step.kind !== "ready")
        step =
          step.kind === "some"
            ? step.next(completeCounts(step, step.start))
            : (step.options[drawn(step.options.length)]?.next() ?? step);
      await submitAction(client, game, step.action, tokens[String(game.to_decide)]);
    }
  }
});

test("record a finished game", { timeout: SLOW_MS }, async () => {
  const ai = (name: string) => ({ kind: "ai", level: "random", name });
  const { client, id } = await createGame({ ruleset: "azul", variant: "coloured", seats: [ai("Ada"), ai("Ben")] });
  let game = await fetchGame(client, id);
  while (game.status !== "finished") game = await fetchGame(client, id);
  save("finished", { game, events: await fetchEvents(client, id), analysis: null } satisfies FinishedGame);
});

test("record a review", { timeout: SLOW_MS }, async () => {
  const seats = [{ kind: "player" }, { kind: "ai", level: "random" }];
  const { client, id } = await createGame({ ruleset: "azul", variant: "coloured", seats });
  for (let decisions = 0; decisions < 4;) {
    const game = await fetchGame(client, id);
    if (game.to_decide !== 0) continue;
    const choices = await choicesOf(client, game);
    if (choices.ruleset !== "azul") throw new Error("another ruleset");
    const { source, colour } = choices.draft[0] as Schemas["AzulDraftChoice"];
    await submitAction(client, game, { type: "azul.draft", source, colour, line: "floor" }); // a mistake
    decisions++;
  }
  const path = { game_id: id };
  unwrap(await client.POST("/v1/games/{game_id}/resignation", { params: { path }, body: {} }));
  const body = { kind: "review", best: 1, seconds: 0.05 } as const;
  let analysis = unwrap(await client.POST("/v1/games/{game_id}/analyses", { params: { path }, body }));
  while (analysis.status !== "done") {
    const query = { after: analysis.version, wait: 5 };
    analysis = unwrap(
      await client.GET("/v1/analyses/{task_id}", { params: { path: { task_id: analysis.id }, query } }),
    );
  }
  save("reviewed", {
    game: await fetchGame(client, id),
    events: await fetchEvents(client, id),
    analysis,
  } satisfies FinishedGame);
});

interface ElementLike {
  tagName: string;
  attributes: ArrayLike<{ name: string; value: string }>;
  children: ArrayLike<ElementLike>;
}

/** Return the elements of a picture that selectors use, without their shapes. */
function skeletonOf(board: string): string {
  const named = ({ children }: ElementLike): string =>
    Array.from(children)
      .filter(({ tagName }) => tagName !== "defs" && tagName !== "style")
      .map((child) => {
        const attributes = Array.from(child.attributes).filter(({ name }) => name === "id" || name.startsWith("data-"));
        if (attributes.length === 0) return named(child);
        const written = attributes.map(({ name, value }) => ` ${name}="${value}"`).join("");
        return `<g${written}>${named(child)}</g>`;
      })
      .join("");
  const { documentElement } = new new Window().DOMParser().parseFromString(board, "image/svg+xml");
  return named(documentElement as unknown as ElementLike);
}
