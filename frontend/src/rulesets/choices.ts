/** Decisions, as the steps in which they are made, and as ways over the picture. */
import type { Schemas } from "azul-games-client";
import type { Words } from "../shared/words";
import type { Targets } from "./base/motion";
import type { Action, Choices, Step } from "./base/steps";
import { piecesOf, piecesOfType } from "./registry";

/** Return the first step of a decision that is made on a position. */
export function guide(choices: Choices, position: Schemas["Position"] | null, seat: number, words: Words): Step {
  const own = position?.ruleset === choices.ruleset ? position : null;
  const pieces = piecesOf(choices.ruleset);
  return pieces?.guide(choices, own, seat, pieces.words[words.lang]) as Step;
}

const NOWHERE: Targets = { from: [], to: null };

/** Return from where to where a seat's action leads; a player who passes moves nothing. */
export const targetsOf = (action: Action, seat: number): Targets =>
  piecesOfType(action.type)?.targets[action.type]?.(action, seat) ?? NOWHERE;
