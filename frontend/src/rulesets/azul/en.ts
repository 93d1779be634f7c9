/** English texts of Azul. */
import { plurals } from "../../shared/words/plural";
import { title } from "./title";

const { choose, count } = plurals("en");
const tiles = (number: number) => count(number, "tile", "tiles");
const points = (number: number) => count(number, "point", "points");
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const NO_TOKEN = "The start token is already taken, so the centre costs nothing extra.";

export const en = {
  name: title.en,
  inShort: "Take tiles of one colour, fill your lines, and build a wall. Tiles that touch score more.",
  goal: "Tile a wall: take tiles, collect them in lines, and move one tile from each full line to your wall. Tiles that touch score more. The game ends after a full row of the wall. Most points win.",
  variants: { coloured: "coloured side", grey: "grey side" } as Record<string, string>,
  /** What a score is made of. */
  parts: {
    wall_tiling: "Wall minus floor",
    rows: "Full rows",
    columns: "Full columns",
    colours: "Complete colours",
  } as Record<string, string>,
  line: (line: number | string) => (typeof line === "string" ? "floor line" : `line ${line + 1}`),
  column: (column: number) => `column ${column + 1}`,
  toFloor: (fallen: number): string => `${fallen} to the floor`,
  ask: {
    draft: "Take all tiles of a colour",
    line: (what: string) => `${what}: choose a line`,
    column: (line: number) => `Choose a column for the tile from line ${line + 1}`,
  },
  scoring: {
    at: (colour: string, row: number, column: number) => `${colour}, row ${row + 1}, column ${column + 1}`,
    floor: (spaces: number) => count(spaces, "floor space", "floor spaces"),
    rows: (rows: number) => count(rows, "full row", "full rows"),
    columns: (columns: number) => count(columns, "full column", "full columns"),
    colours: (colours: number) => count(colours, "complete colour", "complete colours"),
  },
  moves: {
    draft: (what: string, line: string | null, fallen: number): string =>
      `took ${what}${line ? ` for ${line}` : ", all to the floor"}${fallen ? `, ${en.toFloor(fallen)}` : ""}`,
    tile: (line: string, column: string) => `moved a tile from ${line} to ${column}`,
  },
  coach: {
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
      `Take ${what} for ${line}: its space on the wall touches another tile. There you score ${points(worth)} instead of 1.`,
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
};
