/** Movements in the picture, described by selectors. */
import { type EventDetails, sourceOf } from "./events";

/**
 * A movement from a place in the previous picture to one in the next picture. With `points`, a rising number instead.
 */
export interface Flight {
  from: string;
  to: string;
  points?: number;
  /** The moving part of a group of equal pieces: index of the first piece, and count. */
  part?: { first: number; count: number };
  /** True if the pieces fill a row of spaces, one each. */
  fills?: boolean;
  /** The symbol of the one piece that flies, while the whole group is used up. */
  symbol?: string;
}

/** The start and the end of an action's pieces. */
export interface MoveTargets {
  from: readonly string[];
  to: string | null;
}

/** Return a number that rises from a part of the picture, or nothing for 0 points. */
export const pointsFlight = (at: string, points: number): Flight[] =>
  points === 0 ? [] : [{ from: at, to: at, points }];

/** Return the flights of a factory's other tiles to the centre. */
export const flightsToCentre = (tiles: object, event: EventDetails): Flight[] =>
  Object.keys(tiles).map((colour) => ({
    from: `#${sourceOf(event)} [data-colour="${colour}"]`,
    to: `#centre [data-colour="${colour}"]`,
  }));
