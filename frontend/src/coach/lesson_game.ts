/** The game of a lesson. The start page creates it, so this module must not import the lessons. */
import type { Schemas } from "@azul-games/client";
import { rulesetInfo } from "../rulesets/registry";

export const OPPONENT_LEVEL: Schemas["LevelId"] = "casual";

export const hasLesson = (ruleset: string): boolean => rulesetInfo(ruleset) !== undefined;

/** Return the settings: a fixed deal in which the learner, on seat 0, moves first. */
export const lessonSettings = (ruleset: string) => ({
  seed: String(rulesetInfo(ruleset)?.lessonSeed).padStart(64, "0"),
  first_seat: 0,
});
