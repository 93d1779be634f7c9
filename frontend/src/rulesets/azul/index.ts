import type { Pieces } from "../base/pieces";
import { azulLesson } from "./coach";
import { Emblem } from "./emblem";
import { azul } from "./guide";
import { moves, scorings } from "./log";
import { flights, targets } from "./motion";
import { type Words, words } from "./words";

export const azulPieces: Pieces<"azul", Words> = {
  words,
  Emblem,
  roundness: 0.2,
  guide: azul,
  lesson: azulLesson,
  flights,
  targets,
  scorings,
  moves,
};
