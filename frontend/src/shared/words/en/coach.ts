/** English texts of the lesson in a first game. */
import { plurals } from "../plural";

const { choose, count } = plurals("en");
const tiles = (number: number) => count(number, "tile", "tiles");
const points = (number: number) => count(number, "point", "points");
const pieces = (number: number) => count(number, "piece", "pieces");
const jokers = (number: number) => count(number, "joker", "jokers");
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const NO_TOKEN = "The start token is already taken, so the centre costs nothing extra.";

export const coachEn = {
  learn: "Learn by playing",
  developers: "For developers",
  lesson: "Lesson",
  move: (move: number, most: number) => `move ${move} of ${most}`,
  end: "End lesson",
  again: "Resume lesson",
  playOn: "Keep playing",
  enough: "You know the basics now. Enjoy the game!",
  right: "Exactly!",
  other: "You chose a different move. That's fine.",
  meant: "suggested by the coach",
  azul: {
    fill: (what: string, number: number, line: string) =>
      `Take ${what} for ${line}: ${count(number, "tile fills", "tiles fill")} it exactly. You get all tiles of that colour. The factory's other tiles go to the centre.`,
    centre: (what: string, line: string, costs: number | null) =>
      `Take ${what} for ${line}. ${
        costs === null
          ? NO_TOKEN
          : `The first player to take from the centre gets the start token. That player starts the next round but pays ${points(costs)} on the floor line.`
      }`,
    floor: (what: string, line: string, fallen: number, costs: number) =>
      `Avoid ${what} for ${line}: ${tiles(fallen)} would fall to the floor and cost ${points(costs)}.`,
    instead: (what: string, line: string) => `Take ${what} for ${line} instead, and nothing falls.`,
    begun: (what: string, line: string, before: number, capacity: number, left: number) =>
      `Your ${line} has ${before} of ${tiles(capacity)}. Add ${what}${left ? "" : " to complete it"}. Only complete lines move a tile to the wall; the others wait.`,
    neighbours: (what: string, line: string, worth: number) =>
      `Take ${what} for ${line}: its space on the wall touches another tile. On the current wall you score ${points(worth)} instead of 1.`,
    free: (left: number) =>
      `Your choice: ${count(left, "tile is", "tiles are")} left to take. After the last one, complete lines score.`,
    placed: (line: string, placed: number, capacity: number) =>
      `${upper(line)} now has ${placed} of ${tiles(capacity)}.`,
    fell: (fallen: number) =>
      `${tiles(fallen)} fell to the floor and ${choose(fallen, "costs", "cost")} points when the round ends.`,
    token: (name: string | null) => `${name ?? "You"} took the start token and will start the next round.`,
    scored: (round: number, placed: readonly number[], penalty: number) =>
      `Round ${round} is over. ${placed.length ? `Your complete lines scored ${placed.join(" + ")} on the wall` : "You had no complete line"}${penalty ? `, and your floor line cost ${points(penalty)}` : ""}.`,
  },
  pavilion: {
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
  garden: {
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
