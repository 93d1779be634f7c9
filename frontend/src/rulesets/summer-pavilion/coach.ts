/** Topics of Summer Pavilion: wild tiles, the centre, placing, runs, passing. */
import type { Schemas } from "@azul-games/client";
import { isFromCentre, type LearnerTurn, type Lesson, maxBy } from "../base/lesson";
import { sum, total } from "../base/steps";
import { type TakeOption, takeOptions } from "./guide";
import type { Words } from "./words";

type Choices = Schemas["SummerPavilionChoices"];
type Position = Schemas["SummerPavilionPosition"];
type Turn = LearnerTurn<Choices, Position, Words>;
type Colour = Schemas["SummerPavilionColour"];

const takeAdvice = (taking: TakeOption | null, text: (taking: TakeOption) => string) =>
  taking && {
    text: text(taking),
    action: { type: "summer-pavilion.acquire" as const, source: taking.source, colour: taking.colour },
  };

const tilesText = ({ words }: Turn, { colour, source }: TakeOption): string => words.from(words.colour(colour), source);

interface Placing {
  star: Schemas["SummerPavilionStarPlace"];
  slot: number;
  number: number;
  colour: Colour;
  wilds: number;
  points: number;
}

const placings = ({ choices }: Turn): Placing[] =>
  choices.place.flatMap(({ star, slot, number, points, colours }) =>
    colours.map(({ colour, fewest_wilds }) => ({ star, slot, number, colour, wilds: fewest_wilds, points })),
  );

const placeAdvice = (placing: Placing | null, text: (placing: Placing) => string) => {
  if (!placing) return null;
  const { star, slot, colour, wilds } = placing;
  return { text: text(placing), action: { type: "summer-pavilion.place" as const, star, slot, colour, wilds } };
};

const spaceOf = ({ position, words }: Turn, star: string, slot: number, number: number): string =>
  words.slot(words.starSpace(star, slot, position.variant), number);

const handSize = ({ position, seat }: Turn): number => total(position.seats[seat]?.hand ?? {});

export const lesson: Lesson<Choices, Position, Words> = {
  topics: [
    {
      name: "wild",
      advise: (turn) =>
        takeAdvice(
          maxBy(
            takeOptions(turn.choices, turn.position).filter(({ withWild, source }) => withWild && source !== "centre"),
            ({ count }) => count,
          ),
          (taking) =>
            turn.words.coach.wild(tilesText(turn, taking), taking.count, turn.words.colour(turn.position.wild ?? "")),
        ),
      acceptedIf: ({ effects }) =>
        effects.some((each) => each.type === "summer-pavilion.tiles_acquired" && each.wilds > 0 && each.count > 1),
    },
    {
      name: "centre",
      advise: (turn) => {
        const token = turn.position.start_token === "centre";
        const size = ({ count, withWild }: TakeOption) => count + Number(withWild);
        return takeAdvice(
          maxBy(
            takeOptions(turn.choices, turn.position).filter(({ source }) => source === "centre"),
            (taking) => (token ? -1 : 1) * size(taking),
          ),
          (taking) => turn.words.coach.centre(tilesText(turn, taking), size(taking), token ? -taking.points : null),
        );
      },
      acceptedIf: isFromCentre,
    },
    {
      name: "place",
      advise: (turn) =>
        placeAdvice(
          maxBy(
            placings(turn), // prefer a 2 of the most frequent colour: the spaces 1 and 3 next to it may follow
            ({ number, colour }) => (turn.position.seats[turn.seat]?.hand[colour] ?? 0) - 10 * Math.abs(number - 2),
          ),
          ({ star, slot, number, colour }) =>
            turn.words.coach.place(spaceOf(turn, star, slot, number), number, turn.words.colour(colour)),
        ),
      acceptedIf: "alike",
    },
    {
      name: "beside",
      advise: (turn) =>
        placeAdvice(
          maxBy(
            placings(turn).filter(({ points }) => points > 1),
            ({ points, number }) => 10 * points - number,
          ),
          ({ star, slot, number, points }) => turn.words.coach.beside(spaceOf(turn, star, slot, number), points),
        ),
      acceptedIf: ({ effects }) =>
        effects.some((each) => each.type === "summer-pavilion.tile_placed" && each.points > 1),
    },
    {
      name: "pass",
      advise: (turn) => {
        const { choices, position, seat, taught, words } = turn;
        if (!choices.pass || !taught.includes("place")) return null;
        const held = handSize(turn);
        if (held > choices.pass.most && choices.place.length > 0) return null;
        const spare = (position.seats[seat]?.score ?? 1) - 1;
        const lost = Math.min(spare, Math.max(0, held - choices.pass.most));
        return {
          text: words.coach.pass(choices.pass.most, held, lost),
          action: { type: "summer-pavilion.pass", keep: {} },
        };
      },
    },
  ],
  freeAdvice: ({ choices, position, seat, words }) => {
    const { coach } = words;
    if (choices.take_bonus.length) return words.ask.bonus;
    const lying = sum([position.centre, ...position.factories].map(total));
    if (choices.acquire.length) return coach.gather(lying);
    return coach.placeOn(total(position.seats[seat]?.hand ?? {}), choices.pass?.most ?? 0);
  },
  explain: (effect, { isOwnDecision, position, words, name }) => {
    const { coach } = words;
    switch (effect.type) {
      case "summer-pavilion.tiles_acquired":
        return isOwnDecision && coach.taken(effect.count, effect.wilds);
      case "summer-pavilion.tile_placed":
        return isOwnDecision && coach.placed(effect.points);
      case "summer-pavilion.passed":
        return isOwnDecision && coach.passed(total(effect.kept), total(effect.discarded), -effect.points);
      case "summer-pavilion.bonus_owed":
        return isOwnDecision && coach.surrounded(effect.tiles);
      case "summer-pavilion.start_token_taken":
        return coach.token(name, -effect.points);
      case "summer-pavilion.round_ended":
        return coach.roundEnded(effect.round, words.colour(position.wild ?? ""));
      default:
        return false;
    }
  },
};
