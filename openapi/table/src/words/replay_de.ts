/** German: looking back at a game. */
import type { replayEn } from "./replay_en";

export const replayDe: typeof replayEn = {
  steps: "Spiel durchgehen",
  first: "Zum Anfang",
  previous: "Einen Schritt zurück",
  next: "Einen Schritt weiter",
  last: "Zum Ende",
  play: "Abspielen",
  stop: "Anhalten",
  at: (step, steps) => `${step} von ${steps}`,
  keys: "Pfeiltasten, Pos1 und Ende tun dasselbe.",
  played: "wurde gespielt",
  best: "wäre am besten gewesen",
  ending: (seat, percent) => `${seat}: ${percent} %`,
  chances: "Gewinnchancen",
  curve: (names) => `Gewinnchancen von Entscheidung zu Entscheidung: ${names}`,
  costs: (percent) => (percent ? `−${percent} %` : "weniger als 1 %"),
  lost: (percent, points) => `${percent} Gewinnchance, ${points} Punkte`,
  clean: "Niemand hat einen nennenswerten Fehler gemacht.",
  again: "Noch einmal besprechen",
};
