/**
 * Steps of a move in Azul: a colour of a source, then a line. On the grey side also a column for each complete line.
 */
import type { Schemas } from "@azul-games/client";
import { chooseOne, type Option, type Preview, readyStep, type Step } from "../base/steps";
import type { Words } from "./words";

type Draft = Schemas["AzulDraftChoice"];
type Position = Schemas["AzulPosition"];

/** Points by the number of occupied floor spaces. */
export const FLOOR_POINTS = [0, -1, -2, -4, -6, -8, -11, -14];

export function guide(choices: Schemas["AzulChoices"], position: Position | null, seat: number, words: Words): Step {
  if (choices.tile) {
    const { line, columns } = choices.tile;
    const options = columns.map((column) => ({
      label: words.column(column),
      selectors: [`#seat_${seat}_wall_${line}_${column}`],
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
  const options = draft.lines.map((line): Option => {
    const outcome = position && outcomeOf(draft, line, position, seat);
    const fallen = line === "floor" ? 0 : outcome?.fallen;
    const notes = [fallen && words.toFloor(fallen), outcome?.points && words.pointsLost(outcome.points)].filter(
      Boolean,
    );
    return {
      label: words.line(line) + (notes.length ? ` (${notes.join(", ")})` : ""),
      selectors: [line === "floor" ? `#seat_${seat}_floor` : `#seat_${seat}_line_${line}`],
      ...(outcome && { preview: previewOf(outcome, seat, words) }),
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
  /** The change of the floor line's points, at most 0. */
  points: number;
}

/** Return the outcome of taking these tiles to a line, or null for an unknown position. */
export function outcomeOf(
  { source, colour }: Draft,
  line: number | string,
  position: Position,
  seat: number,
): Outcome | null {
  const board = position.seats[seat];
  const tiles = tilesAt(source, position);
  if (!board || !tiles) return null;
  const count = tiles[colour] ?? 0;
  const pattern = typeof line === "number" ? board.pattern_lines[line] : undefined;
  const placed = pattern ? Math.min(count, pattern.capacity - pattern.count) : 0;
  const token = source === "centre" && position.start_token === "centre";
  const before = board.floor_line.length;
  const after = Math.min(FLOOR_POINTS.length - 1, before + count - placed + Number(token));
  const points = (FLOOR_POINTS[after] ?? 0) - (FLOOR_POINTS[before] ?? 0);
  return { line, symbol: `tile-${colour}`, placed, fallen: count - placed, token, points };
}

function previewOf({ line, symbol, placed, fallen, token, points }: Outcome, seat: number, words: Words): Preview {
  const floor = `#seat_${seat}_floor`;
  return {
    fills: [
      { selector: `#seat_${seat}_line_${line}`, symbol, count: placed },
      { selector: floor, symbol: "start-token", count: Number(token) },
      { selector: floor, symbol, count: fallen },
    ],
    ...(points && { note: { selector: floor, text: words.pointsLost(points) } }),
  };
}
