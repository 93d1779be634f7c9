/** The coach of a first game: a card that says what to do now and what came of it, and marks what is meant. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Event, Game } from "../game/live";
import { wayOf } from "../game/stage/drawings";
import type { Meaning } from "../game/stage/stage";
import type { Turn } from "../game/turn";
import { canLeadTo, LEARNER_SEAT } from "../rulesets/base/lesson";
import type { Choices, Option } from "../rulesets/base/steps";
import { usePageContext } from "../shared/context";
import { adviceOf, hasLesson, isOver, momentOf, MAX_MOVES, next, storyOf } from "./lessons";
import { type KeptLesson, lessons } from "./progress";

export interface Coaching {
  meaning: Meaning | null;
  card: ComponentChildren;
}

interface Said {
  happened: string;
  advice: string | null;
  /** The number of the coached move; null: it is none. */
  move: number | null;
  /** Of which it is said. */
  revision: number;
}

/** `turn`: the decision that can be made now, on the picture that is shown. */
export function useCoach(game: Game, events: readonly Event[], turn: Turn | null): Coaching {
  const { words } = usePageContext();
  const { coach } = words;
  const [kept, setKept] = useState(() => (hasLesson(game.ruleset) ? lessons.read(game.id) : null));
  const change = (lesson: KeptLesson) => {
    lessons.keep(game.id, lesson);
    setKept(lesson);
  };
  /** It stays while what follows is still on its way to the picture. */
  const said = useRef<Said>({ happened: "", advice: null, move: null, revision: 0 });
  const choices = turn?.choices ?? null;
  const heard = (events.at(-1)?.revision ?? 0) >= game.revision;
  const isAsked = kept?.asked?.revision === game.revision;
  useEffect(() => {
    if (kept && !kept.ended && choices && heard && !isAsked) change(next(kept, game, events, choices, words));
  }, [choices, heard, isAsked, kept?.ended]);

  const action = choices && isAsked && !kept?.ended ? (kept?.asked?.action ?? null) : null;
  const meaning = useMemo((): Meaning | null => {
    if (!action) return null;
    const known = new WeakMap<Option, boolean>();
    const learn = (option: Option): boolean => {
      const does = canLeadTo(option.next(), action);
      known.set(option, does);
      return does;
    };
    const way = wayOf(action, LEARNER_SEAT, "best");
    return { ways: [way], leads: (option) => known.get(option) ?? learn(option), word: coach.meant };
  }, [action, coach]);

  if (!kept || game.outcome || game.status !== "playing") return { meaning: null, card: null };
  const over = isOver(kept);
  if (kept.ended)
    return {
      meaning: null,
      card: over ? null : (
        <button class="quiet again" onClick={() => change({ ...kept, before: null, asked: null, ended: false })}>
          {coach.again}
        </button>
      ),
    };
  const asked = choices && isAsked ? kept.asked : null;
  if (turn && (asked || game.to_decide !== LEARNER_SEAT)) {
    const happened = storyOf(game, events, asked ? kept.before : kept.asked, words);
    if (asked && kept.followed !== null) happened.unshift(kept.followed ? coach.right : coach.other);
    said.current = {
      happened: happened.join(" "),
      advice: over
        ? coach.enough
        : asked && adviceOf(game, asked, momentOf(game, choices as Choices, words, kept.taught)),
      move: asked?.topic ? kept.moves + 1 : null,
      revision: game.revision,
    };
  }
  const { happened, advice, move } = said.current;
  return {
    meaning,
    card: (
      <section class="card coach" aria-label={coach.lesson} data-revision={said.current.revision}>
        <header>
          <h2>
            {coach.lesson}
            {move && <small> {coach.move(move, MAX_MOVES)}</small>}
          </h2>
          <button class={over ? "primary" : "quiet"} onClick={() => change({ ...kept, ended: true })}>
            {over ? coach.playOn : coach.end}
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
