/** What each ruleset provides for the table: a line for a new one. A ruleset without a line can be played, too. */
import type { Words } from "../shared/words";
import { azul } from "./azul";
import type { AnyPieces, Texts } from "./base/ruleset_ui";
import { queensGarden } from "./queens-garden";
import { summerPavilion } from "./summer-pavilion";

const PIECES: Record<string, AnyPieces> = {
  azul,
  "summer-pavilion": summerPavilion,
  "queens-garden": queensGarden,
};

export const piecesOf = (ruleset: string): AnyPieces | undefined => PIECES[ruleset];

/** The pieces of the ruleset that an effect or action is of: its type begins with that. */
export const piecesOfType = (type: string): AnyPieces | undefined => piecesOf(type.split(".", 1)[0] ?? "");

/** What forms propose. */
export const USUAL_RULESET = "azul";
export const RULESETS: readonly string[] = Object.keys(PIECES);

/** Return the texts of a ruleset in the language of these words. */
export const textsOf = (ruleset: string, { lang }: Words): Texts =>
  piecesOf(ruleset)?.words[lang] ?? { name: ruleset, inShort: "", variants: {}, parts: {} };

/** Return the name of a side of the board. */
export const sideOf = (ruleset: string, variant: string, words: Words): string =>
  textsOf(ruleset, words).variants[variant] ?? variant;
