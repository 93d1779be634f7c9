/** Recorded games: fixtures of `record.ts` and golden playthroughs of the rulesets. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Schemas } from "@azul-games/client";
import type { Game } from "../src/game/live";
import type { GameEvent } from "../src/rulesets/base/events";
import type { Choices } from "../src/rulesets/base/steps";

export const RULESETS = ["azul", "summer-pavilion", "queens-garden"] as const;
export type Ruleset = (typeof RULESETS)[number];

export interface RecordedDecision {
  game: Game;
  choices: Choices;
  /** Events since the previous decision. */
  events: GameEvent[];
  /** The picture's elements with ids and data attributes. Null: not recorded. */
  places: string | null;
}

export interface RecordedLesson {
  decisions: RecordedDecision[];
}

export type RareDecision = Pick<RecordedDecision, "game" | "choices" | "places">;

export interface FinishedGame {
  game: Game;
  events: GameEvent[];
  /** The review, or null if none was requested. */
  analysis: Schemas["Analysis"] | null;
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8"));

/** Return the lesson of a ruleset in which the learner followed the coach. */
export const recordedLesson = (ruleset: string): RecordedLesson =>
  read(`fixtures/lesson.${ruleset}.json`) as RecordedLesson;

export const RARE_DECISIONS = ["tile", "bonus", "pass", "expansion", "mixture", "full"] as const;
type RareName = (typeof RARE_DECISIONS)[number];

/** Return a decision that does not occur in a lesson. */
export const rareDecision = (name: RareName): RareDecision => read(`fixtures/${name}.json`) as RareDecision;

/** Return a finished game of two AIs, or a game that was resigned after four drafts and reviewed. */
export const finishedGame = (name: "finished" | "reviewed"): FinishedGame =>
  read(`fixtures/${name}.json`) as FinishedGame;

/** Return a response from the examples of the API document. */
export const apiExample = <T>(name: string): T =>
  (read(`../../openapi/examples/${name}.json`) as { response: unknown }).response as T;

interface Playthrough {
  outcome: { score: number; rank: number; breakdown: Record<string, number> }[];
  steps: { action?: Schemas["Action"]; seat?: number; effects: GameEvent["effects"] }[];
}

/** Return the events and final scores of a golden playthrough. */
export function playthrough(name: string): { events: GameEvent[]; scores: number[] } {
  const { outcome, steps } = read(`../../tests/rulesets/golden/${name}.json`) as Playthrough;
  const events = steps.map(
    ({ action = null, seat = null, effects }, at) =>
      ({ revision: at + 1, kind: action ? "action" : "draw", seat, action, effects }) as unknown as GameEvent,
  );
  return { events, scores: outcome.map(({ score }) => score) };
}

/** Golden playthroughs for two seats. */
export const PLAYTHROUGHS = [
  ...["azul.coloured.2", "azul.grey.2", "summer-pavilion.coloured.2", "summer-pavilion.grey.2"],
  ...["queens-garden.standard.2", "queens-garden.reverse.2"],
];
