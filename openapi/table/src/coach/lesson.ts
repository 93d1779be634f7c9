/**
 * What a lesson is: topics, each of which finds in a position what it can be shown by. Everything that is said is made of
 * the position and of what happened, so that it is true whatever the others do.
 */
import type { Schemas } from "azul-games-client";
import type { Action, Step } from "../guide/steps";
import type { Event } from "../live";
import type { Words } from "../words";

/** A decision of the one who learns. */
export interface Moment<Choices, Position> {
  choices: Choices;
  position: Position;
  seat: number;
  words: Words;
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
  /** Whether a decision did what was meant, though it was another one. */
  done?: (event: Acted) => boolean;
}

/** A decision in the log. */
export type Acted = Extract<Event, { kind: "action" }>;

/** What came of decisions, and who they are that decided. */
export interface Happened<Position> {
  /** The learner's decision and what came after it, in order. */
  events: readonly Event[];
  position: Position;
  seat: number;
  words: Words;
  /** The name of a seat. */
  name: (seat: number) => string;
}

export interface Lesson<Choices = unknown, Position = unknown> {
  /** With each of these, the first deal is always the same. */
  seed: number;
  topics: readonly Topic<Moment<Choices, Position>>[];
  /** Where no topic can be shown. */
  free: (moment: Moment<Choices, Position>) => string;
  /** What the learner's own decision did, and what mattered of the answers; a sentence each. */
  told: (happened: Happened<Position>) => readonly string[];
}

/** What a decision is compared by: how it is paid, and which of like pieces are taken, is all the same. */
const ALIKE = ["payment", "pieces", "keep", "discard", "wilds", "rotation"];

export const isSame = (one: Action, other: Action): boolean => nameOf(one) === nameOf(other);

const nameOf = (action: Action): string =>
  Object.entries(action)
    .filter(([field]) => !ALIKE.includes(field))
    .map(([field, value]) => `${field} ${JSON.stringify(value)}`)
    .sort()
    .join();

/** Whether a step can end in an action. */
export function leads(step: Step, to: Action): boolean {
  if (step.kind === "ready") return isSame(step.action, to);
  if (step.kind === "one") return step.options.some((option) => leads(option.then(), to));
  const chosen = filled(step, step.start);
  return chosen !== null && leads(step.then(chosen), to);
}

/** Some choice that is enough. */
function filled(step: Extract<Step, { kind: "some" }>, chosen: readonly number[], from = 0): readonly number[] | null {
  if (step.enough(chosen)) return chosen;
  for (let item = from; item < step.items.length; item++) {
    if ((chosen[item] ?? 0) >= (step.items[item]?.most ?? 0) || !step.may(chosen, item)) continue;
    const more = chosen.map((count, at) => (at === item ? count + 1 : count));
    const found = filled(step, more, item);
    if (found) return found;
  }
  return null;
}

/** The one of most worth; the first of several. */
export function best<T>(all: readonly T[], worth: (each: T) => number): T | null {
  let found: T | null = null;
  for (const each of all) if (found === null || worth(each) > worth(found)) found = each;
  return found;
}

type Effects = Schemas["Event"]["effects"][number];

/** The effects of a type, with whose decision they came of. */
export const effectsOf = <Type extends Effects["type"]>(
  events: readonly Event[],
  type: Type,
): Extract<Effects, { type: Type }>[] =>
  events.flatMap(({ effects }) =>
    effects.filter((effect): effect is Extract<Effects, { type: Type }> => effect.type === type),
  );
