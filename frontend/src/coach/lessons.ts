/** Progress of a lesson: which topic comes next, and whether the learner followed the advice. */
import type { Game } from "../game/live";
import type { GameEvent } from "../rulesets/base/events";
import { nameOf } from "../game/players";
import {
  type ActionEvent,
  type Advice,
  isSameAction,
  LEARNER_SEAT,
  type LearnerTurn,
  type Lesson,
  type Topic,
} from "../rulesets/base/lesson";
import type { Action, Choices } from "../rulesets/base/steps";
import { rulesetTexts } from "../rulesets/registry";
import { rulesetUi } from "../rulesets/ui_registry";
import type { Words } from "../shared/words";
import type { AskedDecision, KeptLesson } from "./progress";

type AnyLesson = Lesson<any, any, any>; // any ruleset's choices, position and words
type AnyTurn = LearnerTurn<any, any, any>;

const lessonOf = (ruleset: string): AnyLesson => rulesetUi(ruleset)?.lesson as AnyLesson;

export const MAX_MOVES = 5;
/** A lesson ends after this many decisions of the learner, even if some topics never came up. */
const MAX_DECISIONS = 18;

export const isOver = ({ decisions, moves }: Pick<KeptLesson, "decisions" | "moves">): boolean =>
  moves >= MAX_MOVES || decisions > MAX_DECISIONS;

export const learnerTurn = (
  { position, ruleset }: Game,
  choices: Choices,
  words: Words,
  taught: readonly string[],
): AnyTurn => ({
  choices,
  position,
  seat: LEARNER_SEAT,
  words: rulesetTexts(ruleset, words),
  taught,
});

/** Return the advice for the learner's current decision. */
export function adviceOf({ ruleset }: Game, asked: AskedDecision, turn: AnyTurn): string {
  const lesson = lessonOf(ruleset);
  const topic = lesson.topics.find(({ name }) => name === asked.topic);
  return topic?.advise(turn)?.text ?? lesson.freeAdvice(turn);
}

/** Return the events from the learner's answer to a decision onwards, without moves that were taken back. */
function eventsSince(events: readonly GameEvent[], { revision }: AskedDecision): readonly GameEvent[] {
  const later = events.filter((event) => event.revision > revision);
  const rest = later.slice(later.findLastIndex(({ kind }) => kind === "takeback") + 1);
  const own = rest.findIndex((event) => event.kind === "action" && event.seat === LEARNER_SEAT);
  return own < 0 ? [] : rest.slice(own);
}

/** Return sentences about the effects of the learner's last decision and of the answers to it. */
export function storyOf(
  game: Game,
  events: readonly GameEvent[],
  before: AskedDecision | null,
  words: Words,
): string[] {
  const happened = before ? eventsSince(events, before) : [];
  const { explain } = lessonOf(game.ruleset);
  const own = rulesetTexts(game.ruleset, words);
  return happened.flatMap(({ effects }, number) =>
    effects.flatMap((effect) => {
      const name = "seat" in effect && effect.seat !== LEARNER_SEAT ? nameOf(game, effect.seat, words) : null;
      return (
        explain(effect, { events: happened, isOwnDecision: number === 0, position: game.position, words: own, name }) ||
        []
      );
    }),
  );
}

/** Return the lesson's progress when the learner has to decide again. */
export function advanceLesson(
  kept: KeptLesson,
  game: Game,
  events: readonly GameEvent[],
  choices: Choices,
  words: Words,
): KeptLesson {
  const { asked, moves, taught } = kept;
  const lesson = lessonOf(game.ruleset);
  const [own] = asked ? eventsSince(events, asked) : [];
  const acted = own as ActionEvent | undefined;
  const topic = lesson.topics.find(({ name }) => name === asked?.topic);
  const followed = Boolean(acted && asked?.action && isFollowed(acted, asked.action, topic?.acceptedIf));
  const now = {
    decisions: kept.decisions + 1,
    moves: moves + Number(Boolean(acted && topic)),
    taught: topic && followed ? [...taught, topic.name] : taught,
  };
  const advised = isOver(now) ? null : firstTopic(lesson, learnerTurn(game, choices, words, now.taught));
  return {
    ...kept,
    ...now,
    before: acted ? asked : null,
    followed: acted && topic ? followed : null,
    asked: { revision: game.revision, topic: advised?.name ?? null, action: advised?.action ?? null },
  };
}

const isFollowed = (acted: ActionEvent, advised: Action, done: Topic<AnyTurn>["acceptedIf"]): boolean =>
  isSameAction(acted.action, advised) ||
  (done === "alike" ? acted.action.type === advised.type : Boolean(done?.(acted)));

function firstTopic(lesson: AnyLesson, turn: AnyTurn): (Advice & { name: string }) | null {
  for (const { name, advise } of lesson.topics) {
    const advice = turn.taught.includes(name) ? null : advise(turn);
    if (advice) return { ...advice, name };
  }
  return null;
}
