/** German: who looks at a game. */
import type { presenceEn } from "./presence_en";

export const presenceDe: typeof presenceEn = {
  here: "ist da",
  watching: (count) => (count === 1 ? "1 schaut zu" : `${count} schauen zu`),
  guests: (count) => (count === 1 ? "ein Gast" : `${count} Gäste`),
  unseen: "Ungesehen zuschauen",
  unseenNote: "Andere sehen, dass jemand zuschaut, aber nicht, wer.",
};
