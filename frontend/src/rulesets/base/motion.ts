/** What moves where, told from the effects of an event, step by step: all in selectors of the picture. */
import type { Schemas } from "azul-games-client";
import type { Event } from "../../game/live";

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

export type Effect = Schemas["Effect"];

/** What is seen at a time. */
export interface Beat {
  flights: readonly Flight[];
  /** The scoring that this shows, one effect; null: what was decided or drawn. */
  scoring: Effect | null;
}

type Hexagon = Schemas["QueensGardenHexagon"];

const hexagon = ({ colour, pattern }: Hexagon) => `[data-colour="${colour}"][data-pattern="${pattern}"]`;
const scored = (at: string, points: number): Flight[] => (points === 0 ? [] : [{ from: at, to: at, points }]);

/** Every kind of effect that is seen to move. */
function flightsOf(effect: Effect, action: Schemas["Action"] | null, placed: number): Flight[] {
  const source = action && "source" in action ? action.source : "centre";
  switch (effect.type) {
    case "azul.tiles_placed":
      return [
        {
          from: `#${source} [data-colour="${effect.colour}"]`,
          to: `#seat_${effect.seat}_line_${effect.line}`,
          part: { first: 0, count: effect.count },
          fills: true,
        },
      ];
    case "azul.tiles_fallen":
      return [
        {
          from: `#${source} [data-colour="${effect.colour}"]`,
          to: `#seat_${effect.seat}_floor`,
          part: { first: placed, count: effect.count },
          fills: true,
        },
      ];
    case "azul.tiles_moved_to_centre":
    case "summer-pavilion.tiles_moved_to_centre":
      return Object.keys(effect.tiles).map((colour) => ({
        from: `#${source} [data-colour="${colour}"]`,
        to: `#centre [data-colour="${colour}"]`,
      }));
    case "summer-pavilion.tiles_acquired": {
      const colour = `[data-colour="${effect.colour}"]`;
      return [{ from: `#${effect.source} ${colour}`, to: `#seat_${effect.seat}_hand ${colour}` }];
    }
    case "summer-pavilion.bonus_taken": {
      const colour = `[data-colour="${effect.colour}"]`;
      const to = `#seat_${effect.seat}_hand ${colour}`;
      return [{ from: `#supply ${colour}`, to, part: { first: 0, count: 1 } }];
    }
    case "azul.tile_placed": {
      const to = `#seat_${effect.seat}_wall_${effect.line}_${effect.column}`;
      const line = { from: `#seat_${effect.seat}_line_${effect.line}`, to, symbol: `#tile-${effect.colour}` };
      return [line, ...scored(to, effect.points)];
    }
    case "summer-pavilion.tile_placed": {
      const to = `#seat_${effect.seat}_${effect.star}_${effect.slot}`;
      const from = `#seat_${effect.seat}_hand [data-colour="${effect.colour}"]`;
      return [{ from, to, part: { first: 0, count: 1 } }, ...scored(to, effect.points)];
    }
    case "queens-garden.tile_placed": {
      const from = `[data-seat="${effect.seat}"][data-kind="tile"]${hexagon(effect.hexagon)}`;
      return [{ from, to: `[data-seat="${effect.seat}"][data-space="${effect.space.join(",")}"]` }];
    }
    case "queens-garden.pieces_acquired":
      return effect.pieces.map((piece) => ({
        from: `#display [data-from="${piece.from}"][data-kind="${piece.kind}"]${hexagon(piece.hexagon)}`,
        to: `[data-seat="${effect.seat}"][data-kind="${piece.kind}"]${hexagon(piece.hexagon)}`,
      }));
    case "queens-garden.expansion_placed":
      return [
        {
          from: `[data-seat="${effect.seat}"][data-kind="expansion"]${hexagon(effect.hexagon)}`,
          to: `#seat_${effect.seat}_area_${effect.area}`,
        },
      ];
    case "queens-garden.expansion_bought":
      return [
        { from: "#supply", to: `#seat_${effect.seat}_area_${effect.area}` },
        ...scored(`#seat_${effect.seat}`, effect.points),
      ];
    case "azul.floor_penalty":
      return scored(`#seat_${effect.seat}_floor`, effect.points);
    case "azul.end_bonus":
    case "summer-pavilion.end_bonus":
    case "summer-pavilion.leftover_penalty":
    case "summer-pavilion.passed":
    case "queens-garden.passed":
    case "queens-garden.marker_taken":
    case "queens-garden.round_scored":
    case "queens-garden.groups_scored":
    case "queens-garden.storage_counted":
    case "summer-pavilion.start_token_taken":
      return scored(`#seat_${effect.seat}`, effect.points);
    default:
      return [];
  }
}

/** What follows by itself once all is taken or placed: it is shown one after another. */
const SCORING = new Set([
  "azul.tile_placed",
  "azul.floor_penalty",
  "azul.end_bonus",
  "summer-pavilion.end_bonus",
  "summer-pavilion.leftover_penalty",
  "queens-garden.round_scored",
  "queens-garden.storage_counted",
  "queens-garden.groups_scored",
]);

/** The event as it is to be seen, one beat after another. */
export function beats({ effects, action }: Event): Beat[] {
  const first: Flight[] = [];
  const scorings: Beat[] = [];
  let placed = 0;
  for (const effect of effects) {
    const flights = flightsOf(effect, action, placed);
    if (effect.type === "azul.tiles_placed") placed = effect.count;
    if (!SCORING.has(effect.type)) first.push(...flights);
    else if (flights.length) scorings.push({ flights, scoring: effect });
  }
  return [...(first.length ? [{ flights: first, scoring: null }] : []), ...scorings];
}
