/** Queen's Garden: parts of the picture, as selectors. */
import type { Schemas } from "azul-games-client";

type Hexagon = Schemas["QueensGardenHexagon"];
type Piece = Schemas["QueensGardenPiece"];

const hexagonSelector = ({ colour, pattern }: Hexagon) => `[data-colour="${colour}"][data-pattern="${pattern}"]`;

/** A piece in the storage or the garden of a seat. */
export const ownPiece = (seat: number, kind: Piece["kind"], hexagon: Hexagon): string =>
  `[data-seat="${seat}"][data-kind="${kind}"]${hexagonSelector(hexagon)}`;

/** A piece of the display. */
export const displayPiece = ({ from, kind, hexagon }: Piece): string =>
  `#display [data-from="${from}"][data-kind="${kind}"]${hexagonSelector(hexagon)}`;

export const spaceAt = (seat: number, space: readonly number[]): string =>
  `[data-seat="${seat}"][data-space="${space.join(",")}"]`;

export const areaAt = (seat: number, area: number): string => `#seat_${seat}_area_${area}`;
