/** Queen's Garden: taking, placing and its price, neighbours, expansions, the wheel, passing. */
import type { Schemas } from "azul-games-client";
import { DIRECTIONS, placeOf } from "../guide/queens_garden_places";
import { sum } from "../guide/steps";
import { best, effectsOf, type Lesson, type Moment } from "./lesson";

type Choices = Schemas["QueensGardenChoices"];
type Position = Schemas["QueensGardenPosition"];
type Here = Moment<Choices, Position>;
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

const isOnWheel = ({ position }: Here, { colour, pattern }: Hexagon): boolean => {
  const shown = WHEEL[position.round - 1] ?? [];
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

const valueOf = ({ words }: Here, { value }: Axis): string => words.patternsAll[value] ?? words.colour(value);

export const queensGardenLesson: Lesson<Choices, Position> = {
  seed: 30,
  topics: [
    {
      name: "take",
      of: (here) =>
        take(
          best(here.choices.acquire, ({ pieces }) => pieces.length),
          (axis) => here.words.coach.garden.take(valueOf(here, axis), axis.pieces.length),
        ),
      done: (event) => event.action.type === "queens-garden.acquire",
    },
    {
      name: "place",
      of: (here) =>
        place(here, placings(here), ({ more }, what, where) => here.words.coach.garden.place(what, where, more)),
      done: (event) => event.action.type === "queens-garden.place_tile",
    },
    {
      name: "beside",
      of: (here) =>
        place(
          here,
          placings(here).filter(({ beside }) => beside !== null),
          ({ hexagon, beside }, what, where) =>
            here.words.coach.garden.beside(
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
        const { garden } = words.coach;
        const [placed] = choices.place_expansion;
        const [spot] = placed?.placements ?? [];
        if (placed && spot) {
          const { hexagon } = placed;
          const [rotation = 0] = spot.rotations;
          return {
            text: garden.placeExpansion(words.hexagon(hexagon), placed.payment.pieces),
            action: { type: "queens-garden.place_expansion", hexagon, area: spot.area, rotation, payment: NOTHING },
          };
        }
        const [axis = null] = choices.acquire.filter(hasExpansion);
        if (axis) return take(axis, (each) => garden.takeExpansion(valueOf(here, each)));
        const [area] = choices.buy_expansion;
        if (area === undefined) return null;
        return {
          text: garden.buy(words.area(area), position.seats[seat]?.score ?? 0),
          action: { type: "queens-garden.buy_expansion", area },
        };
      },
      done: ({ action }) =>
        action.type === "queens-garden.place_expansion" ||
        action.type === "queens-garden.buy_expansion" ||
        (action.type === "queens-garden.acquire" && action.pieces.some(({ kind }) => kind === "expansion")),
    },
    {
      name: "wheel",
      of: (here) => {
        const shown = (WHEEL[here.position.round - 1] ?? []).map(
          (each) => here.words.patternsAll[each] ?? here.words.colour(each),
        );
        return place(
          here,
          placings(here).filter(({ hexagon }) => isOnWheel(here, hexagon)),
          (_, what) => here.words.coach.garden.wheel(shown, what),
        );
      },
    },
    {
      name: "pass",
      of: ({ choices, position, taught, words }) => {
        const more = choices.acquire.length + choices.place_tile.length;
        if (taught.length < 4 && more > 0) return null;
        return {
          text: words.coach.garden.pass(position.marker === "display"),
          action: { type: "queens-garden.pass", discard: { tiles: [], expansions: [] } },
        };
      },
      done: ({ action }) => action.type === "queens-garden.pass",
    },
  ],
  free: ({ choices, words }) => words.coach.garden.free(choices.tile_spaces),
  told: ({ events, seat, words, name }) => {
    const { garden } = words.coach;
    const said: string[] = [];
    const own = events.slice(0, 1);
    for (const { pieces } of effectsOf(own, "queens-garden.pieces_acquired")) said.push(garden.took(pieces.length));
    for (const { hexagon, payment } of effectsOf(own, "queens-garden.tile_placed")) {
      const { tiles, expansions, jokers } = payment;
      said.push(garden.paid(words.hexagon(hexagon), tiles.length + expansions.length, jokers));
    }
    for (const { payment } of effectsOf(own, "queens-garden.expansion_placed"))
      said.push(garden.expanded(payment.tiles.length + payment.expansions.length + payment.jokers));
    for (const { points } of effectsOf(own, "queens-garden.expansion_bought")) said.push(garden.bought(-points));
    for (const gained of effectsOf(own, "queens-garden.jokers_gained")) said.push(garden.jokers(gained.jokers));
    for (const passed of effectsOf(own, "queens-garden.passed")) said.push(garden.passed(-passed.points));
    for (const marker of effectsOf(events, "queens-garden.marker_taken"))
      said.push(marker.seat === seat ? garden.markerMine(-marker.points) : garden.marker(name(marker.seat)));
    const turned = sum(effectsOf(events, "queens-garden.expansions_turned").map(({ expansions }) => expansions.length));
    const [ended] = effectsOf(events, "queens-garden.round_ended");
    if (turned > 0 && !ended) said.push(garden.turned(turned));
    for (const { seat: whose, shown, pavilions, points } of effectsOf(events, "queens-garden.round_scored")) {
      if (whose !== seat || !ended) continue;
      const counted = shown
        .filter((each) => each.points > 0)
        .map((each) => words.scoring.shown(words.patternsAll[each.shown] ?? words.colour(each.shown), each.hexagons));
      if (pavilions > 0) counted.push(words.scoring.pavilions(pavilions));
      said.push(garden.scored(ended.round, counted, points));
    }
    return said;
  },
};
