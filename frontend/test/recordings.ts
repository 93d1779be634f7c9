/** Games of the real service, as `record.ts` and the golden playthroughs of the rulesets have them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Schemas } from "azul-games-client";
import type { Game } from "../src/game/live";
import type { GameEvent } from "../src/rulesets/base/events";
import type { Choices } from "../src/rulesets/base/steps";

export const RULESETS = ["azul", "summer-pavilion", "queens-garden"] as const;
export type Ruleset = (typeof RULESETS)[number];

/** A decision of the learner. */
export interface RecordedDecision {
  game: Game;
  choices: Choices;
  /** Since the decision before. */
  events: GameEvent[];
  /** What selectors find in the picture of this position; null: not kept. */
  places: string | null;
}

export interface RecordedLesson {
  decisions: RecordedDecision[];
}

/** A decision that is rare. */
export type RareDecision = Pick<RecordedDecision, "game" | "choices" | "places">;

export interface FinishedGame {
  game: Game;
  events: GameEvent[];
  /** Its review; null: nobody has asked for one. */
  analysis: Schemas["Analysis"] | null;
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8"));

/** The lesson of a ruleset, in which the learner followed the coach. */
export const recordedLesson = (ruleset: string): RecordedLesson =>
  read(`fixtures/lesson.${ruleset}.json`) as RecordedLesson;

export const RARE_DECISIONS = ["tile", "bonus", "pass", "expansion", "mixture", "full"] as const;
type RareName = (typeof RARE_DECISIONS)[number];

/** A decision that no lesson comes to. */
export const rareDecision = (name: RareName): RareDecision => read(`fixtures/${name}.json`) as RareDecision;

/** A game that is over: played to its end by two AIs, or given up after four drafts and reviewed. */
export const finishedGame = (name: "finished" | "reviewed"): FinishedGame =>
  read(`fixtures/${name}.json`) as FinishedGame;

/** A response of the API document's examples. */
export const apiExample = <T>(name: string): T =>
  (read(`../../openapi/examples/${name}.json`) as { response: unknown }).response as T;

interface Playthrough {
  outcome: { score: number; rank: number; breakdown: Record<string, number> }[];
  steps: { action?: Schemas["Action"]; seat?: number; effects: GameEvent["effects"] }[];
}

/** A whole game of the rulesets' golden playthroughs: its events, and how it ended. */
export function playthrough(name: string): { events: GameEvent[]; scores: number[] } {
  const { outcome, steps } = read(`../../tests/rulesets/golden/${name}.json`) as Playthrough;
  const events = steps.map(
    ({ action = null, seat = null, effects }, at) =>
      ({ revision: at + 1, kind: action ? "action" : "draw", seat, action, effects }) as unknown as GameEvent,
  );
  return { events, scores: outcome.map(({ score }) => score) };
}

/** The names of all golden playthroughs of a ruleset for two. */
export const PLAYTHROUGHS = [
  ...["azul.coloured.2", "azul.grey.2", "summer-pavilion.coloured.2", "summer-pavilion.grey.2"],
  ...["queens-garden.standard.2", "queens-garden.reverse.2"],
];
