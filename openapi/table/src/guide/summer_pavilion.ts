/** Summer Pavilion: a colour of a source; or a space, its colour and how it is paid; or what is kept on passing. */
import type { Schemas } from "azul-games-client";
import type { Words } from "../words";
import { oneOf, type Option, ready, type Step, sum } from "./steps";

type Choices = Schemas["SummerPavilionChoices"];
type Place = Schemas["SummerPavilionPlaceChoice"];
type Colour = Schemas["SummerPavilionColourChoice"];

export function summerPavilion(choices: Choices, seat: number, words: Words): Step {
  const acquire = choices.acquire.flatMap(({ source, colours }) =>
    colours.map((colour) => ({
      label: words.from(words.colour(colour), source),
      on: [`#${source} [data-colour="${colour}"]`],
      then: () => ready({ type: "summer-pavilion.acquire", source, colour }),
    })),
  );
  const bonus = choices.take_bonus.map((colour) => ({
    label: words.colour(colour),
    on: [`#supply [data-colour="${colour}"]`],
    then: () => ready({ type: "summer-pavilion.take_bonus", colour }),
  }));
  const place = choices.place.map((space) => ({
    label: words.slot(space.star, space.slot, space.number),
    on: [`#seat_${seat}_${space.star}_${space.slot}`],
    then: () => colours(space, words),
  }));
  const passing: Option[] = choices.pass
    ? [
        {
          label: words.pass,
          on: [],
          then: () => keep(choices.pass as Schemas["SummerPavilionPassChoice"], seat, words),
        },
      ]
    : [];
  const ask = acquire.length ? words.ask.acquire : bonus.length ? words.ask.bonus : words.ask.place;
  return oneOf(ask, [...acquire, ...bonus, ...place, ...passing], "ask");
}

function colours(space: Place, words: Words): Step {
  const options = space.colours.map((colour) => ({
    label: words.colour(colour.colour),
    on: [],
    look: { symbol: `tile-${colour.colour}` },
    then: () => wilds(space, colour, words),
  }));
  return oneOf(words.ask.colour, options);
}

function wilds({ star, slot, number }: Place, { colour, fewest_wilds, most_wilds }: Colour, words: Words): Step {
  const options = Array.from({ length: most_wilds - fewest_wilds + 1 }, (_, more) => fewest_wilds + more).map(
    (wilds) => ({
      label: words.wilds(number - wilds, words.colour(colour), wilds),
      on: [],
      then: () => ready({ type: "summer-pavilion.place", star, slot, colour, wilds }),
    }),
  );
  return oneOf(words.ask.payment, options);
}

function keep({ hand, most }: Schemas["SummerPavilionPassChoice"], seat: number, words: Words): Step {
  const held = Object.entries(hand);
  const all = held.map(([, count]) => count);
  return {
    kind: "some",
    ask: held.length ? words.ask.keep(most) : words.ask.passing,
    items: held.map(([colour, count]) => ({
      label: words.colour(colour),
      on: [`#seat_${seat}_hand [data-colour="${colour}"]`],
      look: { symbol: `tile-${colour}` },
      most: count,
    })),
    start: sum(all) <= most ? all : all.map(() => 0),
    may: (chosen) => sum(chosen) < most,
    enough: () => true,
    then: (chosen) => {
      const kept = held.map(([colour], item) => [colour, chosen[item] ?? 0] as const).filter(([, count]) => count > 0);
      return ready({ type: "summer-pavilion.pass", keep: Object.fromEntries(kept) });
    },
  };
}
