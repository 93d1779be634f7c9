/** Texts of every page, in every language. */
import { commonDe } from "./de/common";
import { commonEn } from "./en/common";

export const COMMON_WORDS = { en: commonEn, de: commonDe };
