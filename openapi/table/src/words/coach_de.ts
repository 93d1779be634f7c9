/** German: the lessons of a first game. */
import type { coachEn } from "./coach_en";

const tiles = (count: number) => `${count} Fliese${count === 1 ? "" : "n"}`;
const points = (count: number) => `${count} Punkt${count === 1 ? "" : "e"}`;
const has = (name: string | null) => (name ? `${name} hat` : "Du hast");
const pieces = (count: number) => `${count} Teil${count === 1 ? "" : "e"}`;

export const coachDe: typeof coachEn = {
  learn: "Spielend lernen",
  developers: "Für Entwickler",
  lesson: "Lektion",
  move: (move, most) => `Zug ${move} von ${most}`,
  end: "Lektion beenden",
  again: "Weiter mit der Lektion",
  playOn: "Weiterspielen",
  enough: "Das genügt: Spiel weiter.",
  right: "Genau so.",
  other: "Du hast etwas anderes getan, auch das ist recht.",
  meant: "vom Lehrer gemeint",
  azul: {
    fill: (what, count, line) =>
      `Nimm ${what} in ${line}: ${tiles(count)}, genau so viele passen hinein. Du bekommst alle der Farbe; die übrigen der Manufaktur kommen in die Mitte.`,
    centre: (what, line, costs) =>
      `Nimm ${what} in ${line}. ${
        costs === null
          ? "Der Startstein ist schon weg, also kostet die Mitte nichts."
          : `Wer dort zuerst nimmt, bekommt den Startstein und beginnt die nächste Runde; in der Bodenreihe kostet er ${points(costs)}.`
      }`,
    floor: (what, line, count, costs) =>
      `${what} in ${line}: Davon ${count === 1 ? "fiele" : "fielen"} ${tiles(count)} zu Boden, für ${points(costs)} Abzug.`,
    instead: (what, line) => `Nimm lieber ${what} in ${line}: Da fällt nichts.`,
    begun: (what, line, before, capacity, left) =>
      `In deiner ${line} liegen ${before} von ${capacity}: Dazu passt ${what}${left ? "" : ", dann ist sie voll"}. Nur volle Reihen bringen eine Fliese auf die Wand; die anderen warten.`,
    neighbours: (what, line, worth) =>
      `Nimm ${what} in ${line}: Ihr Feld auf der Wand berührt eine Fliese. So wie die Wand jetzt ist, brächte das ${points(worth)} statt 1.`,
    free: (left) => `Spiel weiter, wie du magst: ${tiles(left)} noch. Sind alle genommen, zählen volle Reihen.`,
    placed: (line, count, capacity) => `In ${line} liegen ${count} von ${capacity}.`,
    fell: (count) => `${tiles(count)} zu Boden: Das kostet Punkte, wenn die Runde endet.`,
    token: (name) => `${has(name)} den Startstein genommen, um die nächste Runde zu beginnen.`,
    scored: (round, placed, penalty) =>
      `Runde ${round} ist vorbei: ${placed.length ? `Deine vollen Reihen brachten auf der Wand ${placed.join(" + ")}` : "Du hattest keine volle Reihe"}${penalty ? `, und deine Bodenreihe kostete ${points(penalty)}` : ""}.`,
  },
  pavilion: {
    wild: (what, count, wild) =>
      `Nimm ${what}: ${tiles(count)}, und 1 mal ${wild} kommt dazu. ${wild} ist in dieser Runde Joker und zahlt für jede Farbe.`,
    centre: (what, count, costs) =>
      `Nimm ${what}: ${tiles(count)}. ${
        costs === null
          ? "Der Startstein ist schon weg, also kostet die Mitte nichts."
          : `Wer dort zuerst nimmt, bekommt den Startstein, legt zuerst und verliert je Fliese einen Punkt: ${points(costs)}.`
      }`,
    gather: (left) => `Sammle, was zusammenpasst: Ein Feld mit einer 4 kostet 4 Fliesen. Noch ${left} zu nehmen.`,
    place: (where, number, colour) =>
      `Jetzt wird gelegt: Wähle ${where}. Du zahlst ${tiles(number)}, ${colour} oder Joker; eine davon wird gelegt.`,
    beside: (where, run) =>
      `Wähle ${where}: Es berührt Fliesen auf seinem Stern. Jede Fliese der lückenlosen Kette zählt: ${points(run)}.`,
    placeOn: (held, most) =>
      `Lege mehr, oder passe: Du hast ${held} und darfst ${most} behalten. Jede andere kostet einen Punkt.`,
    pass: (most, held, lost) =>
      `Passe: Bis zu ${most} Fliesen behältst du für die nächste Runde, jede andere kostet einen Punkt. Du hast ${held}: Das kostet ${points(lost)}.`,
    taken: (count, wilds) => `Du hast ${tiles(count)} genommen${wilds ? `, davon ${wilds} Joker` : ""}.`,
    placed: (scored) => `Das brachte ${points(scored)}.`,
    passed: (kept, rest, costs) =>
      `Du hast ${kept} behalten${rest ? ` und ${rest} abgeworfen, für ${points(costs)}` : ""}.`,
    surrounded: (count) => `Was du umbaut hast, bringt ${tiles(count)}.`,
    token: (name, costs) => `${has(name)} den Startstein genommen, für ${points(costs)}.`,
    roundEnded: (round, wild) => `Runde ${round} ist vorbei: Joker ist jetzt ${wild}.`,
  },
  garden: {
    take: (what, count) =>
      `Nimm alles mit ${what}: ${pieces(count)}. Du nennst Farbe oder Muster und bekommst von jedem verschiedenen Sechseck damit eines.`,
    place: (what, where, more) =>
      `Lege ${what} ${where}. Das Muster kostet ${more + 1}: die Fliese selbst${more ? ` und ${more} mehr mit gleicher Farbe oder gleichem Muster, oder Joker` : ""}.`,
    beside: (what, where, shared, other) =>
      `Lege ${what} ${where}: neben ${other}, gemeinsam ist ${shared}. Ein Nachbar muss passen, und am Ende zählen Gruppen ab drei.`,
    takeExpansion: (what) =>
      `Eine Erweiterung liegt offen: Nimm alles mit ${what}. In deinem Garten gibt sie sechs Felder mehr.`,
    buy: (area, score) =>
      `Dein Garten braucht Platz: Kaufe eine Erweiterung für ${area}. Sie kostet 6 deiner ${score} Punkte und gibt sieben Felder.`,
    pass: (first, shown) =>
      `Passe, und behalte, was du hast${first ? "; wer zuerst passt, verliert einen Punkt und beginnt die nächste Runde" : ""}. Haben alle gepasst, zählt das Rad in deinem Garten: ${shown.join(", ")}.`,
    free: (spaces) =>
      `Spiel weiter, wie du magst: Nimm Teile zum Bezahlen, oder lege eins. Platz hast du für ${tiles(spaces)}.`,
    took: (count) => `Du hast ${pieces(count)} genommen.`,
    paid: (what, others, jokers) =>
      `Du hast gelegt: ${what}${others ? `, für ${pieces(others)}` : ""}${jokers ? `, für ${jokers} Joker` : ""}.`,
    bought: (costs) => `Du hast für ${points(costs)} eine Erweiterung gekauft.`,
    jokers: (count) => `Was du umbaut hast, bringt ${count} Joker.`,
    marker: (name, costs) => `${has(name)} zuerst gepasst, für ${points(costs)}, um die nächste Runde zu beginnen.`,
    scored: (counted, score) =>
      `Die Runde ist vorbei: Dein Garten brachte ${points(score)}${counted.length ? ` (${counted.join(", ")})` : ""}.`,
  },
};
