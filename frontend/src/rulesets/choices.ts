/** Decisions of any ruleset: the first step, and the arrow of an action. */
import type { Schemas } from "@azul-games/client";
import type { Words } from "../shared/words";
import type { MoveTargets } from "./base/motion";
import { type Action, type Choices, chooseOne, readyStep, type Step } from "./base/steps";
import { rulesetUi, rulesetUiOfType } from "./ui_registry";

export type ListedAction = Schemas["LegalAction"];

/** Return the first step: that of the ruleset's guide, or a list of all legal actions. */
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

/** Return the start and the end of an action. Passing moves nothing. */
export const moveTargets = (action: Action, seat: number): MoveTargets =>
  rulesetUiOfType(action.type)?.targets[action.type]?.(action, seat) ?? NOWHERE;
