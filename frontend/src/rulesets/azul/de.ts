/** German texts of Azul. */
import { plurals } from "../../shared/words/plural";
import type { en } from "./en";
import { title } from "./title";

const { choose, count } = plurals("de");
const tiles = (number: number) => count(number, "Fliese", "Fliesen");
const points = (number: number) => count(number, "Punkt", "Punkte");
const has = (name: string | null) => (name ? `${name} hat` : "Du hast");
const starts = (name: string | null) => `${name ? "beginnt" : "beginnst"} die nächste Runde`;
const NO_TOKEN = "Der Startstein ist schon weg, also kostet die Mitte nichts extra.";

export const de: typeof en = {
  name: title.de,
  inShort:
    "Nimm Fliesen einer Farbe, fülle deine Reihen und baue eine Wand. Fliesen, die sich berühren, bringen mehr Punkte.",
  goal: "Du fliest eine Wand: Nimm Fliesen und sammle sie in Reihen. Jede volle Reihe bringt eine Fliese an deine Wand, und Nachbarn bringen mehr Punkte. Mit der ersten vollen Zeile der Wand endet das Spiel. Die meisten Punkte gewinnen.",
  variants: { coloured: "bunte Seite", grey: "graue Seite" },
  /** What a score is made of. */
  parts: {
    wall_tiling: "Wand minus Boden",
    rows: "Volle Reihen",
    columns: "Volle Spalten",
    colours: "Vollständige Farben",
  },
  line: (line) => (typeof line === "string" ? "Bodenreihe" : `Reihe ${line + 1}`),
  column: (column) => `Spalte ${column + 1}`,
  toFloor: (fallen) => `${fallen} auf den Boden`,
  ask: {
    draft: "Nimm alle Fliesen einer Farbe",
    line: (what) => `${what}: Wähle eine Reihe`,
    column: (line) => `Wähle eine Spalte für die Fliese aus Reihe ${line + 1}`,
  },
  scoring: {
    at: (colour, row, column) => `${colour}, Reihe ${row + 1}, Spalte ${column + 1}`,
    floor: (spaces) => count(spaces, "Bodenfeld", "Bodenfelder"),
    rows: (rows) => count(rows, "volle Reihe", "volle Reihen"),
    columns: (columns) => count(columns, "volle Spalte", "volle Spalten"),
    colours: (colours) => count(colours, "vollständige Farbe", "vollständige Farben"),
  },
  moves: {
    draft: (what, line, fallen) =>
      `nahm ${what}${line ? ` für ${line}` : ", alles auf den Boden"}${fallen ? `, ${de.toFloor(fallen)}` : ""}`,
    tile: (line, column) => `legte eine Fliese aus ${line} in ${column}`,
  },
  coach: {
    fill: (what, number, line) =>
      `Nimm ${what} für ${line}: Mit ${tiles(number)} ist sie genau voll. Du bekommst alle Fliesen dieser Farbe, die übrigen der Manufaktur kommen in die Mitte.`,
    centre: (what, line, costs) =>
      `Nimm ${what} für ${line}. ${
        costs === null
          ? NO_TOKEN
          : `Wer zuerst aus der Mitte nimmt, bekommt den Startstein: Er kostet in der Bodenreihe ${points(costs)}, aber du beginnst die nächste Runde.`
      }`,
    floor: (what, line, fallen, costs) =>
      `Besser nicht ${what} für ${line}: ${tiles(fallen)} ${choose(fallen, "würde", "würden")} zu Boden fallen und ${points(costs)} kosten.`,
    instead: (what, line) => `Nimm lieber ${what} für ${line}, dann fällt nichts.`,
    begun: (what, line, before, capacity, left) =>
      `In deiner ${line} liegen ${before} von ${tiles(capacity)}. Nimm dazu ${what}${left ? "" : ", dann ist sie voll"}. Nur volle Reihen bringen eine Fliese auf die Wand, die anderen warten.`,
    neighbours: (what, line, worth) =>
      `Nimm ${what} für ${line}: Das Feld auf der Wand grenzt an eine andere Fliese. Dort bekommst du ${points(worth)} statt 1.`,
    free: (left) =>
      `Jetzt entscheidest du. Noch ${count(left, "Fliese ist", "Fliesen sind")} zu haben; nach der letzten zählen volle Reihen.`,
    placed: (line, placed, capacity) => `In ${line} liegen jetzt ${placed} von ${tiles(capacity)}.`,
    fell: (fallen) =>
      `${tiles(fallen)} ${choose(fallen, "ist", "sind")} zu Boden gefallen. Das kostet am Ende der Runde Punkte.`,
    token: (name) => `${has(name)} den Startstein genommen und ${starts(name)}.`,
    scored: (round, placed, penalty) =>
      `Runde ${round} ist vorbei. ${placed.length ? `Deine vollen Reihen brachten auf der Wand ${placed.join(" + ")}` : "Du hattest keine volle Reihe"}${penalty ? `, und deine Bodenreihe kostete ${points(penalty)}` : ""}.`,
  },
};
