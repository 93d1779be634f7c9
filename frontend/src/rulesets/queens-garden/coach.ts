/** Topics of Queen's Garden: take, place and pay, build next to other tiles, expansions, pass. */
import type { Schemas } from "@azul-games/client";
import { type LearnerTurn, type Lesson, maxBy } from "../base/lesson";
import { scoredTexts, valueName } from "./log";
import { DIRECTIONS, placeOf } from "./places";
import type { Words } from "./words";

type Choices = Schemas["QueensGardenChoices"];
type Position = Schemas["QueensGardenPosition"];
type Turn = LearnerTurn<Choices, Position, Words>;
type Hexagon = Schemas["QueensGardenHexagon"];
type Axis = Schemas["QueensGardenAcquireChoice"];

/** Values on the wheel of the standard side, by round. */
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
  /** Additional pieces to pay. */
  price: number;
  /** An adjacent hexagon of the same colour or pattern. */
  neighbour: Hexagon | null;
}

function placings({ choices, position, seat }: Turn): Placing[] {
  const garden = new Map(position.seats[seat]?.garden.map(({ hexagon, space }) => [space.join(), hexagon]));
  return choices.place_tile.flatMap(({ hexagon, spaces, payment }) =>
    spaces.map(({ space }) => {
      const [q = 0, r = 0] = space;
      const near = DIRECTIONS.flatMap(([alongQ, alongR]) => garden.get(`${q + alongQ},${r + alongR}`) ?? []);
      const neighbour = near.find(({ colour, pattern }) => colour === hexagon.colour || pattern === hexagon.pattern);
      return { hexagon, space, price: payment.pieces, neighbour: neighbour ?? null };
    }),
  );
}

const shownOnWheel = ({ round }: Position): readonly string[] => WHEEL[round - 1] ?? [];

const isOnWheel = ({ position }: Turn, { colour, pattern }: Hexagon): boolean => {
  const shown = shownOnWheel(position);
  return shown.includes(colour) || shown.includes(pattern);
};

function placeAdvice(
  turn: Turn,
  options: readonly Placing[],
  text: (placing: Placing, what: string, where: string) => string,
) {
  const { words } = turn;
  const placing = maxBy(options, ({ hexagon, price }) => Number(isOnWheel(turn, hexagon)) - price);
  if (!placing) return null;
  const { hexagon, space } = placing;
  return {
    text: text(placing, words.hexagon(hexagon), words.space(placeOf(space))),
    action: { type: "queens-garden.place_tile" as const, hexagon, space: [...space], payment: NOTHING },
  };
}

function takeAdvice(axis: Axis | null, text: (axis: Axis) => string) {
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
  topics: [
    {
      name: "take",
      advise: (turn) =>
        takeAdvice(
          maxBy(turn.choices.acquire, ({ pieces }) => pieces.length),
          (axis) => turn.words.coach.take(turn.words.all(axis.value), axis.pieces.length),
        ),
      acceptedIf: "alike",
    },
    {
      name: "place",
      advise: (turn) =>
        placeAdvice(turn, placings(turn), ({ price }, what, where) => turn.words.coach.place(what, where, price)),
      acceptedIf: "alike",
    },
    {
      name: "beside",
      advise: (turn) =>
        placeAdvice(
          turn,
          placings(turn).filter(({ neighbour }) => neighbour !== null),
          ({ hexagon, neighbour }, what, where) =>
            turn.words.coach.beside(
              what,
              where,
              hexagon.colour === neighbour?.colour
                ? turn.words.colour(hexagon.colour)
                : (turn.words.patterns[hexagon.pattern] ?? ""),
              turn.words.hexagon(neighbour as Hexagon),
            ),
        ),
    },
    {
      name: "expansion",
      advise: (turn) => {
        const { choices, position, seat, words } = turn;
        const { coach } = words;
        const [axis = null] = choices.acquire.filter(hasExpansion);
        if (axis) return takeAdvice(axis, (each) => coach.takeExpansion(words.all(each.value)));
        const [bought] = choices.buy_expansion;
        if (!bought) return null;
        return {
          text: coach.buy(words.area(bought.area), position.seats[seat]?.score ?? 0),
          action: { type: "queens-garden.buy_expansion", area: bought.area },
        };
      },
    },
    {
      name: "pass",
      advise: ({ choices, position, taught, words }) => {
        const more = choices.acquire.length + choices.place_tile.length;
        if (taught.length < 4 && more > 0) return null;
        return {
          text: words.coach.pass(
            position.marker === "display",
            shownOnWheel(position).map((each) => valueName(each, words)),
          ),
          action: { type: "queens-garden.pass", discard: { tiles: [], expansions: [] } },
        };
      },
    },
  ],
  freeAdvice: ({ choices, words }) => words.coach.free(choices.tile_spaces),
  explain: (effect, { isOwnDecision, words, name }) => {
    const { coach } = words;
    switch (effect.type) {
      case "queens-garden.pieces_acquired":
        return isOwnDecision && coach.took(effect.pieces.length);
      case "queens-garden.tile_placed":
      case "queens-garden.expansion_placed": {
        const { tiles, expansions, jokers } = effect.payment;
        return isOwnDecision && coach.paid(words.hexagon(effect.hexagon), tiles.length + expansions.length, jokers);
      }
      case "queens-garden.expansion_bought":
        return isOwnDecision && coach.bought(-effect.points);
      case "queens-garden.jokers_gained":
        return isOwnDecision && coach.jokers(effect.jokers);
      case "queens-garden.marker_taken":
        return coach.marker(name, -effect.points);
      case "queens-garden.round_scored": {
        return name === null && coach.scored(scoredTexts(effect, words), effect.points);
      }
      default:
        return false;
    }
  },
};
