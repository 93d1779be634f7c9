/** The texts of the admin page in every language. */
import { adminDe } from "./words/de";
import { adminEn } from "./words/en";

export const ADMIN_WORDS = { en: adminEn, de: adminDe };
