/** The list of rulesets with texts and an emblem. Rulesets that are not listed can be played, too. */
import type { Words } from "../shared/words";
import * as azul from "./azul/info";
import type { RulesetInfo, RulesetTexts } from "./base/ruleset_ui";
import * as queensGarden from "./queens-garden/info";
import * as summerPavilion from "./summer-pavilion/info";

const RULESET_INFOS: Record<string, RulesetInfo> = {
  azul,
  "summer-pavilion": summerPavilion,
  "queens-garden": queensGarden,
};

export const rulesetInfo = (ruleset: string): RulesetInfo | undefined => RULESET_INFOS[ruleset];

/** The preselected ruleset of forms. */
export const DEFAULT_RULESET = "azul";
export const RULESETS: readonly string[] = Object.keys(RULESET_INFOS);

/** Return the texts of a ruleset in the language of `words`. */
export const rulesetTexts = (ruleset: string, { lang }: Words): RulesetTexts =>
  rulesetInfo(ruleset)?.words[lang] ?? { name: ruleset, inShort: "", goal: "", variants: {}, parts: {} };

/** Return the name of a side of the board. */
export const variantName = (ruleset: string, variant: string, words: Words): string =>
  rulesetTexts(ruleset, words).variants[variant] ?? variant;
