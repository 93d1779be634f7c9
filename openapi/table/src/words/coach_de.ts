/** German: the lessons of a first game. */
import type { coachEn } from "./coach_en";

const tiles = (count: number) => (count === 1 ? "1 Fliese" : `${count} Fliesen`);
const points = (count: number) => (count === 1 ? "1 Punkt" : `${count} Punkte`);
const pieces = (count: number) => (count === 1 ? "1 Teil" : `${count} Teile`);

export const coachDe: typeof coachEn = {
  learn: "Spielend lernen",
  developers: "Für Entwickler",
  lesson: "Lektion",
  move: (move, most) => `Zug ${move} von ${most}`,
  end: "Beenden",
  endLesson: "Lektion beenden",
  again: "Weiter mit der Lektion",
  playOn: "Weiterspielen",
  enough: "Das genügt: Spiel weiter.",
  right: "Genau so.",
  other: "Das war ein anderer Weg, und auch recht.",
  meant: "vom Lehrer gemeint",
  azul: {
    fill: (what, count, line) =>
      `Nimm ${what} in ${line}: ${count === 1 ? "Die Fliese füllt" : `Die ${count} Fliesen füllen`} sie genau. Du nimmst immer alle einer Farbe; die übrigen der Manufaktur kommen in die Mitte.`,
    centre: (what, line, costs) =>
      costs === null
        ? `Auch aus der Mitte darfst du nehmen: ${what} in ${line}. Der Startstein ist schon weg, also kostet das nichts.`
        : `Nimm ${what} in ${line}. Wer dort als Erster nimmt, bekommt den Startstein: Er beginnt die nächste Runde, und in der Bodenreihe kostet der Stein ${points(costs)}.`,
    floor: (what, line, count, costs) =>
      `${what} in ${line}: ${count === 1 ? "1 Fliese fiele" : `${count} Fliesen fielen`} zu Boden, das kostet ${points(costs)}.`,
    instead: (what, line) => `Nimm lieber ${what} in ${line}: Da fällt nichts.`,
    begun: (what, line, before, capacity, left) =>
      `In deiner ${line} liegen ${before} von ${capacity}: Dazu passt ${what}${left ? "" : ", dann ist sie voll"}. Nur volle Reihen bringen eine Fliese auf die Wand; die anderen warten.`,
    neighbours: (what, line, worth) =>
      `Nimm ${what} in ${line}: Ihr Feld auf der Wand berührt eine Fliese, die dort liegt. So wie die Wand jetzt ist, brächte das ${points(worth)} statt 1.`,
    free: (left) =>
      `Spiel weiter, wie du magst: Noch ${left === 1 ? "liegt 1 Fliese" : `liegen ${left} Fliesen`} da. Sind alle genommen, zählen volle Reihen.`,
    placed: (colour, line, count, capacity) =>
      count === capacity ? `${line} ist voll: ${colour}.` : `In ${line} liegen ${count} von ${capacity}.`,
    fell: (count) =>
      `${tiles(count)} ${count === 1 ? "fiel" : "fielen"} zu Boden; das kostet Punkte, wenn die Runde endet.`,
    tokenMine: "Du hast den Startstein und beginnst die nächste Runde.",
    token: (name) => `${name} hat den Startstein genommen und beginnt die nächste Runde.`,
    scored: (round, placed, penalty) =>
      [
        placed.length
          ? `Runde ${round} ist vorbei: Deine vollen Reihen kamen auf die Wand, für ${placed.join(" + ")} ${placed.length === 1 && placed[0] === 1 ? "Punkt" : "Punkte"}.`
          : `Runde ${round} ist vorbei: Keine deiner Reihen war voll.`,
        penalty ? `Was in deiner Bodenreihe lag, kostete ${points(penalty)}.` : "",
      ]
        .filter(Boolean)
        .join(" "),
  },
  pavilion: {
    wild: (what, count, wild) =>
      `Nimm ${what}: ${tiles(count)}, und 1 mal ${wild} kommt dazu. ${wild} ist in dieser Runde Joker und zahlt für jede Farbe.`,
    centre: (what, count, costs) =>
      costs === null
        ? `Auch aus der Mitte darfst du nehmen: ${what}, ${tiles(count)}. Der Startstein ist schon weg, also kostet das nichts.`
        : `Nimm ${what}: ${tiles(count)}. Wer dort als Erster nimmt, bekommt den Startstein, legt zuerst, beginnt die nächste Runde und verliert je Fliese einen Punkt: ${points(costs)}.`,
    gather: (left) =>
      `Sammle, was zusammenpasst: Ein Feld mit einer 4 kostet 4 Fliesen seiner Farbe. Noch ${left === 1 ? "liegt 1 Fliese" : `liegen ${left} Fliesen`} da.`,
    place: (where, number, colour) =>
      `Jetzt wird gelegt: Wähle ${where}. Du zahlst ${tiles(number)}, ${colour} oder Joker; eine davon wird gelegt und zählt.`,
    beside: (where, run) =>
      `Wähle ${where}: Es berührt Fliesen auf deinem Stern. Jede Fliese ihrer lückenlosen Kette zählt einen Punkt: ${run}.`,
    placeOn: (held, most) =>
      `Lege mehr, oder passe: Du hast ${held} und behältst beim Passen bis zu ${most}. Jede andere kostet einen Punkt.`,
    pass: (most, held, lost) =>
      `Passe: Bis zu ${most} Fliesen behältst du für die nächste Runde, jede andere kostet einen Punkt. Du hast ${held}, das kostet ${lost ? points(lost) : "nichts"}.`,
    newWild: (wild, what) => `In jeder Runde ist eine andere Farbe Joker: jetzt ${wild}. Nimm ${what}.`,
    bonus: "Du hast eine Säule, eine Statue oder ein Fenster umbaut: Wähle eine Bonusfliese aus dem Vorrat.",
    taken: (count, wilds) => `Du hast ${tiles(count)} genommen${wilds ? ", darunter einen Joker" : ""}.`,
    placed: (scored) => `Das brachte ${points(scored)}.`,
    passed: (kept, rest, costs) =>
      `Du hast ${kept} behalten${rest ? ` und ${rest} abgeworfen, für ${points(costs)}` : ""}.`,
    surrounded: (count) =>
      `Du hast eine Säule, eine Statue oder ein Fenster umbaut: Das bringt ${tiles(count)} aus dem Vorrat.`,
    tokenMine: (costs) =>
      `Der Startstein kostete dich ${points(costs)}; du legst zuerst und beginnst die nächste Runde.`,
    token: (name, costs) => `${name} hat den Startstein genommen, für ${points(costs)}, und legt zuerst.`,
    playBegan: (name) => `Alle Fliesen sind genommen: ${name ? `${name} legt` : "Du legst"} zuerst.`,
    roundEnded: (round, wild) => `Runde ${round} ist vorbei: Joker ist jetzt ${wild}.`,
  },
  garden: {
    take: (what, count) =>
      `Nimm alles mit ${what}: ${pieces(count)}. Du nennst eine Farbe oder ein Muster und bekommst von jedem verschiedenen Sechseck damit eines.`,
    place: (what, where, more) =>
      `Lege ${what} ${where}. ${
        more
          ? `Das Muster kostet ${more + 1}: die Fliese selbst und noch ${more} mit gleicher Farbe oder gleichem Muster, oder Joker.`
          : "Das Muster kostet 1, und das ist die Fliese selbst."
      }`,
    beside: (what, where, shared, other) =>
      `Lege ${what} ${where}: neben ${other}, gemeinsam ist ${shared}. Unter den Nachbarn muss einer passen, und am Ende zählen verbundene Gruppen ab drei.`,
    placeExpansion: (what, more) =>
      `Lege die Erweiterung mit ${what}, für ${more ? `${more} weitere Teile` : "nichts weiter"}. Dein Garten gewinnt sechs Felder und ihr Sechseck.`,
    takeExpansion: (what) =>
      `Eine Erweiterung liegt offen: Nimm alles mit ${what}, sie ist dabei. In deinem Garten gibt sie sechs Felder mehr.`,
    buy: (area, score) =>
      `Der Brunnen hat nur sechs Felder: Kaufe eine Erweiterung für ${area}. Sie kostet 6 deiner ${score} Punkte und gibt sieben Felder.`,
    wheel: (shown, what) =>
      `Das Rad zeigt in dieser Runde ${shown.join(", ")}: Solche Sechsecke in deinem Garten zählen, wenn sie endet. Lege eines: ${what}.`,
    pass: (first) =>
      `Passe, wenn du nichts mehr vorhast; was du hast, bleibt dir für die nächste Runde. ${
        first
          ? "Wer als Erster passt, verliert einen Punkt und beginnt die nächste."
          : "Haben alle gepasst, wird das Rad gewertet."
      }`,
    free: (spaces) =>
      `Spiel weiter, wie du magst: Nimm Teile, die für andere zahlen, oder lege eines. In deinem Lager ist Platz für ${tiles(spaces)}.`,
    took: (count) => `Du hast ${pieces(count)} genommen.`,
    paid: (what, others, jokers) =>
      `In deinem Garten liegt jetzt: ${what}. Bezahlt hast du ${
        [others ? pieces(others) : "", jokers ? `${jokers} Joker` : ""].filter(Boolean).join(" und ") || "nichts weiter"
      }.`,
    expanded: (more) =>
      `Dein Garten hat eine Erweiterung mehr, für ${more ? `${more} weitere Teile` : "nichts weiter"}.`,
    bought: (costs) => `Du hast für ${points(costs)} eine Erweiterung gekauft.`,
    jokers: (count) => `Was du umbaut hast, bringt ${count} Joker.`,
    passed: (costs) => `Du hast gepasst${costs ? `; was du abgeworfen hast, kostete ${points(costs)}` : ""}.`,
    markerMine: (costs) => `Als Erster zu passen kostete ${points(costs)}, und du beginnst die nächste Runde.`,
    marker: (name) => `${name} hat zuerst gepasst und beginnt die nächste Runde.`,
    turned: (count) =>
      count === 1
        ? "Eine Erweiterung ist leer und liegt jetzt offen."
        : `${count} Erweiterungen sind leer und liegen jetzt offen.`,
    scored: (round, counted, score) =>
      `Runde ${round} ist vorbei: Das Rad brachte ${points(score)}${counted.length ? `, für ${counted.join(", ")}` : ""}.`,
  },
};
