/** The guide of each ruleset: a line for a new one. */
import type { Words } from "../words";
import { azul } from "./azul";
import { queensGarden } from "./queens_garden";
import type { Choices, Step } from "./steps";
import { summerPavilion } from "./summer_pavilion";

/** The first step of a decision. */
export function guide(choices: Choices, seat: number, words: Words): Step {
  switch (choices.ruleset) {
    case "azul":
      return azul(choices, seat, words);
    case "summer-pavilion":
      return summerPavilion(choices, seat, words);
    case "queens-garden":
      return queensGarden(choices, seat, words);
  }
}
