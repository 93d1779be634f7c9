/** German texts of the log: what a player did, after the player's name. */
import type { movesEn } from "../en/moves";
import { plurals } from "../plural";

const { count } = plurals("de");
const tiles = (number: number) => count(number, "Fliese", "Fliesen");

export const movesDe: typeof movesEn = {
  draft: (what, line, fallen) => `nahm ${what} → ${line}${fallen ? `, ${fallen} auf den Boden` : ""}`,
  tile: (line, column) => `legte eine Fliese aus ${line} → ${column}`,
  acquire: (what, source) => `nahm ${what} ${source}`,
  place: (colour, space) => `legte ${colour} → ${space}`,
  bonus: (what) => `nahm ${what} als Bonus`,
  keep: (kept, discarded) => `passte und behielt ${tiles(kept)}${discarded ? `, warf ${discarded} ab` : ""}`,
  take: (what) => `nahm ${what}`,
  placeTile: (what, space) => `legte die Fliese ${what} ${space}`,
  placeExpansion: (expansion, area) => `legte die ${expansion} auf ${area}`,
  buy: (area) => `kaufte eine Erweiterung für ${area}`,
  pass: (discarded) => (discarded ? `passte und warf ${count(discarded, "Teil", "Teile")} ab` : "passte"),
};
