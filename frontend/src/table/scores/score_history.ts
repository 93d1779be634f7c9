/** How the points went from round to round. */
import type { Event, Game } from "../../game/live";
import { scoringOf } from "../../rulesets/log";
import type { Words } from "../../shared/words";

/** What a decision itself scored, such as a tile placed on a star. */
export function pointsAtOnce(event: Event, words: Words): number {
  return event.effects.reduce(
    (sum, effect) => sum + ("points" in effect && scoringOf(effect, words, "") === null ? effect.points : 0),
    0,
  );
}

/** The points of all seats when a round had ended; 0: before the first. */
export interface Standing {
  round: number;
  revision: number;
  scores: readonly number[];
}

/** How the points went, by the log; the seats' present scores say with what it began. Turns taken back are left out. */
export function courseOf(events: readonly Event[], game: Game): Standing[] {
  const none = game.seats.map(() => 0);
  const left = new Map<number, readonly number[]>();
  let now: readonly number[] = none;
  let rounds: Standing[] = [];
  for (const event of events) {
    if (event.kind === "takeback") {
      now = left.get(event.to) ?? now;
      rounds = rounds.filter(({ revision }) => revision <= event.to);
    }
    for (const effect of event.effects) {
      if ("points" in effect) now = now.map((score, seat) => score + (seat === effect.seat ? effect.points : 0));
      if (effect.type.endsWith(".round_ended") && "round" in effect)
        rounds.push({ round: effect.round, revision: event.revision, scores: now });
    }
    left.set(event.revision, now);
  }
  const begun = game.seats.map(({ score }, seat) => (score ?? 0) - (now[seat] ?? 0));
  const whole = (scores: readonly number[]) => scores.map((score, seat) => score + (begun[seat] ?? 0));
  return [
    { round: 0, revision: 0, scores: begun },
    ...rounds.map((round) => ({ ...round, scores: whole(round.scores) })),
  ];
}
