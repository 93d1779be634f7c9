/** German texts about who is watching a game. */
import type { presenceEn } from "../en/presence";
import { plurals } from "../plural";

const { count } = plurals("de");

export const presenceDe: typeof presenceEn = {
  here: "online",
  watching: (viewers) => count(viewers, "schaut zu", "schauen zu"),
  guests: (guests) => count(guests, "Gast", "Gäste"),
  unseen: "Anonym zuschauen",
  unseenNote: "Andere sehen, dass jemand zuschaut, aber nicht, wer.",
};
