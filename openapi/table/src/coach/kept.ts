/** How far the lessons of this browser's games have come. */
import type { Action } from "../guide/steps";
import { readKept, writeKept } from "../store";

/** A decision of the learner: where it was asked for, and what was advised. */
export interface Asked {
  revision: number;
  /** Null: they were left to play freely. */
  topic: string | null;
  action: Action | null;
}

export interface KeptLesson {
  /** Decisions that were coached. */
  moves: number;
  taught: readonly string[];
  /** The decision before this one, and this one. */
  before: Asked | null;
  asked: Asked | null;
  /** Whether it did as was advised, or something else. */
  followed: boolean | null;
  /** The learner has had enough of it for now. */
  ended: boolean;
}

const LESSONS = "azul-table-lessons";
const MOST_LESSONS = 12;

type Lessons = Record<string, KeptLesson>;

export const FRESH: KeptLesson = { moves: 0, taught: [], before: null, asked: null, followed: null, ended: false };

export const keptLesson = (game: string): KeptLesson | null => readKept<Lessons>(LESSONS)?.[game] ?? null;

export function keepLesson(game: string, lesson: KeptLesson | null): void {
  const others = Object.entries(readKept<Lessons>(LESSONS) ?? {}).filter(([each]) => each !== game);
  const all: [string, KeptLesson][] = lesson ? [...others, [game, lesson]] : others;
  writeKept(LESSONS, Object.fromEntries(all.slice(-MOST_LESSONS)));
}
