/** German texts of the lesson in a first game. */
import type { coachEn } from "../en/coach";
export const coachDe: typeof coachEn = {
  learn: "Spielend lernen",
  developers: "Für Entwickler",
  lesson: "Lektion",
  move: (move, most) => `Zug ${move} von ${most}`,
  end: "Lektion beenden",
  again: "Lektion fortsetzen",
  playOn: "Weiterspielen",
  enough: "Du kennst jetzt die Grundlagen. Viel Spaß!",
  right: "Genau!",
  other: "Du hast einen anderen Zug gewählt. Kein Problem.",
  meant: "Vorschlag des Trainers",
};
