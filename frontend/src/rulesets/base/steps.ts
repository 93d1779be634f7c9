/**
 * A decision as a series of small choices, so that one can click one's way to it and back.
 *
 * A guide turns `GET …/actions?form=choices` into the first step. Each option says where in the picture it is meant:
 * by selectors, as the API's document promises them (`data-…` bears the fields by which actions name things).
 */
import type { Schemas } from "azul-games-client";

export type Action = Schemas["Action"];
export type Choices = Schemas["Choices"];

/** What stands on a button: a piece of the picture (the id of a symbol in it), or the direction of a rotation. */
export type Look = { symbol: string } | { rotation: number };

/** What a choice would bring, shown while it is pointed at: pieces on the first free spaces, and a word beside them. */
export interface Preview {
  fills: readonly { selector: string; symbol: string; count: number }[];
  note?: { selector: string; text: string };
}

export interface Option {
  label: string;
  /** Selectors: whatever they match in the picture means this option. Empty: only its button does. */
  selectors: readonly string[];
  look?: Look;
  preview?: Preview;
  /** Whether it can be carried to where it goes: the next choice is one of places. */
  isDraggable?: boolean;
  next: () => Step;
}

/** Exactly one of the options. */
export interface SingleChoice {
  kind: "one";
  question: string;
  options: readonly Option[];
}

export interface Item {
  label: string;
  selectors: readonly string[];
  look?: Look;
  /** How often it can be chosen. */
  max: number;
}

/** Several things, each so many times; `chosen` counts them by item. */
export interface CountChoice {
  kind: "some";
  question: string;
  items: readonly Item[];
  start: readonly number[];
  /** Whether one more of the item may be chosen. */
  canAdd: (chosen: readonly number[], item: number) => boolean;
  isComplete: (chosen: readonly number[]) => boolean;
  /** What it costs, or brings, to choose so. */
  describe?: (chosen: readonly number[]) => string;
  next: (chosen: readonly number[]) => Step;
}

/** All is chosen. */
export interface ReadyStep {
  kind: "ready";
  action: Action;
}

export type Step = SingleChoice | CountChoice | ReadyStep;

export const readyStep = (action: Action): ReadyStep => ({ kind: "ready", action });

/** A choice of one, which is no choice where there is one option; such an option keeps its place in the picture. */
export function chooseOne(question: string, options: readonly Option[], alone: "skip" | "ask" = "skip"): Step {
  const [only, ...others] = options;
  if (alone === "skip" && only !== undefined && others.length === 0) return only.next();
  return { kind: "one", question, options };
}

/** All tiles, of which each kind has so many. */
export const total = (counts: Partial<Record<string, number>>): number =>
  sum(Object.values(counts).map((count) => count ?? 0));

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
