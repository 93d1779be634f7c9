/** Flights and arrows of Summer Pavilion. */
import { flightsToCentre, pointsFlight } from "../base/motion";
import type { RulesetUi } from "../base/ruleset_ui";
import type { Words } from "./words";

const colourOf = (colour: string) => `[data-colour="${colour}"]`;

export const flights: RulesetUi<"summer-pavilion", Words>["flights"] = {
  "summer-pavilion.tiles_moved_to_centre": ({ tiles }, event) => flightsToCentre(tiles, event),
  "summer-pavilion.tiles_acquired": ({ seat, source, colour }) => [
    { from: `#${source} ${colourOf(colour)}`, to: `#seat_${seat}_hand ${colourOf(colour)}` },
  ],
  "summer-pavilion.bonus_taken": ({ seat, colour }) => [
    {
      from: `#supply ${colourOf(colour)}`,
      to: `#seat_${seat}_hand ${colourOf(colour)}`,
      part: { first: 0, count: 1 },
    },
  ],
  "summer-pavilion.tile_placed": ({ seat, star, slot, colour, points }) => {
    const to = `#seat_${seat}_${star}_${slot}`;
    return [
      { from: `#seat_${seat}_hand ${colourOf(colour)}`, to, part: { first: 0, count: 1 } },
      ...pointsFlight(to, points),
    ];
  },
};

export const targets: RulesetUi<"summer-pavilion", Words>["targets"] = {
  "summer-pavilion.acquire": ({ source, colour }, seat) => ({
    from: [`#${source} ${colourOf(colour)}`],
    to: `#seat_${seat}_hand`,
  }),
  "summer-pavilion.take_bonus": ({ colour }, seat) => ({
    from: [`#supply ${colourOf(colour)}`],
    to: `#seat_${seat}_hand`,
  }),
  "summer-pavilion.place": ({ star, slot, colour }, seat) => ({
    from: [`#seat_${seat}_hand ${colourOf(colour)}`],
    to: `#seat_${seat}_${star}_${slot}`,
  }),
};
