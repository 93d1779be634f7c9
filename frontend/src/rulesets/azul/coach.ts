/** Topics of Azul: fill a line, take from the centre, avoid the floor, continue a line, build next to other tiles. */
import type { Schemas } from "@azul-games/client";
import { isFromCentre, LEARNER_SEAT, type LearnerTurn, type Lesson, maxBy } from "../base/lesson";
import { sum } from "../base/steps";
import { type Outcome, outcomeOf } from "./guide";
import type { Words } from "./words";

type Line = Schemas["AzulLineChoice"];
type Turn = LearnerTurn<Schemas["AzulChoices"], Schemas["AzulPosition"], Words>;

/** A move with its outcome, and the number of tiles in its line before. */
interface Move extends Outcome, Omit<Line, "line"> {
  draft: Schemas["AzulDraftChoice"];
  line: number;
  before: number;
}

function moves({ choices, position, seat }: Turn): Move[] {
  return choices.draft.flatMap((draft) =>
    draft.lines.flatMap((choice) => {
      const { line } = choice;
      const outcome = outcomeOf(draft, choice, position, seat);
      const before = position.seats[seat]?.pattern_lines[Number(line)]?.count;
      if (!outcome || typeof line !== "number" || before === undefined) return [];
      return [{ ...outcome, ...choice, draft, line, before }];
    }),
  );
}

const spacesLeft = ({ line, before, placed }: Move): number => line + 1 - before - placed;
const isClean = ({ fallen, token }: Move): boolean => fallen === 0 && !token;

const adviceFor = (move: Move | null, text: (move: Move) => string) =>
  move && {
    text: text(move),
    action: {
      type: "azul.draft" as const,
      source: move.draft.source,
      colour: move.draft.colour,
      line: move.line as Schemas["AzulDestination"],
    },
  };

const tilesText = ({ words }: Turn, { draft }: Move): string => words.from(words.colour(draft.colour), draft.source);

export const lesson: Lesson<Schemas["AzulChoices"], Schemas["AzulPosition"], Words> = {
  topics: [
    {
      name: "fill",
      advise: (turn) =>
        adviceFor(
          maxBy(
            moves(turn).filter(
              (move) => move.draft.source !== "centre" && move.before === 0 && spacesLeft(move) === 0 && isClean(move),
            ),
            ({ placed }) => placed,
          ),
          (move) => turn.words.coach.fill(tilesText(turn, move), move.placed, turn.words.line(move.line)),
        ),
      acceptedIf: ({ effects }) =>
        effects.some((each) => each.type === "azul.tiles_placed" && each.count === each.line + 1),
    },
    {
      name: "centre",
      advise: (turn) =>
        adviceFor(
          maxBy(
            moves(turn).filter(({ draft, fallen }) => draft.source === "centre" && fallen === 0),
            (move) => move.placed - spacesLeft(move) / 2,
          ),
          (move) =>
            turn.words.coach.centre(
              tilesText(turn, move),
              turn.words.line(move.line),
              move.token ? -move.floor_points : null,
            ),
        ),
      acceptedIf: isFromCentre,
    },
    {
      name: "floor",
      advise: (turn) => {
        const all = moves(turn);
        const trap = maxBy(
          all.filter(({ fallen, token, floor_points }) => fallen > 0 && !token && floor_points < 0),
          ({ fallen }) => fallen,
        );
        const { coach } = turn.words;
        return (
          trap &&
          adviceFor(
            maxBy(all.filter(isClean), (move) => move.placed - spacesLeft(move)),
            (move) =>
              coach.floor(tilesText(turn, trap), turn.words.line(trap.line), trap.fallen, -trap.floor_points) +
              ` ${coach.instead(tilesText(turn, move), turn.words.line(move.line))}`,
          )
        );
      },
      acceptedIf: ({ effects }) => effects.every(({ type }) => type !== "azul.tiles_fallen"),
    },
    {
      name: "begun",
      advise: (turn) =>
        adviceFor(
          maxBy(
            moves(turn).filter((move) => move.before > 0 && isClean(move)),
            (move) => move.placed - 2 * spacesLeft(move),
          ),
          (move) =>
            turn.words.coach.begun(
              tilesText(turn, move),
              turn.words.line(move.line),
              move.before,
              move.line + 1,
              spacesLeft(move),
            ),
        ),
    },
    {
      name: "neighbours",
      advise: (turn) =>
        adviceFor(
          maxBy(
            moves(turn).filter((move) => isClean(move) && move.tile_points > 1),
            (move) => move.tile_points - 2 * spacesLeft(move),
          ),
          (move) => turn.words.coach.neighbours(tilesText(turn, move), turn.words.line(move.line), move.tile_points),
        ),
    },
  ],
  freeAdvice: ({ position, words }) => {
    const lying = [position.centre, ...position.factories].map((tiles) => sum(Object.values(tiles)));
    return words.coach.free(sum(lying));
  },
  explain: (effect, { events, isOwnDecision, position, words, name }) => {
    const { coach } = words;
    const isOver = events.some(({ effects }) => effects.some(({ type }) => type === "azul.round_ended"));
    if (effect.type === "azul.start_token_taken") return !isOver && coach.token(name);
    if (effect.type === "azul.tiles_fallen") return isOwnDecision && !isOver && coach.fell(effect.count);
    if (effect.type === "azul.tiles_placed") {
      const { count = 0, capacity = 0 } = position.seats[effect.seat]?.pattern_lines[effect.line] ?? {};
      return isOwnDecision && !isOver && coach.placed(words.line(effect.line), count, capacity);
    }
    if (effect.type !== "azul.round_ended") return false;
    const scored = (type: string) =>
      events
        .flatMap(({ effects }) => effects)
        .flatMap((each) => (each.type === type && "points" in each && each.seat === LEARNER_SEAT ? each.points : []));
    return coach.scored(effect.round, scored("azul.tile_placed"), -sum(scored("azul.floor_penalty")));
  },
};
