/** The guide of each ruleset: a line for a new one. */
import type { Schemas } from "azul-games-client";
import type { Words } from "../shared/words";
import { azul } from "./azul/guide";
import type { Choices, Step } from "./base/steps";
import { queensGarden } from "./queens-garden/guide";
import { summerPavilion } from "./summer-pavilion/guide";

/** The first step of a decision that is made on a position. */
export function guide(choices: Choices, position: Schemas["Position"] | null, seat: number, words: Words): Step {
  switch (choices.ruleset) {
    case "azul":
      return azul(choices, of(position, choices.ruleset), seat, words);
    case "summer-pavilion":
      return summerPavilion(choices, of(position, choices.ruleset), seat, words);
    case "queens-garden":
      return queensGarden(choices, of(position, choices.ruleset), seat, words);
  }
}

type Of<Ruleset extends string> = Extract<Schemas["Position"], { ruleset: Ruleset }>;

/** The position as that of its ruleset. */
const of = <Ruleset extends Choices["ruleset"]>(
  position: Schemas["Position"] | null,
  ruleset: Ruleset,
): Of<Ruleset> | null => (position?.ruleset === ruleset ? (position as Of<Ruleset>) : null);
