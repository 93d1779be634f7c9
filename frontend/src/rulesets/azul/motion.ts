/** Flights and arrows of Azul. */
import { findEffect, sourceOf } from "../base/events";
import { type Flight, flightsToCentre, pointsFlight } from "../base/motion";
import type { RulesetUi } from "../base/ruleset_ui";
import type { Words } from "./words";

export const flights: RulesetUi<"azul", Words>["flights"] = {
  "azul.tiles_placed": ({ seat, colour, line, count }, event) => [
    {
      from: `#${sourceOf(event)} [data-colour="${colour}"]`,
      to: `#seat_${seat}_line_${line}`,
      part: { first: 0, count },
      fills: true,
    },
  ],
  "azul.tiles_fallen": ({ seat, colour, count }, event) => [
    {
      from: `#${sourceOf(event)} [data-colour="${colour}"]`,
      to: `#seat_${seat}_floor`,
      part: { first: findEffect(event.effects, "azul.tiles_placed")?.count ?? 0, count },
      fills: true,
    },
  ],
  "azul.tiles_moved_to_centre": ({ tiles }, event) => flightsToCentre(tiles, event),
  "azul.tile_placed": ({ seat, colour, line, column, points }): Flight[] => {
    const to = `#seat_${seat}_wall_${line}_${column}`;
    return [{ from: `#seat_${seat}_line_${line}`, to, symbol: `#tile-${colour}` }, ...pointsFlight(to, points)];
  },
  "azul.floor_penalty": ({ seat, points }) => pointsFlight(`#seat_${seat}_floor`, points),
};

export const targets: RulesetUi<"azul", Words>["targets"] = {
  "azul.draft": ({ source, colour, line }, seat) => ({
    from: [`#${source} [data-colour="${colour}"]`],
    to: `#seat_${seat}_${line === "floor" ? "floor" : `line_${line}`}`,
  }),
  "azul.tile": ({ line, column }, seat) => ({
    from: [`#seat_${seat}_line_${line}`],
    to: `#seat_${seat}_wall_${line}_${column}`,
  }),
};
