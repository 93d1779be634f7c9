/** Decisions, as the steps in which they are made, and as ways over the picture. */
import type { Schemas } from "azul-games-client";
import type { Words } from "../shared/words";
import type { MoveTargets } from "./base/motion";
import { type Action, type Choices, chooseOne, readyStep, type Step } from "./base/steps";
import { rulesetUi, rulesetUiOfType } from "./registry";

export const hasRulesetUi = (ruleset: string): boolean => rulesetUi(ruleset) !== undefined;

/** A legal action, with its text. */
export type ListedAction = Schemas["LegalAction"];

/** Return the first step of a decision: that of the ruleset's guide, or one of all legal actions by their texts. */
export function firstStep(
  choices: Choices | readonly ListedAction[],
  position: Schemas["Position"] | null,
  seat: number,
  words: Words,
): Step {
  if ("ruleset" in choices) {
    const ownPosition = position?.ruleset === choices.ruleset ? position : null;
    const ui = rulesetUi(choices.ruleset);
    return ui?.guide(choices, ownPosition, seat, ui.words[words.lang]) as Step;
  }
  const options = choices.map(({ text, action }) => ({ label: text, selectors: [], next: () => readyStep(action) }));
  return chooseOne(words.ask.any, options, "ask");
}

const NOWHERE: MoveTargets = { from: [], to: null };

/** Return from where to where a seat's action leads; a player who passes moves nothing. */
export const moveTargets = (action: Action, seat: number): MoveTargets =>
  rulesetUiOfType(action.type)?.targets[action.type]?.(action, seat) ?? NOWHERE;
