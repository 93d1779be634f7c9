/**
 * The structure of a lesson. Each topic looks for an example in the current position. All sentences are made from the
 * position and the log, so they are true whatever the opponents do.
 */
import type { Effect, GameEvent } from "./events";
import type { Action, Step } from "./steps";

export const LEARNER_SEAT = 0;

/** A decision of the learner. */
export interface LearnerTurn<Choices, Position, RulesetWords> {
  choices: Choices;
  position: Position;
  seat: number;
  words: RulesetWords;
  /** Names of the topics that the learner has followed. */
  taught: readonly string[];
}

/** Advice in at most two sentences, and the action to mark. */
export interface Advice {
  text: string;
  action: Action;
}

export interface Topic<Turn> {
  name: string;
  /** Return advice, or null if the position has no example of the topic. */
  advise: (turn: Turn) => Advice | null;
  /**
   * Other actions than the advised one that also follow the advice: any of the same type, or those for which the
   * function returns true.
   */
  acceptedIf?: "alike" | ((event: ActionEvent) => boolean);
}

/** An action in the log. */
export type ActionEvent = Extract<GameEvent, { kind: "action" }>;

/** The circumstances of an effect. */
export interface EffectContext<Position, RulesetWords> {
  /** The learner's decision and the events after it, in order. */
  events: readonly GameEvent[];
  /** Whether the effect belongs to the learner's own decision. */
  isOwnDecision: boolean;
  position: Position;
  words: RulesetWords;
  /** The player whom the effect concerns. Null for the learner. */
  name: string | null;
}

export interface Lesson<Choices, Position, RulesetWords> {
  topics: readonly Topic<LearnerTurn<Choices, Position, RulesetWords>>[];
  /** Advice for positions in which no topic applies. */
  freeAdvice: (turn: LearnerTurn<Choices, Position, RulesetWords>) => string;
  /** Return a sentence about an effect, or false if it is not worth mentioning. */
  explain: (effect: Effect, happened: EffectContext<Position, RulesetWords>) => string | false;
}

/** Fields by which actions are compared. Payments, and the choice among equal pieces, do not matter. */
const COMPARED_FIELDS = ["type", "source", "colour", "line", "column", "star", "slot", "by", "value"].concat([
  "hexagon",
  "pattern",
  "space",
  "area",
]);

export const isSameAction = (one: Action, other: Action): boolean =>
  JSON.stringify(one, COMPARED_FIELDS) === JSON.stringify(other, COMPARED_FIELDS);

/** Return whether a step can end in an action, ignoring the payment. */
export function canLeadTo(step: Step, to: Action): boolean {
  if (step.kind === "ready") return isSameAction(step.action, to);
  if (step.kind === "some") return canLeadTo(step.next(step.start), to);
  return step.options.some((option) => canLeadTo(option.next(), to));
}

/** Return the first item of the highest worth, or null for an empty list. */
export function maxBy<T>(all: readonly T[], worth: (item: T) => number): T | null {
  let found: T | null = null;
  for (const each of all) if (found === null || worth(each) > worth(found)) found = each;
  return found;
}

export const isFromCentre = ({ action }: ActionEvent): boolean => "source" in action && action.source === "centre";
