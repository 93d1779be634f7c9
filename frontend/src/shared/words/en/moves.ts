/** English texts of the log: what a player did, after the player's name. */
import { plurals } from "../plural";

const { count } = plurals("en");
const tiles = (number: number) => count(number, "tile", "tiles");

export const movesEn = {
  draft: (what: string, line: string, fallen: number) =>
    `took ${what} → ${line}${fallen ? `, ${fallen} to the floor` : ""}`,
  tile: (line: string, column: string) => `moved a tile from ${line} → ${column}`,
  acquire: (what: string, source: string) => `took ${what} from ${source}`,
  place: (colour: string, space: string) => `placed ${colour} → ${space}`,
  bonus: (what: string) => `took ${what} as a bonus`,
  keep: (kept: number, discarded: number) =>
    `passed and kept ${tiles(kept)}${discarded ? `, discarded ${discarded}` : ""}`,
  take: (what: string) => `took ${what}`,
  placeTile: (what: string, space: string) => `placed the ${what} ${space}`,
  placeExpansion: (expansion: string, area: string) => `placed the ${expansion} on ${area}`,
  buy: (area: string) => `bought an expansion for ${area}`,
  pass: (discarded: number) => (discarded ? `passed and discarded ${count(discarded, "piece", "pieces")}` : "passed"),
};
