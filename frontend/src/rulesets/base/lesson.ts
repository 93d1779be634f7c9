/**
 * What a lesson is: topics, each of which finds in a position what it can be shown by. Everything that is said is made of
 * the position and of what happened, so that it is true whatever the others do.
 */
import type { Effect, GameEvent } from "./events";
import type { Action, Step } from "./steps";

/** The learner's. */
export const LEARNER_SEAT = 0;

/** A decision of the one who learns. */
export interface LearnerTurn<Choices, Position, RulesetWords> {
  choices: Choices;
  position: Position;
  seat: number;
  words: RulesetWords;
  /** The topics that were taught. */
  taught: readonly string[];
}

/** What to do now, in two sentences at most; `action`: what is marked. */
export interface Advice {
  text: string;
  action: Action;
}

export interface Topic<Turn> {
  name: string;
  /** Null: this position does not show it. */
  advise: (moment: Turn) => Advice | null;
  /** Whether a decision did what was meant, though it was another one; `alike`: all of its type do. */
  acceptedIf?: "alike" | ((event: ActionEvent) => boolean);
}

/** A decision in the log. */
export type ActionEvent = Extract<GameEvent, { kind: "action" }>;

/** Where an effect belongs. */
export interface EffectContext<Position, RulesetWords> {
  /** The learner's decision and what came after it, in order. */
  events: readonly GameEvent[];
  /** Whether it came of the learner's own decision. */
  isOwnDecision: boolean;
  position: Position;
  words: RulesetWords;
  /** Who an effect is of; null: the learner. */
  name: string | null;
}

export interface Lesson<Choices, Position, RulesetWords> {
  /** With each of these, the first deal is always the same. */
  seed: number;
  topics: readonly Topic<LearnerTurn<Choices, Position, RulesetWords>>[];
  /** Where no topic can be shown. */
  freeAdvice: (moment: LearnerTurn<Choices, Position, RulesetWords>) => string;
  /** What an effect of the learner's decision means, or of the answers where it matters, in a sentence. */
  explain: (effect: Effect, happened: EffectContext<Position, RulesetWords>) => string | false;
}

/** By what decisions are compared: how one is paid, and which of like pieces are taken, is all the same. */
const COMPARED_FIELDS = ["type", "source", "colour", "line", "column", "star", "slot", "by", "value"].concat([
  "hexagon",
  "pattern",
  "space",
  "area",
]);

export const isSameAction = (one: Action, other: Action): boolean =>
  JSON.stringify(one, COMPARED_FIELDS) === JSON.stringify(other, COMPARED_FIELDS);

/** Whether a step can end in an action; what it is paid with does not count. */
export function canLeadTo(step: Step, to: Action): boolean {
  if (step.kind === "ready") return isSameAction(step.action, to);
  if (step.kind === "some") return canLeadTo(step.next(step.start), to);
  return step.options.some((option) => canLeadTo(option.next(), to));
}

/** The one of most worth; the first of several. */
export function maxBy<T>(all: readonly T[], worth: (item: T) => number): T | null {
  let found: T | null = null;
  for (const each of all) if (found === null || worth(each) > worth(found)) found = each;
  return found;
}

export const isFromCentre = ({ action }: ActionEvent): boolean => "source" in action && action.source === "centre";
