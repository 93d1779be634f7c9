/** The list of rulesets with an own user interface. Rulesets without one can be played, too. */
import type { Words } from "../shared/words";
import { azul } from "./azul";
import type { AnyRulesetUi, RulesetTexts } from "./base/ruleset_ui";
import { queensGarden } from "./queens-garden";
import { summerPavilion } from "./summer-pavilion";

const RULESET_UIS: Record<string, AnyRulesetUi> = {
  azul,
  "summer-pavilion": summerPavilion,
  "queens-garden": queensGarden,
};

export const rulesetUi = (ruleset: string): AnyRulesetUi | undefined => RULESET_UIS[ruleset];

/** Return the object of the ruleset to which a type of effect or action belongs, such as `azul.draft`. */
export const rulesetUiOfType = (type: string): AnyRulesetUi | undefined => rulesetUi(type.split(".", 1)[0] ?? "");

/** The preselected ruleset of forms. */
export const DEFAULT_RULESET = "azul";
export const RULESETS: readonly string[] = Object.keys(RULESET_UIS);

/** Return the texts of a ruleset in the language of `words`. */
export const rulesetTexts = (ruleset: string, { lang }: Words): RulesetTexts =>
  rulesetUi(ruleset)?.words[lang] ?? { name: ruleset, inShort: "", variants: {}, parts: {} };

/** Return the name of a side of the board. */
export const variantName = (ruleset: string, variant: string, words: Words): string =>
  rulesetTexts(ruleset, words).variants[variant] ?? variant;
