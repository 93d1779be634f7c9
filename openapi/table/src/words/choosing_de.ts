/** German: how a decision is made. */
import type { choosingEn } from "./choosing_en";

const minus = (points: number) => String(points).replace("-", "−");
const number = (points: number) => points.toFixed(1).replace(".", ",");

export const choosingDe: typeof choosingEn = {
  points: (points) => `${minus(points)} ${Math.abs(points) === 1 ? "Punkt" : "Punkte"}`,
  keeping: (kept, rest, costs, later) =>
    [
      `Du behältst ${kept}`,
      rest
        ? `und wirfst ${rest} ab: das kostet ${costs === 1 ? "1 Punkt" : `${costs} Punkte`}`
        : "und wirfst nichts ab",
      later ? `(Behaltenes kostet am Ende ${later === 1 ? "1 Punkt" : `${later} Punkte`})` : "",
    ].join(" "),
  closer: "Größe des Bildes",
  nearer: "Größer (+)",
  farther: "Kleiner (−)",
  whole: "1:1, wie zuvor (0)",
  explained: "Was ist was",
  explanations: {
    "queens-garden": [
      [
        "Rad",
        "Was nach jeder der vier Runden gewertet wird: Das Viertel zeigt Farben und Muster und die Punkte für jedes Sechseck damit in deinem Garten. Das Viertel mit dem hellen Rand gehört zu dieser Runde; der Pavillon daneben zählt in jeder Runde, für jede offene Erweiterung.",
      ],
      [
        "Stapel (×)",
        "Erweiterungen dieser Runde, mit vier Fliesen obenauf. Ist die oberste leer, kommt sie mit ihrer Nummer daneben und kann genommen werden.",
      ],
      ["Stapel (Zahl)", "Erweiterungen der kommenden Runden."],
      ["Vorrat", "Verdeckte Erweiterungen, die man für Punkte kaufen kann."],
      ["Beutel", "Fliesen, die noch gezogen werden."],
      ["Turm", "Bezahlte und abgeworfene Fliesen. Sie kommen in den Beutel, wenn er leer ist."],
    ],
  },
  hintWhy: (ahead, chance) => `${ahead}, mit ${chance} Gewinnchance.`,
  ahead: (points) => `Am Ende lägst du etwa ${number(points)} Punkte vorn`,
  behind: (points) => `Am Ende lägst du etwa ${number(points)} Punkte zurück`,
  hintNext: (points, text) => `Das ist ${number(points)} Punkte besser als das Nächstbeste: ${text}`,
  hintAlike: (text) => `Etwa gleich gut: ${text}`,
};
