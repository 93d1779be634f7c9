/** How far the lessons of this browser have come. */
import type { Action } from "../rulesets/base/steps";
import { read, write } from "../shared/store";

/** A decision of the learner: where it was asked for, and what was advised. */
export interface AskedDecision {
  revision: number;
  /** Null: they were left to play freely. */
  topic: string | null;
  action: Action | null;
}

export interface KeptLesson {
  /** Decisions that were asked for, and those of them that were coached. */
  decisions: number;
  moves: number;
  taught: readonly string[];
  /** The decision before this one, and this one. */
  before: AskedDecision | null;
  asked: AskedDecision | null;
  /** Whether it did as was advised, or something else. */
  followed: boolean | null;
  /** The learner has had enough of it for now. */
  ended: boolean;
}

export const NEW_LESSON: KeptLesson = {
  decisions: 0,
  moves: 0,
  taught: [],
  before: null,
  asked: null,
  followed: null,
  ended: false,
};

const LESSONS = "azul-table-lessons";
const MAX_LESSONS = 12;
const keptLessons = () => read<Record<string, KeptLesson>>(LESSONS) ?? {};

/** How far the lessons have come that are games of this browser, by these: of the last in which somebody learned. */
export const lessonStore = {
  read: (game: string): KeptLesson | null => keptLessons()[game] ?? null,
  keep: (game: string, lesson: KeptLesson): void => {
    const others = Object.entries(keptLessons()).filter(([each]) => each !== game);
    write(LESSONS, Object.fromEntries([...others, [game, lesson]].slice(-MAX_LESSONS)));
  },
};
