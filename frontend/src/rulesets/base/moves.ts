/** Moves in short words for the log, without the name of the player: `took 3 blue → line 3`. */
import type { Schemas } from "azul-games-client";
import type { Event } from "../../game/live";
import type { Words } from "../../shared/words";
import { placeOf } from "../queens-garden/places";
import type { Effect } from "./motion";
import { sum } from "./steps";

type Of<Type extends Effect["type"]> = Extract<Effect, { type: Type }>;

const total = (tiles: Partial<Record<string, number>>): number => sum(Object.values(tiles).map((count) => count ?? 0));

/** What a seat decided; null: the event is no decision, or lacks the effects that say how many pieces moved. */
export function moveOf(
  { action, effects }: Pick<Event, "action" | "effects">,
  words: Words,
  variant: string,
): string | null {
  return action && textOf(action, effects, words, variant);
}

function textOf(action: Schemas["Action"], effects: readonly Effect[], words: Words, variant: string): string | null {
  const { moves } = words;
  const found = <Type extends Effect["type"]>(type: Type) =>
    effects.find((effect): effect is Of<Type> => effect.type === type);
  switch (action.type) {
    case "azul.draft": {
      const taken = found("azul.tiles_taken");
      const fallen = action.line === "floor" ? 0 : (found("azul.tiles_fallen")?.count ?? 0);
      const line = words.line(action.line);
      return taken ? moves.draft(words.tiles(taken.count, words.colour(action.colour)), line, fallen) : null;
    }
    case "azul.tile":
      return moves.tile(words.line(action.line), words.column(action.column));
    case "summer-pavilion.acquire": {
      const { count = 0, wilds = 0 } = found("summer-pavilion.tiles_acquired") ?? {};
      const colour = words.colour(action.colour);
      const what = count > wilds ? words.tiles(count - wilds, colour, wilds) : words.tiles(count, colour);
      return count ? moves.acquire(what, words.source(action.source)) : null;
    }
    case "summer-pavilion.place":
      return moves.place(words.colour(action.colour), words.starSpace(action.star, action.slot, variant));
    case "summer-pavilion.take_bonus":
      return moves.bonus(words.tiles(1, words.colour(action.colour)));
    case "summer-pavilion.pass":
      return moves.keep(total(action.keep), total(found("summer-pavilion.passed")?.discarded ?? {}));
    case "queens-garden.acquire":
      return moves.take(`${words.all(action.value)} (${action.pieces.length})`);
    case "queens-garden.place_tile":
      return moves.placeTile(words.hexagon(action.hexagon), words.space(placeOf(action.space)));
    case "queens-garden.place_expansion":
      return moves.placeExpansion(words.piece("expansion", words.hexagon(action.hexagon)), words.area(action.area));
    case "queens-garden.buy_expansion":
      return moves.buy(words.area(action.area));
    case "queens-garden.pass":
      return moves.pass(action.discard.tiles.length + action.discard.expansions.length);
  }
}
