/** German texts of Queen's Garden. */
import { WORDS } from "../../shared/words";
import { plurals } from "../../shared/words/plural";
import type { en } from "./en";
import { title } from "./title";

const { count } = plurals("de");
const tiles = (number: number) => count(number, "Fliese", "Fliesen");
const points = (number: number) => count(number, "Punkt", "Punkte");
const pieces = (number: number) => count(number, "Teil", "Teile");
const paying = (others: number) => (others ? ` (${count(others, "weiteres Teil", "weitere Teile")} bezahlen)` : "");
const has = (name: string | null) => (name ? `${name} hat` : "Du hast");
const starts = (name: string | null) => `${name ? "beginnt" : "beginnst"} die nächste Runde`;
const ROTATIONS = ["rechts", "rechts unten", "links unten", "links", "links oben", "rechts oben"];

export const de: typeof en = {
  name: title.de,
  inShort: "Sammle Teile nach Farbe oder Motiv und lege einen Garten, der mit jeder Erweiterung wächst.",
  goal: "Du legst rund um einen Brunnen einen Garten aus Sechsecken an. Jedes hat eine Farbe und ein Motiv, und beides zählt: Nachbarn müssen zusammenpassen, und am Ende bringen Gruppen Punkte. Die meisten Punkte nach vier Runden gewinnen.",
  variants: { standard: "Standardseite", reverse: "Rückseite" },
  /** What a score is made of. */
  parts: {
    rounds: "Runden",
    storage: "Lager",
    groups: "Gruppen",
  },
  sureness: {
    any: "Einige Regeln haben wir nach bestem Wissen ausgelegt.",
    reverse: "Die Punkte dieser Seite sind rekonstruiert, und einige Regeln haben wir nach bestem Wissen ausgelegt.",
  },
  /** Parts of the picture that need an explanation. */
  legend: [
    [
      "Rad",
      "Zeigt, was nach jeder der vier Runden zählt. Jedes Viertel nennt Farben und Motive und die Punkte für jedes passende Sechseck in deinem Garten. Das Viertel mit dem hellen Rand ist die aktuelle Runde. Der Pavillon daneben zählt in jeder Runde: Jede offene Erweiterung bringt Punkte.",
    ],
    [
      "Stapel (×)",
      "Die Erweiterungen dieser Runde, obenauf vier Fliesen. Nimmt jemand von oben, kommt diese Erweiterung mit einer Nummer neben den Stapel.",
    ],
    ["Stapel (Zahl)", "Erweiterungen für die nächsten Runden."],
    ["Vorrat", "Verdeckte Erweiterungen, die du mit Punkten kaufen kannst."],
    ["Beutel", "Fliesen, die noch nicht gezogen wurden."],
    ["Turm", "Bezahlte und abgeworfene Fliesen. Ist der Beutel leer, kommen sie wieder hinein."],
  ],
  patterns: {
    tree: "Baum",
    bird: "Vogel",
    butterfly: "Schmetterling",
    flower: "Blume",
    plant: "Pflanze",
    bellflower: "Glockenblume",
  },
  patternsAll: {
    tree: "Bäume",
    bird: "Vögel",
    butterfly: "Schmetterlinge",
    flower: "Blumen",
    plant: "Pflanzen",
    bellflower: "Glockenblumen",
  },
  hexagon: ({ colour, pattern }) => `${de.patterns[pattern] ?? pattern} in ${WORDS.de.colour(colour)}`,
  all: (value) => (de.patternsAll[value] ? `alle ${de.patternsAll[value]}` : `alles in ${WORDS.de.colour(value)}`),
  allOf: (value, pieces) => `${de.all(value).replace("a", "A")} nehmen (${pieces})`,
  placeTile: (what, others) => `${what} legen${paying(others)}`,
  placeExpansion: (what, others) => `Erweiterung mit ${what} legen${paying(others)}`,
  space: ({ area, at }) => {
    if (area === null) return `an den Brunnen, ${ROTATIONS[at ?? 0]}`;
    return `auf ${de.area(area)}, ${at === null ? "Mitte" : ROTATIONS[at]}`;
  },
  area: (area) => `Bereich ${area + 1}`,
  rotation: (rotation) => ROTATIONS[rotation] ?? "",
  roundPoints: (points) => `${WORDS.de.choosing.points(points)} in dieser Runde`,
  jokers: (number) => count(number, "Joker", "Joker"),
  buy: (area) => `Erweiterung für ${area} kaufen`,
  piece: (kind, what) => (kind === "expansion" ? `Erweiterung mit ${what}` : what),
  pieceOf: (kind, from) =>
    `${kind === "expansion" ? "die Erweiterung" : "eine Fliese"} ${from === "top" ? "vom Stapel" : `von Erweiterung ${Number(from.split("_")[1]) + 1}`}`,
  joker: "Joker",
  ask: {
    garden: "Nimm Teile, lege eins, kaufe eine Erweiterung oder passe",
    which: (what) => `Davon gibt es mehrere. Welches Teil? (${what})`,
    space: "Wähle ein Feld",
    area: "Wähle einen Bereich",
    rotation: "Wohin zeigt das aufgedruckte Sechseck?",
    pay: (what, pieces) => `Bezahle noch ${count(pieces, "Teil", "Teile")} für: ${what}`,
    discard: "Wirf Teile ab oder behalte alle",
    passing: "Passen? Du hast nichts zu behalten oder abzuwerfen.",
  },
  scoring: {
    garden: "Garten",
    shown: (what, hexagons) => `${what} × ${hexagons}`,
    pavilions: (pavilions) => count(pavilions, "Pavillon", "Pavillons"),
    storage: (values, jokers) => `übrig: Teile im Wert von ${values}` + (jokers ? `, ${jokers} Joker` : ""),
    groups: (groups) => `Gruppen: ${groups}`,
  },
  moves: {
    take: (what) => `nahm ${what}`,
    placeTile: (what, space) => `legte die Fliese ${what} ${space}`,
    placeExpansion: (expansion, area) => `legte die ${expansion} auf ${area}`,
    buy: (area) => `kaufte eine Erweiterung für ${area}`,
    pass: (discarded) => (discarded ? `passte und warf ${count(discarded, "Teil", "Teile")} ab` : "passte"),
  },
  coach: {
    take: (what, number) =>
      `Nimm ${what}: ${pieces(number)}. Du nennst eine Farbe oder ein Motiv und bekommst von jedem passenden Sechseck eines.`,
    place: (what, where, more) =>
      `Lege die Fliese ${what} ${where}. Das Motiv kostet ${pieces(more + 1)}: ${
        more
          ? `die Fliese selbst und ${more} weitere mit gleicher Farbe oder gleichem Motiv, oder Joker.`
          : "nur die Fliese selbst."
      }`,
    beside: (what, where, shared, other) =>
      `Lege die Fliese ${what} ${where}, neben ${other} (gemeinsam: ${shared}). Ein Nachbar muss passen, und am Ende zählen Gruppen ab drei.`,
    takeExpansion: (what) =>
      `Eine Erweiterung liegt offen: Nimm ${what}. In deinem Garten gibt sie dir fünf freie Felder.`,
    buy: (area, score) =>
      `Dein Garten braucht Platz. Kaufe eine Erweiterung für ${area}: Sie kostet 6 deiner ${points(score)} und gibt dir sieben Felder.`,
    pass: (first, shown) =>
      `Passe und behalte deine Teile.${first ? " Wer zuerst passt, verliert einen Punkt, beginnt aber die nächste Runde." : ""} Haben alle gepasst, wertet das Rad deinen Garten: ${shown.join(", ")}.`,
    free: (spaces) =>
      `Jetzt entscheidest du: Nimm Teile zum Bezahlen oder lege eins. Du hast noch Platz für ${tiles(spaces)}.`,
    took: (number) => `Du hast ${pieces(number)} genommen.`,
    paid: (what, others, paid) => {
      const payment = [others && pieces(others), paid && `${paid} Joker`].filter(Boolean).join(" und ");
      return `Du hast ${what} gelegt${payment && `, für ${payment}`}.`;
    },
    bought: (costs) => `Du hast für ${points(costs)} eine Erweiterung gekauft.`,
    jokers: (number) => `Du hast Brunnen, Bank, Statue oder Pavillon umbaut und bekommst ${number} Joker.`,
    marker: (name, costs) => `${has(name)} für ${points(costs)} zuerst gepasst und ${starts(name)}.`,
    scored: (counted, score) =>
      `Die Runde ist vorbei. Dein Garten brachte ${points(score)}${counted.length ? ` (${counted.join(", ")})` : ""}.`,
  },
};
