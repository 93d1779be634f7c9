/** Scorings and moves of Queen's Garden in words. */
import type { Schemas } from "@azul-games/client";
import type { RulesetUi } from "../base/ruleset_ui";
import { placeOf } from "./places";
import type { Words } from "./words";

/** Return the name of a colour or pattern. */
export const valueName = (value: string, words: Words): string => words.patternsAll[value] ?? words.colour(value);

/** Return the parts of a round's score. */
export function scoredTexts(
  { shown, pavilions }: Pick<Schemas["QueensGardenEffectRoundScored"], "shown" | "pavilions">,
  words: Words,
): string[] {
  const { scoring } = words;
  const all = shown
    .filter(({ points }) => points > 0)
    .map((each) => scoring.shown(valueName(each.shown, words), each.hexagons));
  return pavilions > 0 ? [...all, scoring.pavilions(pavilions)] : all;
}

export const scorings: RulesetUi<"queens-garden", Words>["scorings"] = {
  "queens-garden.round_scored": (effect, words) => ({
    text: `${words.scoring.garden}: ${scoredTexts(effect, words).join(", ")}`,
  }),
  "queens-garden.storage_counted": ({ values, jokers }, { scoring }) =>
    values || jokers ? { text: scoring.storage(values, jokers), limit: { whole: jokers - values, least: 0 } } : null,
  "queens-garden.groups_scored": ({ groups }, words) => ({
    text: words.scoring.groups(groups.map(({ value }) => valueName(value, words)).join(", ")),
  }),
};

export const moves: RulesetUi<"queens-garden", Words>["moves"] = {
  "queens-garden.acquire": ({ value, pieces }, _, words) => words.moves.take(`${words.all(value)} (${pieces.length})`),
  "queens-garden.place_tile": ({ hexagon, space }, _, words) =>
    words.moves.placeTile(words.hexagon(hexagon), words.space(placeOf(space))),
  "queens-garden.place_expansion": ({ hexagon, area }, _, words) =>
    words.moves.placeExpansion(words.piece("expansion", words.hexagon(hexagon)), words.area(area)),
  "queens-garden.buy_expansion": ({ area }, _, words) => words.moves.buy(words.area(area)),
  "queens-garden.pass": ({ discard }, _, { moves }) => moves.pass(discard.tiles.length + discard.expansions.length),
};
