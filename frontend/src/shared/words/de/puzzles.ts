/** German texts about puzzles on other pages. */
import type { puzzlesEn } from "../en/puzzles";
import { plurals } from "../plural";

const { count } = plurals("de");

export const puzzlesDe: typeof puzzlesEn = {
  title: "Rätsel",
  daily: "Rätsel des Tages",
  find: "Finde den besten Zug",
  solvedBy: (solved, attempts) =>
    attempts
      ? `${solved} von ${count(attempts, "Person hat", "Personen haben")} es gelöst`
      : "Noch hat es niemand versucht.",
  mistakes: "Deine Fehler",
  learn: (mistakes) => `Aus ${mistakes === 1 ? "deinem Fehler" : `deinen ${mistakes} Fehlern`} lernen`,
};
