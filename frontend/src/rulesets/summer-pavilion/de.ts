/** German texts of Summer Pavilion. */
import { WORDS } from "../../shared/words";
import { plurals } from "../../shared/words/plural";
import type { en } from "./en";
import { title } from "./title";

const { choose, count } = plurals("de");
const tiles = (number: number) => count(number, "Fliese", "Fliesen");
const points = (number: number) => count(number, "Punkt", "Punkte");
const has = (name: string | null) => (name ? `${name} hat` : "Du hast");
const NO_TOKEN = "Der Startstein ist schon weg, also kostet die Mitte nichts extra.";

export const de: typeof en = {
  name: title.de,
  inShort: "Sammle Fliesen und bezahle damit die Felder von sieben Sternen. Jede Runde ist eine andere Farbe Joker.",
  goal: "Du legst den Boden eines Pavillons: sieben Sterne aus je sechs Fliesen. In jeder Runde sammelst du zuerst Fliesen und bezahlst danach Felder damit. Fliesen, die rund um einen Stern aufeinanderfolgen, bringen immer mehr Punkte. Die meisten Punkte nach sechs Runden gewinnen.",
  variants: { coloured: "bunte Seite", grey: "graue Seite" },
  /** What a score is made of. */
  parts: {
    rounds: "Runden",
    stars: "Vollständige Sterne",
    numbers: "Zahlen",
    leftover: "Übrig",
  },
  star: (star, variant) => (variant === "grey" && de.starsByPlace[star]) || WORDS.de.colour(star),
  starsByPlace: {
    orange: "oben links",
    red: "oben rechts",
    blue: "rechts",
    yellow: "unten rechts",
    green: "unten links",
    purple: "links",
  },
  starSpace: (star, slot, variant) => `Stern ${de.star(star, variant)}, Feld ${slot}`,
  slot: (space, price) => `${space} (kostet ${price})`,
  bonusTiles: (number) => count(number, "Bonusfliese", "Bonusfliesen"),
  keeping: (kept, rest, costs, later) =>
    [
      `Du behältst ${kept} und wirfst ${rest ? `${rest} ab, das kostet ${points(costs)}` : "nichts ab"}.`,
      later &&
        `Am Ende ${choose(kept, "kostet die behaltene Fliese", "kosten die behaltenen Fliesen")} ${points(later)}.`,
    ]
      .filter(Boolean)
      .join(" "),
  ask: {
    acquire: "Nimm alle Fliesen einer Farbe",
    bonus: "Nimm eine Bonusfliese aus dem Vorrat",
    place: "Lege eine Fliese oder passe",
    colour: "Wähle eine Farbe",
    payment: "Wie bezahlst du?",
    keep: (most) => `Behalte bis zu ${count(most, "Fliese", "Fliesen")}`,
    passing: "Passen? Du hast nichts zu behalten oder abzuwerfen.",
  },
  scoring: {
    stars: (colours) => `vollständige Sterne: ${colours}`,
    numbers: (numbers) => `alle Felder mit ${numbers}`,
    leftover: (tiles) => count(tiles, "Fliese übrig", "Fliesen übrig"),
  },
  moves: {
    acquire: (what, source) => `nahm ${what} ${source}`,
    place: (colour, space) => `legte ${colour} auf ${space}`,
    bonus: (what) => `nahm ${what} als Bonus`,
    keep: (kept, discarded) => `passte und behielt ${tiles(kept)}${discarded ? `, warf ${discarded} ab` : ""}`,
  },
  coach: {
    wild: (what, number, wild) =>
      `Nimm ${what}: Du bekommst ${tiles(number)} und dazu 1 × ${wild}. ${wild} ist in dieser Runde Joker, damit kannst du jede Farbe bezahlen.`,
    centre: (what, number, costs) =>
      `Nimm ${what}: ${tiles(number)}. ${
        costs === null
          ? NO_TOKEN
          : `Wer zuerst aus der Mitte nimmt, bekommt den Startstein und darf zuerst legen. Das kostet einen Punkt pro Fliese: ${points(costs)}.`
      }`,
    gather: (left) =>
      `Sammle, was zusammenpasst: Ein Feld mit einer 4 kostet 4 Fliesen. Noch ${count(left, "Fliese ist", "Fliesen sind")} zu haben.`,
    place: (where, price, colour) =>
      `Lege jetzt eine Fliese: Wähle ${where}. Du zahlst ${tiles(price)} (${colour} oder Joker), eine davon bleibt liegen.`,
    beside: (where, run) =>
      `Wähle ${where}: Das Feld grenzt an Fliesen desselben Sterns. Jede Fliese der lückenlosen Kette zählt: ${points(run)}.`,
    placeOn: (held, most) =>
      `Lege weitere Fliesen oder passe. Du hast ${held} und darfst ${most} behalten. Jede weitere kostet einen Punkt.`,
    pass: (most, held, lost) =>
      `Passe: Du darfst bis zu ${tiles(most)} für die nächste Runde behalten, jede weitere kostet einen Punkt. Du hast ${held}${lost ? `, das kostet ${points(lost)}` : ""}.`,
    taken: (number, wilds) => `Du hast ${tiles(number)} genommen${wilds ? `, davon ${wilds} Joker` : ""}.`,
    placed: (scored) => `Das brachte ${points(scored)}.`,
    passed: (kept, rest, costs) =>
      `Du hast ${tiles(kept)} behalten${rest ? ` und ${rest} für ${points(costs)} abgeworfen` : ""}.`,
    surrounded: (number) =>
      `Du hast eine Säule, eine Statue oder ein Fenster umbaut und bekommst ${count(number, "Bonusfliese", "Bonusfliesen")}.`,
    token: (name, costs) => `${has(name)} für ${points(costs)} den Startstein genommen.`,
    roundEnded: (round, wild) => `Runde ${round} ist vorbei. Joker ist jetzt ${wild}.`,
  },
};
