/** The table's texts in every language. The service translates errors, hints and other log entries. */
import { de } from "./words/de";
import { en, type Words } from "./words/en";
import type { commonEn } from "./words/en/common";

export type { Words };
export type CommonWords = typeof commonEn;
export type Language = "en" | "de";
export const WORDS: Record<Language, Words> = { en, de };
