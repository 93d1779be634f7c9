/**
 * What a lesson is: topics, each of which finds in a position what it can be shown by. Everything that is said is made of
 * the position and of what happened, so that it is true whatever the others do.
 */
import type { Effect, Event } from "./events";
import type { Action, Step } from "./steps";

/** The learner's. */
export const SEAT = 0;

/** A decision of the one who learns. */
export interface Moment<Choices, Position, Own> {
  choices: Choices;
  position: Position;
  seat: number;
  words: Own;
  /** The topics that were taught. */
  taught: readonly string[];
}

/** What to do now, in two sentences at most; `action`: what is marked. */
export interface Advice {
  text: string;
  action: Action;
}

export interface Topic<M> {
  name: string;
  /** Null: this position does not show it. */
  of: (moment: M) => Advice | null;
  /** Whether a decision did what was meant, though it was another one; `alike`: all of its type do. */
  done?: "alike" | ((event: Acted) => boolean);
}

/** A decision in the log. */
export type Acted = Extract<Event, { kind: "action" }>;

/** Where an effect belongs. */
export interface Happened<Position, Own> {
  /** The learner's decision and what came after it, in order. */
  events: readonly Event[];
  /** Whether it came of the learner's own decision. */
  own: boolean;
  position: Position;
  words: Own;
  /** Who an effect is of; null: the learner. */
  name: string | null;
}

export interface Lesson<Choices, Position, Own> {
  /** With each of these, the first deal is always the same. */
  seed: number;
  topics: readonly Topic<Moment<Choices, Position, Own>>[];
  /** Where no topic can be shown. */
  free: (moment: Moment<Choices, Position, Own>) => string;
  /** What an effect of the learner's decision means, or of the answers where it matters, in a sentence. */
  told: (effect: Effect, happened: Happened<Position, Own>) => string | false;
}

/** By what decisions are compared: how one is paid, and which of like pieces are taken, is all the same. */
const TELLING = ["type", "source", "colour", "line", "column", "star", "slot", "by", "value"].concat([
  "hexagon",
  "pattern",
  "space",
  "area",
]);

export const isSame = (one: Action, other: Action): boolean =>
  JSON.stringify(one, TELLING) === JSON.stringify(other, TELLING);

/** Whether a step can end in an action; what it is paid with does not count. */
export function leads(step: Step, to: Action): boolean {
  if (step.kind === "ready") return isSame(step.action, to);
  if (step.kind === "some") return leads(step.then(step.start), to);
  return step.options.some((option) => leads(option.then(), to));
}

/** The one of most worth; the first of several. */
export function best<T>(all: readonly T[], worth: (each: T) => number): T | null {
  let found: T | null = null;
  for (const each of all) if (found === null || worth(each) > worth(found)) found = each;
  return found;
}

export const fromCentre = ({ action }: Acted): boolean => "source" in action && action.source === "centre";
