/** All that the table says by itself, in every language. What happened and what is refused is told by the service. */
import { de } from "./words/de";
import { en, type Words } from "./words/en";

export type { Words };
export type Language = "en" | "de";
export const WORDS: Record<Language, Words> = { en, de };
