import type { RulesetUi } from "../base/ruleset_ui";
import { lesson } from "./coach";
import { Emblem } from "./emblem";
import { guide } from "./guide";
import { moves, scorings } from "./log";
import { flights, targets } from "./motion";
import { type Words, words } from "./words";

export const azul: RulesetUi<"azul", Words> = {
  words,
  Emblem,
  roundness: 0.2,
  guide,
  lesson,
  flights,
  targets,
  scorings,
  moves,
};
