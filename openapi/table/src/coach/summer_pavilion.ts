/** Summer Pavilion: the wild tile that comes along, the centre, placing, runs, passing, and that what is wild changes. */
import type { Schemas } from "azul-games-client";
import { sum } from "../guide/steps";
import { best, effectsOf, type Lesson, type Moment } from "./lesson";

type Choices = Schemas["SummerPavilionChoices"];
type Position = Schemas["SummerPavilionPosition"];
type Here = Moment<Choices, Position>;
type Colour = Schemas["SummerPavilionColour"];

interface Taking {
  source: Schemas["SummerPavilionSource"];
  colour: Colour;
  count: number;
  /** Whether a wild tile comes along. */
  wild: boolean;
}

function takings({ choices, position }: Here): Taking[] {
  return choices.acquire.flatMap(({ source, colours }) => {
    const tiles = source === "centre" ? position.centre : position.factories[Number(source.split("_")[1])];
    return colours.map((colour) => {
      const isWild = colour === position.wild;
      const wild = !isWild && position.wild !== null && (tiles?.[position.wild] ?? 0) > 0;
      return { source, colour, count: isWild ? 1 : (tiles?.[colour] ?? 0), wild };
    });
  });
}

const take = (taking: Taking | null, text: (taking: Taking) => string) =>
  taking && {
    text: text(taking),
    action: { type: "summer-pavilion.acquire" as const, source: taking.source, colour: taking.colour },
  };

const what = ({ words }: Here, { colour, source }: Taking): string => words.from(words.colour(colour), source);

interface Placing {
  star: Schemas["SummerPavilionStarPlace"];
  slot: number;
  number: number;
  colour: Colour;
  wilds: number;
  /** Points, which are the tiles of its run. */
  run: number;
}

function placings({ choices, position, seat }: Here): Placing[] {
  return choices.place.flatMap(({ star, slot, number, colours }) => {
    const tiles = position.seats[seat]?.stars[star] ?? [];
    let run = 1;
    for (const step of [1, 5])
      // once around the ring in either direction
      for (let at = (slot - 1 + step) % 6; tiles[at] && run < 6; at = (at + step) % 6) run++;
    return colours.map(({ colour, fewest_wilds }) => ({ star, slot, number, colour, wilds: fewest_wilds, run }));
  });
}

const place = (placing: Placing | null, text: (placing: Placing) => string) => {
  if (!placing) return null;
  const { star, slot, colour, wilds } = placing;
  return { text: text(placing), action: { type: "summer-pavilion.place" as const, star, slot, colour, wilds } };
};

const handOf = ({ position, seat }: Here): number => sum(Object.values(position.seats[seat]?.hand ?? {}));

/** Tiles with which a colour can be paid. */
const payable = ({ position, seat }: Here, colour: Colour): number => {
  const hand = position.seats[seat]?.hand;
  const own = hand?.[colour] ?? 0;
  return position.wild === null || position.wild === colour ? own : own + (hand?.[position.wild] ?? 0);
};

export const summerPavilionLesson: Lesson<Choices, Position> = {
  seed: 3,
  topics: [
    {
      name: "wild",
      of: (here) =>
        take(
          best(
            takings(here).filter(({ wild, source }) => wild && source !== "centre"),
            ({ count }) => count,
          ),
          (taking) =>
            here.words.coach.pavilion.wild(
              what(here, taking),
              taking.count,
              here.words.colour(here.position.wild ?? ""),
            ),
        ),
      done: (event) =>
        effectsOf([event], "summer-pavilion.tiles_acquired").some(({ wilds, count }) => wilds > 0 && count > 1),
    },
    {
      name: "centre",
      of: (here) => {
        const token = here.position.start_token === "centre";
        const spare = (here.position.seats[here.seat]?.score ?? 1) - 1;
        const size = ({ count, wild }: Taking) => count + Number(wild);
        return take(
          best(
            takings(here).filter(({ source }) => source === "centre"),
            (taking) => (token ? -1 : 1) * size(taking),
          ),
          (taking) =>
            here.words.coach.pavilion.centre(
              what(here, taking),
              size(taking),
              token ? Math.min(spare, size(taking)) : null,
            ),
        );
      },
      done: ({ action }) => action.type === "summer-pavilion.acquire" && action.source === "centre",
    },
    {
      name: "place",
      of: (here) => {
        const all = placings(here);
        const goesOn = (one: Placing) =>
          all.some(
            (other) =>
              other.star === one.star &&
              other.colour === one.colour &&
              [1, 5].includes((other.slot - one.slot + 6) % 6) &&
              one.number + other.number <= payable(here, one.colour),
          );
        return place(
          best(all, (each) => (goesOn(each) ? 10 : 0) + (each.number > 1 ? 5 : 0) - each.number),
          ({ star, slot, number, colour }) =>
            here.words.coach.pavilion.place(here.words.slot(star, slot, number), number, here.words.colour(colour)),
        );
      },
      done: ({ action }) => action.type === "summer-pavilion.place",
    },
    {
      name: "beside",
      of: (here) =>
        place(
          best(
            placings(here).filter(({ run }) => run > 1),
            ({ run, number }) => 10 * run - number,
          ),
          ({ star, slot, number, run }) => here.words.coach.pavilion.beside(here.words.slot(star, slot, number), run),
        ),
      done: (event) => effectsOf([event], "summer-pavilion.tile_placed").some(({ points }) => points > 1),
    },
    {
      name: "pass",
      of: (here) => {
        const { choices, position, seat, taught, words } = here;
        if (!choices.pass || !taught.includes("place")) return null;
        const held = handOf(here);
        if (held > choices.pass.most && choices.place.length > 0) return null;
        const spare = (position.seats[seat]?.score ?? 1) - 1;
        const lost = Math.min(spare, Math.max(0, held - choices.pass.most));
        return {
          text: words.coach.pavilion.pass(choices.pass.most, held, lost),
          action: { type: "summer-pavilion.pass", keep: {} },
        };
      },
      done: ({ action }) => action.type === "summer-pavilion.pass",
    },
    {
      name: "newWild",
      of: (here) =>
        here.position.round < 2
          ? null
          : take(
              best(takings(here), ({ count, wild }) => count + 2 * Number(wild)),
              (taking) =>
                here.words.coach.pavilion.newWild(here.words.colour(here.position.wild ?? ""), what(here, taking)),
            ),
    },
  ],
  free: ({ choices, position, seat, words }) => {
    const { pavilion } = words.coach;
    if (choices.take_bonus.length) return pavilion.bonus;
    const lying = sum([position.centre, ...position.factories].map((tiles) => sum(Object.values(tiles))));
    if (choices.acquire.length) return pavilion.gather(lying);
    return pavilion.placeOn(sum(Object.values(position.seats[seat]?.hand ?? {})), choices.pass?.most ?? 0);
  },
  told: ({ events, position, seat, words, name }) => {
    const { pavilion } = words.coach;
    const said: string[] = [];
    for (const { count, wilds } of effectsOf(events.slice(0, 1), "summer-pavilion.tiles_acquired"))
      said.push(pavilion.taken(count, wilds));
    for (const { points } of effectsOf(events.slice(0, 1), "summer-pavilion.tile_placed"))
      said.push(pavilion.placed(points));
    for (const passed of effectsOf(events.slice(0, 1), "summer-pavilion.passed"))
      said.push(pavilion.passed(sum(Object.values(passed.kept)), sum(Object.values(passed.discarded)), -passed.points));
    for (const surrounded of effectsOf(events, "summer-pavilion.feature_surrounded"))
      if (surrounded.seat === seat) said.push(pavilion.surrounded(surrounded.tiles));
    for (const token of effectsOf(events, "summer-pavilion.start_token_taken"))
      said.push(
        token.seat === seat ? pavilion.tokenMine(-token.points) : pavilion.token(name(token.seat), -token.points),
      );
    for (const began of effectsOf(events, "summer-pavilion.play_began"))
      said.push(pavilion.playBegan(began.seat === seat ? null : name(began.seat)));
    for (const { round } of effectsOf(events, "summer-pavilion.round_ended"))
      said.push(pavilion.roundEnded(round, words.colour(position.wild ?? "")));
    return said;
  },
};
