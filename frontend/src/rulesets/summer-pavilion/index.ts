import type { Pieces } from "../base/pieces";
import { summerPavilionLesson } from "./coach";
import { Emblem } from "./emblem";
import { summerPavilion } from "./guide";
import { moves, scorings } from "./log";
import { flights, targets } from "./motion";

export const summerPavilionPieces: Pieces<"summer-pavilion"> = {
  Emblem,
  guide: summerPavilion,
  lesson: summerPavilionLesson,
  flights,
  targets,
  scorings,
  moves,
};
