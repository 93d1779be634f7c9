/** English texts for choosing a move: costs, zoom, legend and hints. */
import { plurals, signed } from "../plural";

const { choose } = plurals("en");

export const choosingEn = {
  points: (points: number) => `${signed(points)} ${choose(Math.abs(points), "point", "points")}`,
  zoom: "Zoom",
  nearer: "Zoom in (+)",
  farther: "Zoom out (−)",
  whole: "Reset zoom (0)",
  explained: "Legend",
  toBoard: "Skip to the board",
  board: "Board",
  boardKeys: "Arrow keys move between pieces, Enter chooses, Escape goes back.",
  sure: "Play this move?",
  confirm: "Play it",
  noneChosen: "You have chosen none of these.",
  allChosen: "You have chosen all of these.",
  cannotAdd: "You cannot add this to your choice.",
  hintWhy: (ahead: string, chance: string) => `${ahead} at the end. Chance to win: ${chance}.`,
  ahead: (lead: number) => `You would be about ${lead.toFixed(1)} points ahead`,
  behind: (lead: number) => `You would be about ${lead.toFixed(1)} points behind`,
  hintNext: (better: number, text: string) => `${better.toFixed(1)} points better than the next best move: ${text}`,
  hintAlike: (text: string) => `About as good: ${text}`,
};
