import type { Pieces } from "../base/pieces";
import { queensGardenLesson } from "./coach";
import { Emblem } from "./emblem";
import { queensGarden } from "./guide";
import { moves, scorings } from "./log";
import { flights, targets } from "./motion";

export const queensGardenPieces: Pieces<"queens-garden"> = {
  Emblem,
  guide: queensGarden,
  lesson: queensGardenLesson,
  flights,
  targets,
  scorings,
  moves,
};
