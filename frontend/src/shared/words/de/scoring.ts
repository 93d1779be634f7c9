/** German texts for scoring, the score sheet, whose turn it is, and sounds. */
import type { Losers, scoringEn } from "../en/scoring";
import { minus, plurals } from "../plural";

const { choose, count, list } = plurals("de");

const have = (losers: Losers): string =>
  typeof losers === "object"
    ? `${losers.name} hat`
    : { you: "Du hast", opponent: "Dein Gegner hat", others: "Die anderen haben" }[losers];

export const scoringDe: typeof scoringEn = {
  round: (round) => `Runde ${round}`,
  end: "Ende",
  limited: (what, whole, points, least) =>
    `${what}: ${minus(whole)}, begrenzt auf ${minus(points)} (der Punktestand sinkt nicht unter ${least})`,
  skip: "Überspringen",
  counting: "Die letzten Punkte werden gezählt.",
  sheet: "Wertungsblatt",
  total: "Summe",
  from: "Punkte für",
  wins: (names) =>
    names.length > 0 ? `${list(names)} ${choose(names.length, "hat", "haben")} gewonnen` : "Niemand hat gewonnen",
  winBy: (points) => `mit ${count(points, "Punkt", "Punkten")} Vorsprung`,
  level: "nach der Regel für Gleichstand",
  shared: "und teilen sich den ersten Platz",
  reasons: {
    resignation: (losers) => `${have(losers)} aufgegeben.`,
    timeout: (losers) => `${have(losers)} die Zeit überschritten.`,
    adjudication: () => "Die Turnierleitung hat das Ergebnis festgelegt.",
    failure: (losers) => `${have(losers)} nicht mehr reagiert.`,
  },
  decided: {
    always: (name) => `${name} lag nach jeder Runde vorn.`,
    round: (name, round) => `${name} lag ab Runde ${round} vorn.`,
    end: (name, behind) =>
      behind > 0
        ? `Die Schlusswertung hat entschieden: Davor lag ${name} ${count(behind, "Punkt", "Punkte")} zurück.`
        : "Die Schlusswertung hat entschieden: Davor stand es unentschieden.",
  },
  close: "Ergebnis schließen",
  open: "Ergebnis",
  game: "Spielverlauf und Chat",
  curve: "Punkte nach Runden",
  curveOf: (name, points) => `${name}: ${points}`,
  share: "Ergebnis teilen",
  titleTurn: (game) => `● Du bist dran – ${game}`,
  titleOf: (text, game) => `${text} – ${game}`,
  moves: (name) => `${name} zieht …`,
  preferences: "Einstellungen",
  contrast: "Tisch mit hohem Kontrast",
  sound: "Soundeffekte",
  motion: "Fliesen animieren",
  confirm: "Jeden Zug bestätigen",
  stillness: "Auf deinem Gerät sind Bewegungen reduziert, deshalb sind Animationen aus.",
};
