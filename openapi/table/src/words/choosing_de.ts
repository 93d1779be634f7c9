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
  hintWhy: (ahead, chance) => `${ahead}, mit ${chance} Gewinnchance.`,
  ahead: (points) => `Am Ende lägst du etwa ${number(points)} Punkte vorn`,
  behind: (points) => `Am Ende lägst du etwa ${number(points)} Punkte zurück`,
  hintNext: (points, text) => `Das ist ${number(points)} Punkte besser als das Nächstbeste: ${text}`,
  hintAlike: (text) => `Etwa gleich gut: ${text}`,
};
