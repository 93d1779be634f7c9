/** Summer Pavilion: a colour of a source; or a space, its colour and how it is paid; or what is kept on passing. */
import type { Schemas } from "azul-games-client";
import { oneOf, type Option, ready, type Step, sum } from "../base/steps";
import type { Words } from "./words";

type Choices = Schemas["SummerPavilionChoices"];
type Position = Schemas["SummerPavilionPosition"];
type Place = Schemas["SummerPavilionPlaceChoice"];
type Colour = Schemas["SummerPavilionColourChoice"];

export function guide(choices: Choices, position: Position | null, seat: number, words: Words): Step {
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
    label: words.slot(words.starSpace(space.star, space.slot, position?.variant ?? ""), space.number),
    on: [`#seat_${seat}_${space.star}_${space.slot}`],
    then: () => colours(space, words),
  }));
  const passing: Option[] = choices.pass
    ? [
        {
          label: words.pass,
          on: [],
          then: () => keep(choices.pass as Schemas["SummerPavilionPassChoice"], position, seat, words),
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
      label: words.tiles(number - wilds, words.colour(colour), wilds),
      on: [],
      then: () => ready({ type: "summer-pavilion.place", star, slot, colour, wilds }),
    }),
  );
  return oneOf(words.ask.payment, options);
}

/** The colours that are wild, round by round. */
const WILDS = ["purple", "green", "orange", "yellow", "blue", "red"];
/** No loss takes a score below it. */
export const MIN_SCORE = 1;

/** What is worth most in the next round: tiles that will be wild, then those of which most are held. */
function best(held: readonly (readonly [string, number])[], most: number, round: number): number[] {
  const worth = ([colour, count]: readonly [string, number]) => (colour === WILDS[round] ? 100 : count);
  let room = most;
  const kept = new Map<string, number>();
  for (const [colour, count] of [...held].sort((one, other) => worth(other) - worth(one))) {
    kept.set(colour, Math.min(room, count));
    room -= kept.get(colour) ?? 0;
  }
  return held.map(([colour]) => kept.get(colour) ?? 0);
}

function keep(
  { hand, most }: Schemas["SummerPavilionPassChoice"],
  position: Position | null,
  seat: number,
  words: Words,
): Step {
  const held = Object.entries(hand).filter(([, count]) => count > 0);
  const all = sum(held.map(([, count]) => count));
  const { round = 0 } = position ?? {};
  const spare = (position?.seats[seat]?.score ?? Infinity) - MIN_SCORE;
  const last = round === WILDS.length;
  return {
    kind: "some",
    ask: held.length ? words.ask.keep(most) : words.ask.passing,
    items: held.map(([colour, count]) => ({
      label: words.colour(colour),
      on: [`#seat_${seat}_hand [data-colour="${colour}"]`],
      look: { symbol: `tile-${colour}` },
      most: count,
    })),
    start: best(held, most, round),
    may: (chosen) => sum(chosen) < most,
    enough: () => true,
    tell: (chosen) => {
      const [kept, rest] = [sum(chosen), all - sum(chosen)];
      const costs = Math.min(spare, rest);
      const later = last ? Math.min(spare - costs, kept) : 0;
      return all ? words.keeping(kept, rest, costs, later) : "";
    },
    then: (chosen) => {
      const kept = held.map(([colour], item) => [colour, chosen[item] ?? 0] as const).filter(([, count]) => count > 0);
      return ready({ type: "summer-pavilion.pass", keep: Object.fromEntries(kept) });
    },
  };
}
