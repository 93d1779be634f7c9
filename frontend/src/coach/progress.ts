/** Progress of lessons, as stored in this browser. */
import type { Action } from "../rulesets/base/steps";
import { browserStore } from "../shared/store";

/** A decision of the learner with the advice that the coach gave. */
export interface AskedDecision {
  revision: number;
  /** Null if the coach had no advice. */
  topic: string | null;
  action: Action | null;
}

export interface KeptLesson {
  /** The number of decisions so far, and of the coached ones among them. */
  decisions: number;
  moves: number;
  taught: readonly string[];
  /** The previous and the current decision. */
  before: AskedDecision | null;
  asked: AskedDecision | null;
  /** Whether the learner followed the last advice. Null if there was none. */
  followed: boolean | null;
  /** True after the learner has closed the lesson. */
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
const keptLessons = () => browserStore.read<Record<string, KeptLesson>>(LESSONS) ?? {};

/** Progress by game id. Only the most recent lessons are stored. */
export const lessonStore = {
  read: (game: string): KeptLesson | null => keptLessons()[game] ?? null,
  keep: (game: string, lesson: KeptLesson): void => {
    const others = Object.entries(keptLessons()).filter(([each]) => each !== game);
    browserStore.write(LESSONS, Object.fromEntries([...others, [game, lesson]].slice(-MAX_LESSONS)));
  },
};
