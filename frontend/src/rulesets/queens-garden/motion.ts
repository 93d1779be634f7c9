/** Queen's Garden: what moves where. */
import { rising } from "../base/motion";
import type { Pieces } from "../base/ruleset_ui";
import { areaAt, held, offered, spaceAt } from "./selectors";
import type { Words } from "./words";

export const flights: Pieces<"queens-garden", Words>["flights"] = {
  "queens-garden.pieces_acquired": ({ seat, pieces }) =>
    pieces.map((piece) => ({ from: offered(piece), to: held(seat, piece.kind, piece.hexagon) })),
  "queens-garden.tile_placed": ({ seat, hexagon, space }) => [
    { from: held(seat, "tile", hexagon), to: spaceAt(seat, space) },
  ],
  "queens-garden.expansion_placed": ({ seat, hexagon, area }) => [
    { from: held(seat, "expansion", hexagon), to: areaAt(seat, area) },
  ],
  "queens-garden.expansion_bought": ({ seat, area, points }) => [
    { from: "#supply", to: areaAt(seat, area) },
    ...rising(`#seat_${seat}`, points),
  ],
};

export const targets: Pieces<"queens-garden", Words>["targets"] = {
  "queens-garden.acquire": ({ pieces }, seat) => ({ from: pieces.map(offered), to: `#seat_${seat}_storage` }),
  "queens-garden.place_tile": ({ hexagon, space }, seat) => ({
    from: [held(seat, "tile", hexagon)],
    to: spaceAt(seat, space),
  }),
  "queens-garden.place_expansion": ({ hexagon, area }, seat) => ({
    from: [held(seat, "expansion", hexagon)],
    to: areaAt(seat, area),
  }),
  "queens-garden.buy_expansion": ({ area }, seat) => ({ from: ["#supply"], to: areaAt(seat, area) }),
};
