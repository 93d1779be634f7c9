/** Games of the real service, as `record.ts` and the golden playthroughs of the rulesets have them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Schemas } from "azul-games-client";
import type { Event, Game } from "../src/game/live";
import type { Choices } from "../src/rulesets/base/steps";

export const RULESETS = ["azul", "summer-pavilion", "queens-garden"] as const;
export type Ruleset = (typeof RULESETS)[number];

/** A decision of the learner. */
export interface Decision {
  game: Game;
  choices: Choices;
  /** Since the decision before. */
  events: Event[];
  /** What selectors find in the picture of this position; null: not kept. */
  places: string | null;
}

export interface Recorded {
  decisions: Decision[];
}

/** A decision that is rare. */
export type Moment = Pick<Decision, "game" | "choices" | "places">;

export interface Finished {
  game: Game;
  events: Event[];
  /** Its review; null: nobody has asked for one. */
  analysis: Schemas["Analysis"] | null;
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8"));

/** The lesson of a ruleset, in which the learner followed the coach. */
export const lesson = (ruleset: string): Recorded => read(`fixtures/lesson.${ruleset}.json`) as Recorded;

export const RARE = ["tile", "bonus", "pass", "expansion", "mixture", "full"] as const;
type Rare = (typeof RARE)[number];

/** A decision that no lesson comes to. */
export const moment = (name: Rare): Moment => read(`fixtures/${name}.json`) as Moment;

/** A game that is over: played to its end by two AIs, or given up after four drafts and reviewed. */
export const over = (name: "finished" | "reviewed"): Finished => read(`fixtures/${name}.json`) as Finished;

/** A response of the API document's examples. */
export const example = <T>(name: string): T =>
  (read(`../../openapi/examples/${name}.json`) as { response: unknown }).response as T;

interface Playthrough {
  outcome: { score: number; rank: number; breakdown: Record<string, number> }[];
  steps: { action?: Schemas["Action"]; seat?: number; effects: Event["effects"] }[];
}

/** A whole game of the rulesets' golden playthroughs: its events, and how it ended. */
export function playthrough(name: string): { events: Event[]; scores: number[] } {
  const { outcome, steps } = read(`../../tests/rulesets/golden/${name}.json`) as Playthrough;
  const events = steps.map(
    ({ action = null, seat = null, effects }, at) =>
      ({ revision: at + 1, kind: action ? "action" : "draw", seat, action, effects }) as unknown as Event,
  );
  return { events, scores: outcome.map(({ score }) => score) };
}

/** The names of all golden playthroughs of a ruleset for two. */
export const PLAYTHROUGHS = [
  ...["azul.coloured.2", "azul.grey.2", "summer-pavilion.coloured.2", "summer-pavilion.grey.2"],
  ...["queens-garden.standard.2", "queens-garden.reverse.2"],
];
