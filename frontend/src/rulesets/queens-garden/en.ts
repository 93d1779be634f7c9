/** English texts of Queen's Garden. */
import type { Schemas } from "@azul-games/client";
import { WORDS } from "../../shared/words";
import { plurals } from "../../shared/words/plural";
import type { Place } from "./places";
import { title } from "./title";

const { count } = plurals("en");
const points = (number: number) => count(number, "point", "points");
const pieces = (number: number) => count(number, "piece", "pieces");
const paying = (others: number) => (others ? ` (pay ${count(others, "more piece", "more pieces")})` : "");
const jokers = (number: number) => count(number, "joker", "jokers");
const ROTATIONS = ["right", "lower right", "lower left", "left", "upper left", "upper right"];

type Hexagon = Schemas["QueensGardenHexagon"];

export const en = {
  name: title.en,
  inShort: "Gather pieces by colour or pattern, and lay out a garden that grows with its expansions.",
  goal: "Plant a garden of hexagons around a fountain. Each has a colour and a pattern, and both count: neighbours must match, and groups score at the end. Most points after four rounds win.",
  variants: { standard: "standard side", reverse: "reverse side" } as Record<string, string>,
  /** What a score is made of. */
  parts: {
    rounds: "Rounds",
    storage: "Storage",
    groups: "Groups",
  } as Record<string, string>,
  sureness: {
    any: "A few rules are our best reading.",
    reverse: "The scoring of this side is reconstructed, and a few rules are our best reading.",
  } as Record<string, string>,
  /** Parts of the picture that need an explanation. */
  legend: [
    [
      "Wheel",
      "Shows what scores after each of the four rounds. Each quarter lists colours and patterns, with the points for every matching hexagon in your garden. The quarter with the bright edge is the current round. The pavilion beside it counts in every round: each face-up expansion scores.",
    ],
    [
      "Stack (×)",
      "This round's expansions, with four tiles on top. When someone takes from the top, that expansion moves beside the stack and gets a number.",
    ],
    ["Stacks", "Expansions for the next rounds."],
    ["Supply", "Face-down expansions that you can buy with points."],
    ["Bag", "Tiles that have not been drawn yet."],
    ["Tower", "Tiles that were paid or discarded. They refill the bag when it runs out."],
  ] as [string, string][],
  patterns: {
    tree: "tree",
    bird: "bird",
    butterfly: "butterfly",
    flower: "flower",
    plant: "plant",
    bellflower: "bellflower",
  } as Record<string, string>,
  patternsAll: {
    tree: "trees",
    bird: "birds",
    butterfly: "butterflies",
    flower: "flowers",
    plant: "plants",
    bellflower: "bellflowers",
  } as Record<string, string>,
  hexagon: ({ colour, pattern }: Hexagon): string => `${WORDS.en.colour(colour)} ${en.patterns[pattern] ?? pattern}`,
  all: (value: string): string => `all ${en.patternsAll[value] ?? WORDS.en.colour(value)}`,
  allOf: (value: string, pieces: number): string => `Take ${en.all(value)} (${pieces})`,
  placeTile: (what: string, others: number) => `Place the ${what}${paying(others)}`,
  placeExpansion: (what: string, others: number) => `Place the expansion with the ${what}${paying(others)}`,
  space: ({ area, at }: Place): string => {
    if (area === null) return `beside the fountain, to the ${ROTATIONS[at ?? 0]}`;
    return at === null ? `in the middle of ${en.area(area)}` : `in ${en.area(area)}, to the ${ROTATIONS[at]}`;
  },
  area: (area: number): string => `area ${area + 1}`,
  rotation: (rotation: number) => ROTATIONS[rotation] ?? "",
  roundPoints: (points: number) => `${WORDS.en.choosing.points(points)} this round`,
  jokers: (number: number) => count(number, "joker", "jokers"),
  buy: (area: string) => `Buy an expansion for ${area}`,
  piece: (kind: string, what: string) => (kind === "expansion" ? `expansion with the ${what}` : what),
  pieceOf: (kind: string, from: string) =>
    `${kind === "expansion" ? "the expansion" : "a tile"} ${from === "top" ? "on the stack" : `at expansion ${Number(from.split("_")[1]) + 1}`}`,
  joker: "joker",
  ask: {
    garden: "Take pieces, place one, buy an expansion, or pass",
    which: (what: string) => `There are several. Which ${what}?`,
    space: "Choose a space",
    area: "Choose an area",
    rotation: "Where does the printed hexagon point?",
    pay: (what: string, pieces: number) => `Pay ${count(pieces, "more piece", "more pieces")} for the ${what}`,
    discard: "Discard pieces, or keep them all",
    passing: "Pass? You have nothing to keep or discard.",
  },
  scoring: {
    garden: "garden",
    shown: (what: string, hexagons: number) => `${what} × ${hexagons}`,
    pavilions: (pavilions: number) => count(pavilions, "pavilion", "pavilions"),
    storage: (values: number, jokers: number) =>
      `left over: pieces worth ${values}` + (jokers ? `, ${count(jokers, "joker", "jokers")}` : ""),
    groups: (groups: string) => `groups of ${groups}`,
  },
  moves: {
    take: (what: string) => `took ${what}`,
    placeTile: (what: string, space: string) => `placed the ${what} ${space}`,
    placeExpansion: (expansion: string, area: string) => `placed the ${expansion} on ${area}`,
    buy: (area: string) => `bought an expansion for ${area}`,
    pass: (discarded: number) => (discarded ? `passed and discarded ${count(discarded, "piece", "pieces")}` : "passed"),
  },
  coach: {
    take: (what: string, number: number) =>
      `Take ${what}: ${pieces(number)}. You name a colour or a pattern and get one of each different hexagon that has it.`,
    place: (what: string, where: string, more: number) =>
      `Place the ${what} ${where}. Its pattern costs ${pieces(more + 1)}, ${
        more
          ? `itself included. Pay the other ${more} with the same colour, the same pattern, or jokers.`
          : "and that is the tile itself."
      }`,
    beside: (what: string, where: string, shared: string, other: string) =>
      `Place the ${what} ${where}, next to the ${other} (in common: ${shared}). One neighbour must match, and groups of three or more score at the end.`,
    takeExpansion: (what: string) =>
      `An expansion lies face up: take ${what}. It adds five free spaces to your garden.`,
    buy: (area: string, score: number) =>
      `Your garden needs space. Buy an expansion for ${area}: it costs 6 of your ${points(score)} and adds seven spaces.`,
    pass: (first: boolean, shown: readonly string[]) =>
      `Pass and keep your pieces.${first ? " Passing first costs a point, but you start the next round." : ""} When everyone has passed, the wheel scores your garden: ${shown.join(", ")}.`,
    free: (spaces: number) =>
      `Your choice: take pieces to pay with, or place one. You have room for ${count(spaces, "more tile", "more tiles")}.`,
    took: (number: number) => `You took ${pieces(number)}.`,
    paid: (what: string, others: number, paid: number) => {
      const payment = [others && pieces(others), paid && jokers(paid)].filter(Boolean).join(" and ");
      return `You placed the ${what}${payment && ` for ${payment}`}.`;
    },
    bought: (costs: number) => `You bought an expansion for ${points(costs)}.`,
    jokers: (number: number) => `You surrounded a fountain, bench, statue or pavilion and get ${jokers(number)}.`,
    marker: (name: string | null, costs: number) =>
      `${name ?? "You"} passed first for ${points(costs)} and will start the next round.`,
    scored: (counted: readonly string[], score: number) =>
      `The round is over. Your garden scored ${points(score)}${counted.length ? ` (${counted.join(", ")})` : ""}.`,
  },
};
