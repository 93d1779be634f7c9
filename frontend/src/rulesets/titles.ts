/** The titles of the rulesets, for pages that need nothing else of them. */
import { title as azul } from "./azul/title";
import { title as queensGarden } from "./queens-garden/title";
import { title as summerPavilion } from "./summer-pavilion/title";

const TITLES: Record<string, Record<"en" | "de", string>> = {
  azul,
  "summer-pavilion": summerPavilion,
  "queens-garden": queensGarden,
};

/** Return the title of a ruleset, or its id if it is not listed. */
export const rulesetTitle = (ruleset: string, language: "en" | "de"): string => TITLES[ruleset]?.[language] ?? ruleset;
