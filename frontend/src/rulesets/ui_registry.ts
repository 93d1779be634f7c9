/** The list of rulesets with guided moves, a lesson and animations. Only the page of a game loads it. */
import * as azul from "./azul/ui";
import type { AnyRulesetUi } from "./base/ruleset_ui";
import * as queensGarden from "./queens-garden/ui";
import * as summerPavilion from "./summer-pavilion/ui";

const RULESET_UIS: Record<string, AnyRulesetUi> = {
  azul,
  "summer-pavilion": summerPavilion,
  "queens-garden": queensGarden,
};

export const rulesetUi = (ruleset: string): AnyRulesetUi | undefined => RULESET_UIS[ruleset];

/** Return the object of the ruleset to which a type of effect or action belongs, such as `azul.draft`. */
export const rulesetUiOfType = (type: string): AnyRulesetUi | undefined => rulesetUi(type.split(".", 1)[0] ?? "");
