/** Queen's Garden: taking, placing and its price, neighbours, expansions, the wheel, passing. */
import type { Schemas } from "azul-games-client";
import { best, type Lesson, type Moment } from "../base/lesson";
import { counted, valueName } from "./log";
import { DIRECTIONS, placeOf } from "./places";
import type { Words } from "./words";

type Choices = Schemas["QueensGardenChoices"];
type Position = Schemas["QueensGardenPosition"];
type Here = Moment<Choices, Position, Words>;
type Hexagon = Schemas["QueensGardenHexagon"];
type Axis = Schemas["QueensGardenAcquireChoice"];

/** What the standard side's wheel shows, round by round. */
const WHEEL = [
  ["tree", "blue", "dark_green"],
  ["bird", "butterfly", "dark_purple"],
  ["flower", "yellow", "light_purple"],
  ["plant", "bellflower", "light_green"],
];
const NOTHING = { tiles: [], expansions: [], jokers: 0 };

interface Placing {
  hexagon: Hexagon;
  space: readonly number[];
  /** Pieces that it costs besides itself. */
  more: number;
  /** The hexagon of the garden beside it that shares the colour or the pattern. */
  beside: Hexagon | null;
}

function placings({ choices, position, seat }: Here): Placing[] {
  const garden = new Map(position.seats[seat]?.garden.map(({ hexagon, space }) => [space.join(), hexagon]));
  return choices.place_tile.flatMap(({ hexagon, spaces, payment }) =>
    spaces.map((space) => {
      const [q = 0, r = 0] = space;
      const near = DIRECTIONS.flatMap(([alongQ, alongR]) => garden.get(`${q + alongQ},${r + alongR}`) ?? []);
      const beside = near.find(({ colour, pattern }) => colour === hexagon.colour || pattern === hexagon.pattern);
      return { hexagon, space, more: payment.pieces, beside: beside ?? null };
    }),
  );
}

const shownIn = ({ round }: Position): readonly string[] => WHEEL[round - 1] ?? [];

const isOnWheel = ({ position }: Here, { colour, pattern }: Hexagon): boolean => {
  const shown = shownIn(position);
  return shown.includes(colour) || shown.includes(pattern);
};

function place(here: Here, all: readonly Placing[], text: (placing: Placing, what: string, where: string) => string) {
  const { words } = here;
  const placing = best(all, ({ hexagon, more }) => Number(isOnWheel(here, hexagon)) - more);
  if (!placing) return null;
  const { hexagon, space } = placing;
  return {
    text: text(placing, words.hexagon(hexagon), words.space(placeOf(space))),
    action: { type: "queens-garden.place_tile" as const, hexagon, space: [...space], payment: NOTHING },
  };
}

function take(axis: Axis | null, text: (axis: Axis) => string) {
  if (!axis) return null;
  const pieces = axis.pieces.flatMap(({ hexagon, sources }) =>
    sources.slice(0, 1).map((source) => ({ ...source, hexagon })),
  );
  return {
    text: text(axis),
    action: { type: "queens-garden.acquire" as const, by: axis.by, value: axis.value, pieces },
  };
}

const hasExpansion = ({ pieces }: Axis): boolean =>
  pieces.some(({ sources }) => sources.some(({ kind }) => kind === "expansion"));

export const lesson: Lesson<Choices, Position, Words> = {
  seed: 30,
  topics: [
    {
      name: "take",
      of: (here) =>
        take(
          best(here.choices.acquire, ({ pieces }) => pieces.length),
          (axis) => here.words.coach.take(here.words.all(axis.value), axis.pieces.length),
        ),
      done: "alike",
    },
    {
      name: "place",
      of: (here) => place(here, placings(here), ({ more }, what, where) => here.words.coach.place(what, where, more)),
      done: "alike",
    },
    {
      name: "beside",
      of: (here) =>
        place(
          here,
          placings(here).filter(({ beside }) => beside !== null),
          ({ hexagon, beside }, what, where) =>
            here.words.coach.beside(
              what,
              where,
              hexagon.colour === beside?.colour
                ? here.words.colour(hexagon.colour)
                : (here.words.patterns[hexagon.pattern] ?? ""),
              here.words.hexagon(beside as Hexagon),
            ),
        ),
    },
    {
      name: "expansion",
      of: (here) => {
        const { choices, position, seat, words } = here;
        const { coach } = words;
        const [axis = null] = choices.acquire.filter(hasExpansion);
        if (axis) return take(axis, (each) => coach.takeExpansion(words.all(each.value)));
        const [area] = choices.buy_expansion;
        if (area === undefined) return null;
        return {
          text: coach.buy(words.area(area), position.seats[seat]?.score ?? 0),
          action: { type: "queens-garden.buy_expansion", area },
        };
      },
    },
    {
      name: "pass",
      of: ({ choices, position, taught, words }) => {
        const more = choices.acquire.length + choices.place_tile.length;
        if (taught.length < 4 && more > 0) return null;
        return {
          text: words.coach.pass(
            position.marker === "display",
            shownIn(position).map((each) => valueName(each, words)),
          ),
          action: { type: "queens-garden.pass", discard: { tiles: [], expansions: [] } },
        };
      },
    },
  ],
  free: ({ choices, words }) => words.coach.free(choices.tile_spaces),
  told: (effect, { own, words, name }) => {
    const { coach } = words;
    switch (effect.type) {
      case "queens-garden.pieces_acquired":
        return own && coach.took(effect.pieces.length);
      case "queens-garden.tile_placed":
      case "queens-garden.expansion_placed": {
        const { tiles, expansions, jokers } = effect.payment;
        return own && coach.paid(words.hexagon(effect.hexagon), tiles.length + expansions.length, jokers);
      }
      case "queens-garden.expansion_bought":
        return own && coach.bought(-effect.points);
      case "queens-garden.jokers_gained":
        return own && coach.jokers(effect.jokers);
      case "queens-garden.marker_taken":
        return coach.marker(name, -effect.points);
      case "queens-garden.round_scored": {
        return name === null && coach.scored(counted(effect, words), effect.points);
      }
      default:
        return false;
    }
  },
};
