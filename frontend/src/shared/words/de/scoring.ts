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
  at: (colour, row, column) => `${colour}, Reihe ${row + 1}, Spalte ${column + 1}`,
  floor: (spaces) => count(spaces, "Bodenfeld", "Bodenfelder"),
  rows: (rows) => count(rows, "volle Reihe", "volle Reihen"),
  columns: (columns) => count(columns, "volle Spalte", "volle Spalten"),
  colours: (colours) => count(colours, "vollständige Farbe", "vollständige Farben"),
  stars: (colours) => `vollständige Sterne: ${colours}`,
  numbers: (numbers) => `alle Felder mit ${numbers}`,
  leftover: (tiles) => count(tiles, "Fliese übrig", "Fliesen übrig"),
  garden: "Garten",
  shown: (what, hexagons) => `${what} × ${hexagons}`,
  pavilions: (pavilions) => count(pavilions, "Pavillon", "Pavillons"),
  storage: (values, jokers) => `übrig: Teile im Wert von ${values}` + (jokers ? `, ${jokers} Joker` : ""),
  groups: (groups) => `Gruppen: ${groups}`,
  limited: (what, whole, points, least) =>
    `${what}: ${minus(whole)}, begrenzt auf ${minus(points)} (der Punktestand sinkt nicht unter ${least})`,
  skip: "Überspringen",
  sheet: "Wertungsblatt",
  parts: {
    wall_tiling: "Wand minus Boden",
    rows: "Volle Reihen",
    columns: "Volle Spalten",
    colours: "Vollständige Farben",
    rounds: "Runden",
    stars: "Vollständige Sterne",
    numbers: "Zahlen",
    leftover: "Übrig",
    storage: "Lager",
    groups: "Gruppen",
  },
  total: "Summe",
  from: "Punkte für",
  wins: (names) => `${list(names)} ${choose(names.length, "hat", "haben")} gewonnen`,
  winBy: (points) => `mit ${count(points, "Punkt", "Punkten")} Vorsprung`,
  level: "nach der Regel für Gleichstand",
  shared: "und teilen sich den ersten Platz",
  reasons: {
    resignation: (losers) => `${have(losers)} aufgegeben.`,
    timeout: (losers) => `${have(losers)} die Zeit überschritten.`,
    failure: (losers) => `${have(losers)} nicht mehr reagiert.`,
  },
  curve: "Punkte nach Runden",
  curveOf: (name, points) => `${name}: ${points}`,
  share: "Ergebnis teilen",
  titleTurn: (game) => `● Du bist dran – ${game}`,
  titleOf: (text, game) => `${text} – ${game}`,
  moves: (name) => `${name} zieht …`,
  manner: "Ton und Animation",
  sound: "Soundeffekte",
  motion: "Fliesen animieren",
  stillness: "Auf deinem Gerät sind Bewegungen reduziert, deshalb sind Animationen aus.",
};
