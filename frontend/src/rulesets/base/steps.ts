/**
 * A decision as a series of small choices that can be clicked and undone.
 *
 * A guide turns the response of `GET …/choices` into the first step. Each option has selectors of the
 * picture; the API documents the `data-…` attributes.
 */
import type { Schemas } from "@azul-games/client";

export type Action = Schemas["Action"];
export type Choices = Schemas["Choices"];

/** The picture on a button: the id of a symbol, or the direction of a rotation. */
export type Look = { symbol: string } | { rotation: number };

/** The result of a choice, shown while the pointer is over it: pieces on the first free spaces, and short texts. */
export interface Preview {
  fills: readonly { selector: string; symbol: string; count: number }[];
  notes: readonly { selector: string; text: string }[];
}

export interface Option {
  label: string;
  /** Elements of the picture that mean this option. Empty: the option has only a button. */
  selectors: readonly string[];
  look?: Look;
  preview?: Preview;
  /** True if the piece can be dragged to a place, which is the next choice. */
  isDraggable?: boolean;
  next: () => Step;
}

/** A choice of one option. */
export interface SingleChoice {
  kind: "one";
  question: string;
  options: readonly Option[];
}

export interface Item {
  label: string;
  selectors: readonly string[];
  look?: Look;
  /** The maximum count. */
  max: number;
}

/** A choice of several items with counts. `chosen` contains the count of each item. */
export interface CountChoice {
  kind: "some";
  question: string;
  items: readonly Item[];
  start: readonly number[];
  /** Return whether the count of an item may grow. */
  canAdd: (chosen: readonly number[], item: number) => boolean;
  isComplete: (chosen: readonly number[]) => boolean;
  /** Return the cost or gain of the chosen counts in words. */
  describe?: (chosen: readonly number[]) => string;
  next: (chosen: readonly number[]) => Step;
}

/** A complete action. */
export interface ReadyStep {
  kind: "ready";
  action: Action;
}

export type Step = SingleChoice | CountChoice | ReadyStep;

export const readyStep = (action: Action): ReadyStep => ({ kind: "ready", action });

/** Return a choice of one option. A single option is skipped, unless `alone` is "ask". */
export function chooseOne(question: string, options: readonly Option[], alone: "skip" | "ask" = "skip"): Step {
  const [only, ...others] = options;
  if (alone === "skip" && only !== undefined && others.length === 0) return only.next();
  return { kind: "one", question, options };
}

/**
 * Return the label of an option and a preview at its place, with what it earns and costs. Both come from the service's
 * choices, so a preview needs no request.
 */
export function scoredOption(
  label: string,
  selector: string,
  gains: readonly string[],
): Pick<Option, "label" | "selectors" | "preview"> {
  const text = gains.join(", ");
  if (!text) return { label, selectors: [selector] };
  return { label: `${label}: ${text}`, selectors: [selector], preview: { fills: [], notes: [{ selector, text }] } };
}

/** Return the sum of tile counts. */
export const total = (counts: Partial<Record<string, number>>): number =>
  sum(Object.values(counts).map((count) => count ?? 0));

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
