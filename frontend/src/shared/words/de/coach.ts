/** German texts of the lesson in a first game. */
import type { coachEn } from "../en/coach";
import { plurals } from "../plural";

const { choose, count } = plurals("de");
const tiles = (number: number) => count(number, "Fliese", "Fliesen");
const points = (number: number) => count(number, "Punkt", "Punkte");
const pieces = (number: number) => count(number, "Teil", "Teile");
const has = (name: string | null) => (name ? `${name} hat` : "Du hast");
const starts = (name: string | null) => `${name ? "beginnt" : "beginnst"} die nächste Runde`;
const NO_TOKEN = "Der Startstein ist schon weg, also kostet die Mitte nichts extra.";

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
  azul: {
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
      `Nimm ${what} für ${line}: Das Feld auf der Wand grenzt an eine andere Fliese. So wie die Wand jetzt aussieht, bekommst du ${points(worth)} statt 1.`,
    free: (left) =>
      `Jetzt entscheidest du. Noch ${count(left, "Fliese ist", "Fliesen sind")} zu haben; nach der letzten zählen volle Reihen.`,
    placed: (line, placed, capacity) => `In ${line} liegen jetzt ${placed} von ${tiles(capacity)}.`,
    fell: (fallen) =>
      `${tiles(fallen)} ${choose(fallen, "ist", "sind")} zu Boden gefallen. Das kostet am Ende der Runde Punkte.`,
    token: (name) => `${has(name)} den Startstein genommen und ${starts(name)}.`,
    scored: (round, placed, penalty) =>
      `Runde ${round} ist vorbei. ${placed.length ? `Deine vollen Reihen brachten auf der Wand ${placed.join(" + ")}` : "Du hattest keine volle Reihe"}${penalty ? `, und deine Bodenreihe kostete ${points(penalty)}` : ""}.`,
  },
  pavilion: {
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
  garden: {
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
