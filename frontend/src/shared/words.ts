/** Texts of the table in every language. Errors, hints and the other log entries come translated from the service. */
import { de } from "./words/de";
import { en, type Words } from "./words/en";

export type { Words };
export type Language = "en" | "de";
export const WORDS: Record<Language, Words> = { en, de };
