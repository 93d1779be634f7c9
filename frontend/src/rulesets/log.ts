/** Events of any ruleset, in words and as movements. */
import type { Words } from "../shared/words";
import type { Effect, EventDetails } from "./base/events";
import { type Flight, pointsFlight } from "./base/motion";
import type { ScoringText } from "./base/ruleset_ui";
import { rulesetUiOfType } from "./ui_registry";

/** A scoring with its seat and points. */
export interface Scoring extends Pick<ScoringText, "text" | "colour"> {
  seat: number;
  points: number;
}

/** Return a scoring at the end of a round or game in words. Null: another effect, or one that changes no score. */
export function scoringOf(effect: Effect, words: Words, variant: string): Scoring | null {
  if (!("points" in effect)) return null;
  const { seat, points } = effect;
  const ui = rulesetUiOfType(effect.type);
  const scored: ScoringText | null = ui?.scorings[effect.type]?.(effect, ui.words[words.lang], variant) ?? null;
  if (!scored || (points === 0 && !scored.limit)) return null;
  const { text, limit, ...others } = scored;
  const isLimited = limit && limit.whole < points; // the minimum score has reduced the loss
  return {
    ...others,
    seat,
    points,
    text: isLimited ? words.scoring.limited(text, limit.whole, points, limit.least) : text,
  };
}

/** Return a short text of an action, such as `took 3 blue from factory 1 for line 3`. Null: no action, or one without such a text. */
export function moveText({ action, effects }: EventDetails, words: Words, variant: string): string | null {
  if (!action) return null;
  const ui = rulesetUiOfType(action.type);
  return ui?.moves[action.type]?.(action, effects, ui.words[words.lang], variant) ?? null;
}

/** Movements that are shown at the same time. */
export interface Beat {
  flights: readonly Flight[];
  /** The effect of a scoring. Null for the decision or draw itself. */
  scoring: Effect | null;
}

function flightsOf(effect: Effect, event: EventDetails): Flight[] {
  const flights = rulesetUiOfType(effect.type)?.flights[effect.type];
  if (flights) return flights(effect, event);
  return "points" in effect ? pointsFlight(`#seat_${effect.seat}`, effect.points) : [];
}

/** Split an event into beats: the decision first, then each scoring by itself. */
export function splitIntoBeats(event: EventDetails): Beat[] {
  const first: Flight[] = [];
  const scorings: Beat[] = [];
  for (const effect of event.effects) {
    const flights = flightsOf(effect, event);
    if (!rulesetUiOfType(effect.type)?.scorings[effect.type]) first.push(...flights);
    else if (flights.length) scorings.push({ flights, scoring: effect });
  }
  return [...(first.length ? [{ flights: first, scoring: null }] : []), ...scorings];
}
