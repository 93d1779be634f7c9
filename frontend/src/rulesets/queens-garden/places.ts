/** Descriptions of spaces in a garden, and comparison of places in the display. */
import type { Schemas } from "@azul-games/client";

type Piece = Schemas["QueensGardenPiece"];
type Display = Schemas["QueensGardenDisplay"];
type Hexagon = Schemas["QueensGardenHexagon"];

/**
 * Axial offsets of the six neighbours, clockwise from the right. Areas lie in the same directions from the fountain.
 */
export const DIRECTIONS: readonly (readonly [number, number])[] = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];

export interface Place {
  /** The direction of the area from the fountain. Null: around the fountain. */
  area: number | null;
  /** The direction from the area's middle. Null: the middle. */
  at: number | null;
}

/** Return the place of a space with axial coordinates. */
export function placeOf([q = 0, r = 0]: readonly number[]): Place {
  const neighbourIndex = (centreQ: number, centreR: number) =>
    DIRECTIONS.findIndex(([alongQ, alongR]) => q === centreQ + alongQ && r === centreR + alongR);
  const inner = neighbourIndex(0, 0);
  if (inner >= 0) return { area: null, at: inner };
  for (const [area, [alongQ, alongR]] of DIRECTIONS.entries()) {
    const at = neighbourIndex(3 * alongQ, 3 * alongR);
    if (at >= 0) return { area, at };
    if (q === 3 * alongQ && r === 3 * alongR) return { area, at: null };
  }
  return { area: null, at: null };
}

const name = ({ colour, pattern }: Hexagon) => `${colour} ${pattern}`;

/** Return one of each group of equal pieces. Pieces are equal if only the number of their expansion differs. */
export function distinctPieces(
  pieces: readonly Piece[],
  display: Display | undefined,
  taken: readonly Piece[],
): readonly Piece[] {
  if (!display) return pieces;
  const stackContent = (piece: Piece): string => {
    const stack = display.beside.find(({ number }) => piece.from === `beside_${number}`);
    if (!stack) return piece.from;
    const tiles = stack.tiles.map(name);
    for (const { from, kind, hexagon } of taken)
      if (from === piece.from && kind === "tile") tiles.splice(tiles.indexOf(name(hexagon)), 1);
    return `${tiles.sort().join()} ${stack.face && name(stack.face)}`;
  };
  const seen = new Set<string>();
  return pieces.filter((piece) => {
    const place = `${piece.kind} ${stackContent(piece)}`;
    return !seen.has(place) && Boolean(seen.add(place));
  });
}
