/**
 * Steps of a move in Azul: a colour of a source, then a line. On the grey side also a column for each complete line.
 */
import type { Schemas } from "@azul-games/client";
import { chooseOne, type Option, type Preview, readyStep, scoredOption, type Step } from "../base/steps";
import type { Words } from "./words";

type Draft = Schemas["AzulDraftChoice"];
type Line = Schemas["AzulLineChoice"];
type Position = Schemas["AzulPosition"];

export function guide(choices: Schemas["AzulChoices"], position: Position | null, seat: number, words: Words): Step {
  if (choices.tile) {
    const { line, columns } = choices.tile;
    const options = columns.map(({ column, points }) => ({
      ...scoredOption(words.column(column), `#seat_${seat}_wall_${line}_${column}`, [words.choosing.points(points)]),
      next: () => readyStep({ type: "azul.tile", line, column }),
    }));
    return chooseOne(words.ask.column(line), options, "ask");
  }
  const options = choices.draft.map((draft) => ({
    label: takenTiles(draft, position, words),
    selectors: [`#${draft.source} [data-colour="${draft.colour}"]`],
    look: { symbol: `tile-${draft.colour}` },
    isDraggable: true,
    next: () => lineStep(draft, position, seat, words),
  }));
  return chooseOne(words.ask.draft, options, "ask");
}

/** Return the tiles of a draft and their source in words. */
function takenTiles({ source, colour }: Draft, position: Position | null, words: Words): string {
  const count = position && tilesAt(source, position)?.[colour];
  return words.from(count ? words.tiles(count, words.colour(colour)) : words.colour(colour), source);
}

const tilesAt = (source: string, position: Position) =>
  source === "centre" ? position.centre : position.factories[Number(source.split("_")[1])];

function lineStep(draft: Draft, position: Position | null, seat: number, words: Words): Step {
  const { source, colour } = draft;
  const options = draft.lines.map((choice): Option => {
    const { line } = choice;
    const outcome = position && outcomeOf(draft, choice, position, seat);
    const place = `#seat_${seat}_${line === "floor" ? line : `line_${line}`}`;
    const notes = [
      { selector: place, points: outcome?.isComplete ? choice.tile_points : 0 },
      { selector: `#seat_${seat}_floor`, points: choice.floor_points },
    ]
      .filter(({ points }) => points)
      .map(({ selector, points }) => ({ selector, text: words.choosing.points(points) }));
    const fallen = line === "floor" ? 0 : outcome?.fallen;
    const details = [fallen ? words.toFloor(fallen) : "", ...notes.map(({ text }) => text)];
    return {
      label: [words.line(line), details.filter(Boolean).join(", ")].filter(Boolean).join(": "),
      selectors: [place],
      preview: { fills: outcome ? fillsOf(outcome, seat) : [], notes },
      next: () => readyStep({ type: "azul.draft", source, colour, line }),
    };
  });
  return chooseOne(words.ask.line(takenTiles(draft, position, words)), options, "ask");
}

export interface Outcome {
  line: number | string;
  symbol: string;
  /** Tiles that fit into the pattern line. */
  placed: number;
  /** Tiles that fall to the floor, and whether the start token lies there before them. */
  fallen: number;
  token: boolean;
  /** Whether the pattern line is complete afterwards. */
  isComplete: boolean;
}

/** Return the outcome of taking these tiles to a line, or null for an unknown position. */
export function outcomeOf({ source, colour }: Draft, { line }: Line, position: Position, seat: number): Outcome | null {
  const board = position.seats[seat];
  const tiles = tilesAt(source, position);
  if (!board || !tiles) return null;
  const count = tiles[colour] ?? 0;
  const pattern = typeof line === "number" ? board.pattern_lines[line] : undefined;
  const placed = pattern ? Math.min(count, pattern.capacity - pattern.count) : 0;
  const token = source === "centre" && position.start_token === "centre";
  const isComplete = pattern?.capacity === (pattern?.count ?? 0) + placed;
  return { line, symbol: `tile-${colour}`, placed, fallen: count - placed, token, isComplete };
}

function fillsOf({ line, symbol, placed, fallen, token }: Outcome, seat: number): Preview["fills"] {
  const floor = `#seat_${seat}_floor`;
  return [
    { selector: `#seat_${seat}_line_${line}`, symbol, count: placed },
    { selector: floor, symbol: "start-token", count: Number(token) },
    { selector: floor, symbol, count: fallen },
  ];
}
