/** Scorings and moves of Summer Pavilion in words. */
import { findEffect } from "../base/events";
import type { RulesetUi } from "../base/ruleset_ui";
import { total } from "../base/steps";
import { MIN_SCORE } from "./guide";
import type { Words } from "./words";

export const scorings: RulesetUi<"summer-pavilion", Words>["scorings"] = {
  "summer-pavilion.end_bonus": ({ stars, numbers }, words, variant) => {
    const { scoring } = words;
    const colours = stars.map(({ star }) => words.star(star, variant)).join(", ");
    const complete = numbers.map(({ number }) => number).join(", ");
    return {
      text: [colours && scoring.stars(colours), complete && scoring.numbers(complete)].filter(Boolean).join(", "),
    };
  },
  "summer-pavilion.leftover_penalty": ({ tiles }, { scoring }) => {
    const left = total(tiles);
    return left ? { text: scoring.leftover(left), limit: { whole: -left, least: MIN_SCORE } } : null;
  },
};

export const moves: RulesetUi<"summer-pavilion", Words>["moves"] = {
  "summer-pavilion.acquire": (action, effects, words) => {
    const { count = 0, wilds = 0 } = findEffect(effects, "summer-pavilion.tiles_acquired") ?? {};
    const colour = words.colour(action.colour);
    const what = count > wilds ? words.tiles(count - wilds, colour, wilds) : words.tiles(count, colour);
    return count ? words.moves.acquire(what, words.source(action.source)) : null;
  },
  "summer-pavilion.place": ({ star, slot, colour }, _, words, variant) =>
    words.moves.place(words.colour(colour), words.starSpace(star, slot, variant)),
  "summer-pavilion.take_bonus": ({ colour }, _, words) => words.moves.bonus(words.tiles(1, words.colour(colour))),
  "summer-pavilion.pass": ({ keep }, effects, { moves }) =>
    moves.keep(total(keep), total(findEffect(effects, "summer-pavilion.passed")?.discarded ?? {})),
};
