/** The coach of a guided first game: a card with the next advice and an explanation of the last move. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Game } from "../game/live";
import type { GameEvent } from "../rulesets/base/events";
import { moveArrow } from "../game/stage/drawings";
import type { Recommendation } from "../game/stage/stage";
import type { Turn } from "../game/turn";
import { canLeadTo, LEARNER_SEAT } from "../rulesets/base/lesson";
import type { Choices, Option } from "../rulesets/base/steps";
import { rulesetTexts } from "../rulesets/registry";
import { usePageContext } from "../shared/context";
import { hasLesson } from "./lesson_game";
import { advanceLesson, adviceOf, isOver, learnerTurn, MAX_MOVES, storyOf } from "./lessons";
import { type KeptLesson, lessonStore } from "./progress";

export interface Coaching {
  recommendation: Recommendation | null;
  card: ComponentChildren;
}

interface CardContent {
  happened: string;
  advice: string | null;
  /** The number of the coached move, or null if the coach leaves this move to the learner. */
  move: number | null;
  /** The revision for which this content was made. */
  revision: number;
}

/** Return the coach's card and the recommended options. `turn` is the current decision, once the picture shows it. */
export function useCoach(game: Game, events: readonly GameEvent[], turn: Turn | null): Coaching {
  const { words } = usePageContext();
  const { coach } = words;
  const [lesson, setLesson] = useState(() => (hasLesson(game.ruleset) ? lessonStore.read(game.id) : null));
  const change = (lesson: KeptLesson) => {
    lessonStore.keep(game.id, lesson);
    setLesson(lesson);
  };
  /** The card keeps its content until the picture shows the next decision. */
  const content = useRef<CardContent>({ happened: "", advice: null, move: null, revision: 0 });
  const choices = turn?.choices ?? null;
  const isUpToDate = (events.at(-1)?.revision ?? 0) >= game.revision;
  const isAsked = lesson?.asked?.revision === game.revision;
  useEffect(() => {
    if (lesson && !lesson.ended && choices && isUpToDate && !isAsked)
      change(advanceLesson(lesson, game, events, choices, words));
  }, [choices, isUpToDate, isAsked, lesson?.ended]);

  const action = choices && isAsked && !lesson?.ended ? (lesson?.asked?.action ?? null) : null;
  const recommendation = useMemo((): Recommendation | null => {
    if (!action) return null;
    const results = new WeakMap<Option, boolean>();
    const check = (option: Option): boolean => {
      const result = canLeadTo(option.next(), action);
      results.set(option, result);
      return result;
    };
    const arrow = moveArrow(action, LEARNER_SEAT, "best");
    return { arrows: [arrow], isRecommended: (option) => results.get(option) ?? check(option), label: coach.meant };
  }, [action, coach]);

  if (!lesson || game.outcome || game.status !== "playing") return { recommendation: null, card: null };
  const isFinished = isOver(lesson);
  if (lesson.ended)
    return {
      recommendation: null,
      card: isFinished ? null : (
        <button class="quiet again" onClick={() => change({ ...lesson, before: null, asked: null, ended: false })}>
          {coach.again}
        </button>
      ),
    };
  const asked = choices && isAsked ? lesson.asked : null;
  if (turn && (asked || game.to_decide !== LEARNER_SEAT)) {
    const happened = storyOf(game, events, asked ? lesson.before : lesson.asked, words);
    if (asked && lesson.followed !== null) happened.unshift(lesson.followed ? coach.right : coach.other);
    if (asked && lesson.moves === 0 && !lesson.before) happened.unshift(rulesetTexts(game.ruleset, words).goal);
    content.current = {
      happened: happened.join(" "),
      advice: isFinished
        ? coach.enough
        : asked && adviceOf(game, asked, learnerTurn(game, choices as Choices, words, lesson.taught)),
      move: asked?.topic ? lesson.moves + 1 : null,
      revision: game.revision,
    };
  }
  const { happened, advice, move } = content.current;
  return {
    recommendation,
    card: (
      <section class="card coach" aria-label={coach.lesson} data-revision={content.current.revision}>
        <header>
          <h2>
            {coach.lesson}
            {move && <small> {coach.move(move, MAX_MOVES)}</small>}
          </h2>
          <button class={isFinished ? "primary" : "quiet"} onClick={() => change({ ...lesson, ended: true })}>
            {isFinished ? coach.playOn : coach.end}
          </button>
        </header>
        <div role="status">
          {happened && <p class="note">{happened}</p>}
          {advice && <p class="advice">{advice}</p>}
        </div>
      </section>
    ),
  };
}
