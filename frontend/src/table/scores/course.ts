/** What scored, in words; and how the points went from round to round. */
import type { Event, Game } from "../../game/live";
import { FLOOR } from "../../rulesets/azul/guide";
import type { Effect } from "../../rulesets/base/motion";
import { LEAST_SCORE } from "../../rulesets/summer-pavilion/guide";
import type { Words } from "../../shared/words";

/** A scoring: whose, for what, how much. */
export interface Scoring {
  seat: number;
  text: string;
  points: number;
  /** Of Azul's tiles. */
  colour?: string;
}

const filled = (parts: readonly (string | false)[]): string => parts.filter(Boolean).join(", ");

/** Losses that may be less than their cause, even 0, because a score has a minimum. */
const LIMITED_LOSSES: readonly Effect["type"][] = [
  "azul.floor_penalty",
  "summer-pavilion.leftover_penalty",
  "queens-garden.storage_counted",
];

/** Return a scoring at the end of a round or game in words. Null: another effect, or one that changes no score. */
export function scoringOf(effect: Effect, words: Words, variant: string): Scoring | null {
  if (!("points" in effect) || (effect.points === 0 && !LIMITED_LOSSES.includes(effect.type))) return null;
  const { scoring } = words;
  const { seat, points } = effect;
  const value = (each: string) => words.patternsAll[each] ?? words.colour(each);
  /** Add the whole loss if the score would have gone below the least. */
  const limited = (text: string, whole: number, lost: number, least: number) =>
    whole < lost ? scoring.limited(text, whole, lost, least) : text;
  switch (effect.type) {
    case "azul.tile_placed": {
      const { colour, line, column } = effect;
      return { seat, points, colour, text: scoring.at(words.colour(colour), line, column) };
    }
    case "azul.floor_penalty":
      if (effect.tiles === 0) return null;
      return { seat, points, text: limited(scoring.floor(effect.tiles), FLOOR[effect.tiles] ?? points, points, 0) };
    case "azul.end_bonus": {
      const { rows, columns, colours } = effect;
      const all = [
        rows > 0 && scoring.rows(rows),
        columns > 0 && scoring.columns(columns),
        colours > 0 && scoring.colours(colours),
      ];
      return { seat, points, text: filled(all) };
    }
    case "summer-pavilion.end_bonus": {
      const stars = effect.stars.map(({ star }) => words.star(star, variant)).join(", ");
      const numbers = effect.numbers.map(({ number }) => number).join(", ");
      return { seat, points, text: filled([stars && scoring.stars(stars), numbers && scoring.numbers(numbers)]) };
    }
    case "summer-pavilion.leftover_penalty": {
      const tiles = Object.values(effect.tiles).reduce((sum, count) => sum + count, 0);
      if (tiles === 0) return null;
      return { seat, points, text: limited(scoring.leftover(tiles), -tiles, points, LEAST_SCORE) };
    }
    case "queens-garden.round_scored": {
      const shown = effect.shown.filter((each) => each.points > 0);
      const all = shown.map((each) => scoring.shown(value(each.shown), each.hexagons));
      if (effect.pavilions > 0) all.push(scoring.pavilions(effect.pavilions));
      return { seat, points, text: `${scoring.garden}: ${all.join(", ")}` };
    }
    case "queens-garden.storage_counted": {
      const { values, jokers } = effect;
      if (values === 0 && jokers === 0) return null;
      return { seat, points, text: limited(scoring.storage(values, jokers), jokers - values, points, 0) };
    }
    case "queens-garden.groups_scored":
      return { seat, points, text: scoring.groups(effect.groups.map((group) => value(group.value)).join(", ")) };
    default:
      return null;
  }
}

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
