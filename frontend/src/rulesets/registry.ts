/** What each ruleset provides for the table: a line for a new one. A ruleset without a line can be played, too. */
import { azulPieces } from "./azul";
import type { AnyPieces } from "./base/pieces";
import { queensGardenPieces } from "./queens-garden";
import { summerPavilionPieces } from "./summer-pavilion";

const PIECES: Record<string, AnyPieces> = {
  azul: azulPieces,
  "summer-pavilion": summerPavilionPieces,
  "queens-garden": queensGardenPieces,
};

export const piecesOf = (ruleset: string): AnyPieces | undefined => PIECES[ruleset];

/** The pieces of the ruleset that an effect or action is of: its type begins with that. */
export const piecesOfType = (type: string): AnyPieces | undefined => piecesOf(type.split(".", 1)[0] ?? "");
