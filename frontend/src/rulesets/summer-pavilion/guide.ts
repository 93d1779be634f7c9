/**
 * Steps of a move in Summer Pavilion: a colour of a source; a space, its colour and the payment; or the tiles to keep.
 */
import type { Schemas } from "@azul-games/client";
import { chooseOne, type Option, readyStep, scoredOption, type Step, sum } from "../base/steps";
import type { Words } from "./words";

type Choices = Schemas["SummerPavilionChoices"];
type Position = Schemas["SummerPavilionPosition"];
type Place = Schemas["SummerPavilionPlaceChoice"];
type Colour = Schemas["SummerPavilionColourChoice"];

export interface TakeOption {
  source: Schemas["SummerPavilionSource"];
  colour: Schemas["SummerPavilionColour"];
  /** The number of tiles of the colour, or 0 for an unknown position. */
  count: number;
  /** Whether the player also gets a wild tile. */
  withWild: boolean;
  /** The points for the start token, at most 0. */
  points: number;
}

/** Return what can be taken from the factories and the centre. */
export const takeOptions = ({ acquire }: Choices, position: Position | null): TakeOption[] =>
  acquire.flatMap(({ source, colours }) => {
    const tiles = source === "centre" ? position?.centre : position?.factories[Number(source.split("_")[1])];
    return colours.map(({ colour, points }) => {
      const isWild = colour === position?.wild;
      const withWild = !isWild && position?.wild != null && (tiles?.[position.wild] ?? 0) > 0;
      return { source, colour, count: isWild ? 1 : (tiles?.[colour] ?? 0), withWild, points };
    });
  });

export function guide(choices: Choices, position: Position | null, seat: number, words: Words): Step {
  const acquire = takeOptions(choices, position).map(({ source, colour, count, withWild, points }) => ({
    ...scoredOption(
      words.from(count ? words.tiles(count, words.colour(colour), Number(withWild)) : words.colour(colour), source),
      `#${source} [data-colour="${colour}"]`,
      points ? [words.choosing.points(points)] : [],
    ),
    next: () => readyStep({ type: "summer-pavilion.acquire", source, colour }),
  }));
  const bonus = choices.take_bonus.map((colour) => ({
    label: words.colour(colour),
    selectors: [`#supply [data-colour="${colour}"]`],
    next: () => readyStep({ type: "summer-pavilion.take_bonus", colour }),
  }));
  const place = choices.place.map((space) => ({
    ...scoredOption(
      words.slot(words.starSpace(space.star, space.slot, position?.variant ?? ""), space.number),
      `#seat_${seat}_${space.star}_${space.slot}`,
      [words.choosing.points(space.points), ...(space.bonus ? [words.bonusTiles(space.bonus)] : [])],
    ),
    next: () => colourStep(space, words),
  }));
  const passing: Option[] = choices.pass
    ? [
        {
          label: words.pass,
          selectors: [],
          next: () => keepStep(choices.pass as Schemas["SummerPavilionPassChoice"], position, seat, words),
        },
      ]
    : [];
  const ask = acquire.length ? words.ask.acquire : bonus.length ? words.ask.bonus : words.ask.place;
  return chooseOne(ask, [...acquire, ...bonus, ...place, ...passing], "ask");
}

function colourStep(space: Place, words: Words): Step {
  const options = space.colours.map((colour) => ({
    label: words.colour(colour.colour),
    selectors: [],
    look: { symbol: `tile-${colour.colour}` },
    next: () => paymentStep(space, colour, words),
  }));
  return chooseOne(words.ask.colour, options);
}

function paymentStep({ star, slot, number }: Place, { colour, fewest_wilds, most_wilds }: Colour, words: Words): Step {
  const options = Array.from({ length: most_wilds - fewest_wilds + 1 }, (_, more) => fewest_wilds + more).map(
    (wilds) => ({
      label: words.tiles(number - wilds, words.colour(colour), wilds),
      selectors: [],
      next: () => readyStep({ type: "summer-pavilion.place", star, slot, colour, wilds }),
    }),
  );
  return chooseOne(words.ask.payment, options);
}

/** Wild colours by round. */
const WILDS = ["purple", "green", "orange", "yellow", "blue", "red"];
/** Losses reduce a score at most to this. */
export const MIN_SCORE = 1;

/** Return the default counts to keep: first tiles that will be wild, then the most frequent colours. */
function bestToKeep(hand: readonly (readonly [string, number])[], limit: number, round: number): number[] {
  const worth = ([colour, count]: readonly [string, number]) => (colour === WILDS[round] ? 100 : count);
  let room = limit;
  const kept = new Map<string, number>();
  for (const [colour, count] of [...hand].sort((one, other) => worth(other) - worth(one))) {
    kept.set(colour, Math.min(room, count));
    room -= kept.get(colour) ?? 0;
  }
  return hand.map(([colour]) => kept.get(colour) ?? 0);
}

function keepStep(
  { hand, most }: Schemas["SummerPavilionPassChoice"],
  position: Position | null,
  seat: number,
  words: Words,
): Step {
  const held = Object.entries(hand).filter(([, count]) => count > 0);
  const total = sum(held.map(([, count]) => count));
  const { round = 0 } = position ?? {};
  const maxLoss = (position?.seats[seat]?.score ?? Infinity) - MIN_SCORE;
  const isLastRound = round === WILDS.length;
  return {
    kind: "some",
    question: held.length ? words.ask.keep(most) : words.ask.passing,
    items: held.map(([colour, count]) => ({
      label: words.colour(colour),
      selectors: [`#seat_${seat}_hand [data-colour="${colour}"]`],
      look: { symbol: `tile-${colour}` },
      max: count,
    })),
    start: bestToKeep(held, most, round),
    canAdd: (chosen) => sum(chosen) < most,
    isComplete: () => true,
    describe: (chosen) => {
      const [kept, rest] = [sum(chosen), total - sum(chosen)];
      const costs = Math.min(maxLoss, rest);
      const later = isLastRound ? Math.min(maxLoss - costs, kept) : 0;
      return total ? words.keeping(kept, rest, costs, later) : "";
    },
    next: (chosen) => {
      const kept = held.map(([colour], item) => [colour, chosen[item] ?? 0] as const).filter(([, count]) => count > 0);
      return readyStep({ type: "summer-pavilion.pass", keep: Object.fromEntries(kept) });
    },
  };
}
