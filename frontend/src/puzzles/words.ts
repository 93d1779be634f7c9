/** The texts of the pages with puzzles, in every language. */
import { usePageContext } from "../shared/context";
import type { Language } from "../shared/words";
import { puzzlesDe } from "./words/de";
import { puzzlesEn } from "./words/en";

export type PuzzleWords = typeof puzzlesEn;
export const PUZZLE_WORDS: Record<Language, PuzzleWords> = { en: puzzlesEn, de: puzzlesDe };

export const usePuzzleWords = (): PuzzleWords => PUZZLE_WORDS[usePageContext().words.lang];
