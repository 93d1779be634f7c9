/** The table's texts together with those of this ruleset. */
import { WORDS, type Words as Shared } from "../../shared/words";
import { de } from "./de";
import { en } from "./en";

export type Words = Omit<Shared, keyof typeof en> & typeof en;
export const words: Record<Shared["lang"], Words> = { en: { ...WORDS.en, ...en }, de: { ...WORDS.de, ...de } };
