/** Decisions, as the steps in which they are made, and as ways over the picture. */
import type { Schemas } from "azul-games-client";
import type { Words } from "../shared/words";
import type { Targets } from "./base/motion";
import { type Action, type Choices, oneOf, ready, type Step } from "./base/steps";
import { piecesOf, piecesOfType } from "./registry";

export const hasGuide = (ruleset: string): boolean => piecesOf(ruleset) !== undefined;

/** A legal action, with its text. */
export type Listed = Schemas["LegalAction"];

/** Return the first step of a decision: that of the ruleset's guide, or one of all legal actions by their texts. */
export function firstStep(
  choices: Choices | readonly Listed[],
  position: Schemas["Position"] | null,
  seat: number,
  words: Words,
): Step {
  if ("ruleset" in choices) {
    const own = position?.ruleset === choices.ruleset ? position : null;
    const pieces = piecesOf(choices.ruleset);
    return pieces?.guide(choices, own, seat, pieces.words[words.lang]) as Step;
  }
  const options = choices.map(({ text, action }) => ({ label: text, on: [], then: () => ready(action) }));
  return oneOf(words.ask.any, options, "ask");
}

const NOWHERE: Targets = { from: [], to: null };

/** Return from where to where a seat's action leads; a player who passes moves nothing. */
export const targetsOf = (action: Action, seat: number): Targets =>
  piecesOfType(action.type)?.targets[action.type]?.(action, seat) ?? NOWHERE;
