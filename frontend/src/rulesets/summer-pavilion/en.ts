/** English texts of Summer Pavilion. */
import { WORDS } from "../../shared/words";
import { plurals } from "../../shared/words/plural";
import { title } from "./title";

const { choose, count } = plurals("en");
const tiles = (number: number) => count(number, "tile", "tiles");
const points = (number: number) => count(number, "point", "points");
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const NO_TOKEN = "The start token is already taken, so the centre costs nothing extra.";

export const en = {
  name: title.en,
  inShort: "Collect tiles and spend them to fill seven stars. Each round, another colour is wild.",
  goal: "Lay the floor of a pavilion: seven stars of six tiles. In every round you collect tiles first, and then pay with them to fill spaces. Tiles that follow one another around a star score more and more. Most points after six rounds win.",
  variants: { coloured: "coloured side", grey: "grey side" } as Record<string, string>,
  /** What a score is made of. */
  parts: {
    rounds: "Rounds",
    stars: "Complete stars",
    numbers: "Numbers",
    leftover: "Left over",
  } as Record<string, string>,
  star: (star: string, variant: string): string =>
    (variant === "grey" && en.starsByPlace[star]) || WORDS.en.colour(star),
  starsByPlace: {
    orange: "upper left",
    red: "upper right",
    blue: "right",
    yellow: "lower right",
    green: "lower left",
    purple: "left",
  } as Record<string, string>,
  starSpace: (star: string, slot: number, variant: string): string => `${en.star(star, variant)} star, space ${slot}`,
  slot: (space: string, price: number): string => `${space} (costs ${price})`,
  bonusTiles: (number: number) => count(number, "bonus tile", "bonus tiles"),
  keeping: (kept: number, rest: number, costs: number, later: number) =>
    [
      `You keep ${kept} and discard ${rest ? `${rest}, which costs ${points(costs)}` : "nothing"}.`,
      later && `At the end, the kept ${choose(kept, "tile costs", "tiles cost")} ${points(later)}.`,
    ]
      .filter(Boolean)
      .join(" "),
  ask: {
    acquire: "Take all tiles of a colour",
    bonus: "Take a bonus tile from the supply",
    place: "Place a tile, or pass",
    colour: "Choose a colour",
    payment: "How do you pay?",
    keep: (most: number) => `Keep up to ${count(most, "tile", "tiles")}`,
    passing: "Pass? You have nothing to keep or discard.",
  },
  scoring: {
    stars: (colours: string) => `complete stars: ${colours}`,
    numbers: (numbers: string) => `all spaces with ${numbers}`,
    leftover: (tiles: number) => count(tiles, "tile left over", "tiles left over"),
  },
  moves: {
    acquire: (what: string, source: string) => `took ${what} from ${source}`,
    place: (colour: string, space: string) => `placed ${colour} on ${space}`,
    bonus: (what: string) => `took ${what} as a bonus`,
    keep: (kept: number, discarded: number) =>
      `passed and kept ${tiles(kept)}${discarded ? `, discarded ${discarded}` : ""}`,
  },
  coach: {
    wild: (what: string, number: number, wild: string) =>
      `Take ${what}: you get ${tiles(number)} plus 1 ${wild}. ${upper(wild)} is wild this round, so you can pay for any colour with it.`,
    centre: (what: string, number: number, costs: number | null) =>
      `Take ${what}: ${tiles(number)}. ${
        costs === null
          ? NO_TOKEN
          : `The first player to take from the centre gets the start token and places first. It costs a point per tile: ${points(costs)}.`
      }`,
    gather: (left: number) =>
      `Collect tiles that go together: a space with a 4 costs 4 tiles. ${count(left, "tile is", "tiles are")} left to take.`,
    place: (where: string, price: number, colour: string) =>
      `Now place a tile: choose the ${where}. You pay ${tiles(price)}, ${colour} or wild, and one of them stays there.`,
    beside: (where: string, run: number) =>
      `Choose the ${where}: it touches tiles of its star. Every tile in the unbroken row scores: ${points(run)}.`,
    placeOn: (held: number, most: number) =>
      `Place more tiles, or pass. You have ${held} and can keep ${most}. Each of the others costs a point.`,
    pass: (most: number, held: number, lost: number) =>
      `Pass: you can keep up to ${tiles(most)} for the next round. Each of the others costs a point. You have ${held}${lost ? `, so you lose ${points(lost)}` : ""}.`,
    taken: (number: number, wilds: number) => `You took ${tiles(number)}${wilds ? `, ${wilds} wild` : ""}.`,
    placed: (scored: number) => `That scored ${points(scored)}.`,
    passed: (kept: number, rest: number, costs: number) =>
      `You kept ${tiles(kept)}${rest ? ` and discarded ${rest} for ${points(costs)}` : ""}.`,
    surrounded: (number: number) =>
      `You surrounded a pillar, statue or window and get ${count(number, "bonus tile", "bonus tiles")}.`,
    token: (name: string | null, costs: number) => `${name ?? "You"} took the start token for ${points(costs)}.`,
    roundEnded: (round: number, wild: string) => `Round ${round} is over. ${upper(wild)} is wild now.`,
  },
};
