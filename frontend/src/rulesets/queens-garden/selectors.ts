/** Selectors for the picture of Queen's Garden. */
import type { Schemas } from "@azul-games/client";

type Hexagon = Schemas["QueensGardenHexagon"];
type Piece = Schemas["QueensGardenPiece"];

const hexagonSelector = ({ colour, pattern }: Hexagon) => `[data-colour="${colour}"][data-pattern="${pattern}"]`;

/** Return the selector of a piece in a seat's storage or garden. */
export const ownPiece = (seat: number, kind: Piece["kind"], hexagon: Hexagon): string =>
  `[data-seat="${seat}"][data-kind="${kind}"]${hexagonSelector(hexagon)}`;

/** Return the selector of a piece in the display. */
export const displayPiece = ({ from, kind, hexagon }: Piece): string =>
  `#display [data-from="${from}"][data-kind="${kind}"]${hexagonSelector(hexagon)}`;

export const spaceAt = (seat: number, space: readonly number[]): string =>
  `[data-seat="${seat}"][data-space="${space.join(",")}"]`;

export const areaAt = (seat: number, area: number): string => `#seat_${seat}_area_${area}`;
