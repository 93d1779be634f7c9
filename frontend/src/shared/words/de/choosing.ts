/** German texts for choosing a move: costs, zoom, legend and hints. */
import type { choosingEn } from "../en/choosing";
import { minus, plurals } from "../plural";

const { choose, count } = plurals("de");
const points = (number: number) => count(number, "Punkt", "Punkte");
const decimal = (number: number) => number.toFixed(1).replace(".", ",");

export const choosingDe: typeof choosingEn = {
  points: (lost) => `${minus(lost)} ${choose(Math.abs(lost), "Punkt", "Punkte")}`,
  keeping: (kept, rest, costs, later) =>
    [
      `Du behältst ${kept} und wirfst ${rest ? `${rest} ab, das kostet ${points(costs)}` : "nichts ab"}.`,
      later &&
        `Am Ende ${choose(kept, "kostet die behaltene Fliese", "kosten die behaltenen Fliesen")} ${points(later)}.`,
    ]
      .filter(Boolean)
      .join(" "),
  closer: "Zoom",
  nearer: "Vergrößern (+)",
  farther: "Verkleinern (−)",
  whole: "Zoom zurücksetzen (0)",
  explained: "Legende",
  explanations: {
    "queens-garden": [
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
  },
  hintWhy: (ahead, chance) => `${ahead}. Gewinnchance: ${chance}.`,
  ahead: (lead) => `Am Ende lägst du etwa ${decimal(lead)} Punkte vorn`,
  behind: (lead) => `Am Ende lägst du etwa ${decimal(lead)} Punkte zurück`,
  hintNext: (better, text) => `${decimal(better)} Punkte besser als der nächstbeste Zug: ${text}`,
  hintAlike: (text) => `Etwa gleich gut: ${text}`,
};
