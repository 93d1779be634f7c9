/** English texts about puzzles on other pages. `puzzles/words` contains those of their own pages. */
import { plurals } from "../plural";

const { count } = plurals("en");

export const puzzlesEn = {
  title: "Puzzles",
  daily: "Puzzle of the day",
  find: "Find the best move",
  solvedBy: (solved: number, attempts: number) =>
    attempts ? `Solved by ${solved} of ${count(attempts, "player", "players")}` : "Nobody has tried it yet.",
  mistakes: "Your mistakes",
  learn: (mistakes: number) => `Learn from your ${count(mistakes, "mistake", "mistakes")}`,
};
