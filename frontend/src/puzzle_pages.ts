/** The lazy chunk with the pages of puzzles. It needs the chunk of a game. */
export { MistakesPage } from "./puzzles/mistakes_page";
export { PuzzlePage } from "./puzzles/puzzle_page";
