import type { Pieces } from "../base/pieces";
import { queensGardenLesson } from "./coach";
import { Emblem } from "./emblem";
import { queensGarden } from "./guide";
import { moves, scorings } from "./log";
import { flights, targets } from "./motion";
import { type Words, words } from "./words";

export const queensGardenPieces: Pieces<"queens-garden", Words> = {
  words,
  Emblem,
  guide: queensGarden,
  lesson: queensGardenLesson,
  flights,
  targets,
  scorings,
  moves,
};
