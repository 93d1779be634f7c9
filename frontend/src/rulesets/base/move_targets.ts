/** Where an action's pieces come from and go to, in selectors of the picture before it. */
import type { Schemas } from "azul-games-client";
import type { Way } from "../../game/stage/drawings";

type Hexagon = Schemas["QueensGardenHexagon"];

const hexagon = ({ colour, pattern }: Hexagon) => `[data-colour="${colour}"][data-pattern="${pattern}"]`;
const held = (seat: number, kind: string, what: Hexagon) =>
  `[data-seat="${seat}"][data-kind="${kind}"]${hexagon(what)}`;

export function wayOf(action: Schemas["Action"], seat: number, kind: Way["kind"]): Way {
  switch (action.type) {
    case "azul.draft": {
      const from = [`#${action.source} [data-colour="${action.colour}"]`];
      return { from, to: `#seat_${seat}_${action.line === "floor" ? "floor" : `line_${action.line}`}`, kind };
    }
    case "azul.tile":
      return {
        from: [`#seat_${seat}_line_${action.line}`],
        to: `#seat_${seat}_wall_${action.line}_${action.column}`,
        kind,
      };
    case "summer-pavilion.acquire":
      return { from: [`#${action.source} [data-colour="${action.colour}"]`], to: `#seat_${seat}_hand`, kind };
    case "summer-pavilion.take_bonus":
      return { from: [`#supply [data-colour="${action.colour}"]`], to: `#seat_${seat}_hand`, kind };
    case "summer-pavilion.place": {
      const from = [`#seat_${seat}_hand [data-colour="${action.colour}"]`];
      return { from, to: `#seat_${seat}_${action.star}_${action.slot}`, kind };
    }
    case "queens-garden.acquire": {
      const pieces = action.pieces.map(
        (piece) => `#display [data-from="${piece.from}"][data-kind="${piece.kind}"]${hexagon(piece.hexagon)}`,
      );
      return { from: pieces, to: `#seat_${seat}_storage`, kind };
    }
    case "queens-garden.place_tile":
      return {
        from: [held(seat, "tile", action.hexagon)],
        to: `[data-seat="${seat}"][data-space="${action.space.join(",")}"]`,
        kind,
      };
    case "queens-garden.place_expansion":
      return { from: [held(seat, "expansion", action.hexagon)], to: `#seat_${seat}_area_${action.area}`, kind };
    case "queens-garden.buy_expansion":
      return { from: ["#supply"], to: `#seat_${seat}_area_${action.area}`, kind };
    default:
      return { from: [], to: null, kind }; // who passes moves nothing
  }
}
