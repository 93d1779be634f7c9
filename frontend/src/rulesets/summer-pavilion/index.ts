import type { Pieces } from "../base/pieces";
import { summerPavilionLesson } from "./coach";
import { Emblem } from "./emblem";
import { summerPavilion } from "./guide";
import { moves, scorings } from "./log";
import { flights, targets } from "./motion";
import { type Words, words } from "./words";

export const summerPavilionPieces: Pieces<"summer-pavilion", Words> = {
  words,
  Emblem,
  guide: summerPavilion,
  lesson: summerPavilionLesson,
  flights,
  targets,
  scorings,
  moves,
};
