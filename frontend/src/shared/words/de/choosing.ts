/** German texts for choosing a move: costs, zoom, legend and hints. */
import type { choosingEn } from "../en/choosing";
import { plurals, signed } from "../plural";

const { choose } = plurals("de");

const decimal = (number: number) => number.toFixed(1).replace(".", ",");

export const choosingDe: typeof choosingEn = {
  points: (points) => `${signed(points)} ${choose(Math.abs(points), "Punkt", "Punkte")}`,
  zoom: "Zoom",
  nearer: "Vergrößern (+)",
  farther: "Verkleinern (−)",
  whole: "Zoom zurücksetzen (0)",
  explained: "Legende",
  toBoard: "Zum Spielplan",
  board: "Spielplan",
  boardKeys: "Pfeiltasten wechseln zwischen den Teilen, Enter wählt, Escape geht zurück.",
  sure: "So spielen?",
  confirm: "Spielen",
  noneChosen: "Davon hast du nichts gewählt.",
  allChosen: "Davon hast du schon alles gewählt.",
  cannotAdd: "Das kannst du nicht dazunehmen.",
  hintWhy: (ahead, chance) => `${ahead}. Gewinnchance: ${chance}.`,
  ahead: (lead) => `Am Ende lägst du etwa ${decimal(lead)} Punkte vorn`,
  behind: (lead) => `Am Ende lägst du etwa ${decimal(lead)} Punkte zurück`,
  hintNext: (better, text) => `${decimal(better)} Punkte besser als der nächstbeste Zug: ${text}`,
  hintAlike: (text) => `Etwa gleich gut: ${text}`,
};
