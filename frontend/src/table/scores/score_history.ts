/** The scores after each round, computed from the log. */
import type { Game } from "../../game/live";
import type { GameEvent } from "../../rulesets/base/events";
import { scoringOf } from "../../rulesets/log";
import type { Words } from "../../shared/words";

/** Return the points of the decision itself, such as a tile placed on a star. */
export function immediatePoints(event: GameEvent, words: Words): number {
  return event.effects.reduce(
    (sum, effect) => sum + ("points" in effect && scoringOf(effect, words, "") === null ? effect.points : 0),
    0,
  );
}

/** The scores of all seats at the end of a round. Round 0 is the start. */
export interface RoundScores {
  round: number;
  revision: number;
  scores: readonly number[];
}

/**
 * Return the scores after each round. The current scores determine the initial ones. Moves that were taken back do not
 * count.
 */
export function scoreHistory(events: readonly GameEvent[], game: Game): RoundScores[] {
  const none = game.seats.map(() => 0);
  const scoresAfter = new Map<number, readonly number[]>();
  let scores: readonly number[] = none;
  let rounds: RoundScores[] = [];
  for (const event of events) {
    if (event.kind === "takeback") {
      scores = scoresAfter.get(event.to) ?? scores;
      rounds = rounds.filter(({ revision }) => revision <= event.to);
    }
    for (const effect of event.effects) {
      if ("points" in effect) scores = scores.map((score, seat) => score + (seat === effect.seat ? effect.points : 0));
      if (effect.type.endsWith(".round_ended") && "round" in effect)
        rounds.push({ round: effect.round, revision: event.revision, scores });
    }
    scoresAfter.set(event.revision, scores);
  }
  const initial = game.seats.map(({ score }, seat) => (score ?? 0) - (scores[seat] ?? 0));
  const withInitial = (scores: readonly number[]) => scores.map((score, seat) => score + (initial[seat] ?? 0));
  return [
    { round: 0, revision: 0, scores: initial },
    ...rounds.map((round) => ({ ...round, scores: withInitial(round.scores) })),
  ];
}
