/** German texts for stepping through a game and its review. */
import type { replayEn } from "../en/replay";

export const replayDe: typeof replayEn = {
  steps: "Spiel durchgehen",
  first: "Zum Anfang",
  previous: "Schritt zurück",
  next: "Schritt vor",
  last: "Zum Ende",
  isFirst: "Das ist der Anfang des Spiels.",
  isLast: "Das ist der letzte Schritt.",
  play: "Abspielen",
  stop: "Anhalten",
  at: (step, steps) => `${step} von ${steps}`,
  keys: "Du kannst auch die Pfeiltasten, Pos1 und Ende verwenden.",
  chances: "Gewinnchancen",
  curve: (names) => `Gewinnchancen nach jedem Zug: ${names}`,
  costs: (percent) => (percent ? `−${percent} %` : "weniger als 1 %"),
  clean: "Keine nennenswerten Fehler.",
};
