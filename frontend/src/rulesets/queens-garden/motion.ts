/** Flights and arrows of Queen's Garden. */
import { pointsFlight } from "../base/motion";
import type { RulesetUi } from "../base/ruleset_ui";
import { areaAt, displayPiece, ownPiece, spaceAt } from "./selectors";
import type { Words } from "./words";

export const flights: RulesetUi<"queens-garden", Words>["flights"] = {
  "queens-garden.pieces_acquired": ({ seat, pieces }) =>
    pieces.map((piece) => ({ from: displayPiece(piece), to: ownPiece(seat, piece.kind, piece.hexagon) })),
  "queens-garden.tile_placed": ({ seat, hexagon, space }) => [
    { from: ownPiece(seat, "tile", hexagon), to: spaceAt(seat, space) },
  ],
  "queens-garden.expansion_placed": ({ seat, hexagon, area }) => [
    { from: ownPiece(seat, "expansion", hexagon), to: areaAt(seat, area) },
  ],
  "queens-garden.expansion_bought": ({ seat, area, points }) => [
    { from: "#supply", to: areaAt(seat, area) },
    ...pointsFlight(`#seat_${seat}`, points),
  ],
};

export const targets: RulesetUi<"queens-garden", Words>["targets"] = {
  "queens-garden.acquire": ({ pieces }, seat) => ({ from: pieces.map(displayPiece), to: `#seat_${seat}_storage` }),
  "queens-garden.place_tile": ({ hexagon, space }, seat) => ({
    from: [ownPiece(seat, "tile", hexagon)],
    to: spaceAt(seat, space),
  }),
  "queens-garden.place_expansion": ({ hexagon, area }, seat) => ({
    from: [ownPiece(seat, "expansion", hexagon)],
    to: areaAt(seat, area),
  }),
  "queens-garden.buy_expansion": ({ area }, seat) => ({ from: ["#supply"], to: areaAt(seat, area) }),
};
