/** What moves where in the picture, in selectors of it. */
import { type EventDetails, sourceOf } from "./events";

/** Something goes from where the picture before has it to where the one after does; or points rise there. */
export interface Flight {
  from: string;
  to: string;
  points?: number;
  /** Of pieces that are alike, these: the first of them, and how many. */
  part?: { first: number; count: number };
  /** They fill a row of spaces, one each. */
  fills?: boolean;
  /** What flies is one of these, while all that lie there are used up. */
  symbol?: string;
}

/** Where an action's pieces come from, and where they go to. */
export interface MoveTargets {
  from: readonly string[];
  to: string | null;
}

/** Points that rise from a part of the picture. */
export const pointsFlight = (at: string, points: number): Flight[] =>
  points === 0 ? [] : [{ from: at, to: at, points }];

/** The rest of a factory goes to the centre. */
export const flightsToCentre = (tiles: object, event: EventDetails): Flight[] =>
  Object.keys(tiles).map((colour) => ({
    from: `#${sourceOf(event)} [data-colour="${colour}"]`,
    to: `#centre [data-colour="${colour}"]`,
  }));
