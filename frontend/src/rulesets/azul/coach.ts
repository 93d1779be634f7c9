/** Azul: fill a line, the centre, what falls, a line that was begun, and, once tiles lie on the wall, neighbours. */
import type { Schemas } from "azul-games-client";
import { best, fromCentre, type Lesson, type Moment, SEAT } from "../base/lesson";
import { sum } from "../base/steps";
import { type Outcome, outcomeOf } from "./guide";
import type { Words } from "./words";

type Colour = Schemas["AzulColour"];
type Here = Moment<Schemas["AzulChoices"], Schemas["AzulPosition"], Words>;

const COLOURS: readonly Colour[] = ["blue", "yellow", "red", "black", "white"];

/** A move: where it leads, and how its line stood before. */
interface Move extends Outcome {
  draft: Schemas["AzulDraftChoice"];
  line: number;
  before: number;
}

function moves({ choices, position, seat }: Here): Move[] {
  return choices.draft.flatMap((draft) =>
    draft.lines.flatMap((line) => {
      const outcome = outcomeOf(draft, line, position, seat);
      const before = position.seats[seat]?.pattern_lines[Number(line)]?.count;
      return outcome && typeof line === "number" && before !== undefined ? [{ ...outcome, draft, line, before }] : [];
    }),
  );
}

const left = ({ line, before, placed }: Move): number => line + 1 - before - placed;
const isClean = ({ fallen, token }: Move): boolean => fallen === 0 && !token;

const told = (move: Move | null, text: (move: Move) => string) =>
  move && {
    text: text(move),
    action: {
      type: "azul.draft" as const,
      source: move.draft.source,
      colour: move.draft.colour,
      line: move.line as Schemas["AzulDestination"],
    },
  };

/** Points of the tile that this line would bring, as the wall is now. */
function points({ draft, line }: Move, wall: Schemas["AzulBoard"]["wall"]): number {
  const column = (COLOURS.indexOf(draft.colour) + line) % COLOURS.length;
  const run = (down: number, across: number): number => {
    let length = 0;
    while (wall[line + down * (length + 1)]?.[column + across * (length + 1)]) length++;
    return length;
  };
  const [rows, columns] = [run(1, 0) + run(-1, 0), run(0, 1) + run(0, -1)];
  return (rows && rows + 1) + (columns && columns + 1) || 1;
}

const what = ({ words }: Here, { draft }: Move): string => words.from(words.colour(draft.colour), draft.source);

export const lesson: Lesson<Schemas["AzulChoices"], Schemas["AzulPosition"], Words> = {
  seed: 4,
  topics: [
    {
      name: "fill",
      of: (here) =>
        told(
          best(
            moves(here).filter(
              (move) => move.draft.source !== "centre" && move.before === 0 && left(move) === 0 && isClean(move),
            ),
            ({ placed }) => placed,
          ),
          (move) => here.words.coach.fill(what(here, move), move.placed, here.words.line(move.line)),
        ),
      done: ({ effects }) => effects.some((each) => each.type === "azul.tiles_placed" && each.count === each.line + 1),
    },
    {
      name: "centre",
      of: (here) =>
        told(
          best(
            moves(here).filter(({ draft, fallen }) => draft.source === "centre" && fallen === 0),
            (move) => move.placed - left(move) / 2,
          ),
          (move) =>
            here.words.coach.centre(what(here, move), here.words.line(move.line), move.token ? -move.points : null),
        ),
      done: fromCentre,
    },
    {
      name: "floor",
      of: (here) => {
        const all = moves(here);
        const trap = best(
          all.filter(({ fallen, token, points }) => fallen > 0 && !token && points < 0),
          ({ fallen }) => fallen,
        );
        const { coach } = here.words;
        return (
          trap &&
          told(
            best(all.filter(isClean), (move) => move.placed - left(move)),
            (move) =>
              coach.floor(what(here, trap), here.words.line(trap.line), trap.fallen, -trap.points) +
              ` ${coach.instead(what(here, move), here.words.line(move.line))}`,
          )
        );
      },
      done: ({ effects }) => effects.every(({ type }) => type !== "azul.tiles_fallen"),
    },
    {
      name: "begun",
      of: (here) =>
        told(
          best(
            moves(here).filter((move) => move.before > 0 && isClean(move)),
            (move) => move.placed - 2 * left(move),
          ),
          (move) =>
            here.words.coach.begun(
              what(here, move),
              here.words.line(move.line),
              move.before,
              move.line + 1,
              left(move),
            ),
        ),
    },
    {
      name: "neighbours",
      of: (here) => {
        const wall = here.position.seats[here.seat]?.wall ?? [];
        const worth = (move: Move) => points(move, wall);
        return told(
          best(
            moves(here).filter((move) => isClean(move) && worth(move) > 1),
            (move) => worth(move) - 2 * left(move),
          ),
          (move) => here.words.coach.neighbours(what(here, move), here.words.line(move.line), worth(move)),
        );
      },
    },
  ],
  free: ({ position, words }) => {
    const lying = [position.centre, ...position.factories].map((tiles) => sum(Object.values(tiles)));
    return words.coach.free(sum(lying));
  },
  told: (effect, { events, own, position, words, name }) => {
    const { coach } = words;
    const isOver = events.some(({ effects }) => effects.some(({ type }) => type === "azul.round_ended"));
    if (effect.type === "azul.start_token_taken") return !isOver && coach.token(name);
    if (effect.type === "azul.tiles_fallen") return own && !isOver && coach.fell(effect.count);
    if (effect.type === "azul.tiles_placed") {
      const { count = 0, capacity = 0 } = position.seats[effect.seat]?.pattern_lines[effect.line] ?? {};
      return own && !isOver && coach.placed(words.line(effect.line), count, capacity);
    }
    if (effect.type !== "azul.round_ended") return false;
    const scored = (type: string) =>
      events
        .flatMap(({ effects }) => effects)
        .flatMap((each) => (each.type === type && "points" in each && each.seat === SEAT ? each.points : []));
    return coach.scored(effect.round, scored("azul.tile_placed"), -sum(scored("azul.floor_penalty")));
  },
};
