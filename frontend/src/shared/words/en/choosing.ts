/** English texts for choosing a move: costs, zoom, legend and hints. */
import { minus, plurals } from "../plural";

const { choose, count } = plurals("en");
const points = (number: number) => count(number, "point", "points");

export const choosingEn = {
  points: (lost: number) => `${minus(lost)} ${choose(Math.abs(lost), "point", "points")}`,
  keeping: (kept: number, rest: number, costs: number, later: number) =>
    [
      `You keep ${kept} and discard ${rest ? `${rest}, which costs ${points(costs)}` : "nothing"}.`,
      later && `At the end, the kept ${choose(kept, "tile costs", "tiles cost")} ${points(later)}.`,
    ]
      .filter(Boolean)
      .join(" "),
  closer: "Zoom",
  nearer: "Zoom in (+)",
  farther: "Zoom out (−)",
  whole: "Reset zoom (0)",
  explained: "Legend",
  explanations: {
    "queens-garden": [
      [
        "Wheel",
        "Shows what scores after each of the four rounds. Each quarter lists colours and patterns, with the points for every matching hexagon in your garden. The quarter with the bright edge is the current round. The pavilion beside it counts in every round: each face-up expansion scores.",
      ],
      [
        "Stack (×)",
        "This round's expansions, with four tiles on top. When someone takes from the top, that expansion moves beside the stack and gets a number.",
      ],
      ["Stacks", "Expansions for the next rounds."],
      ["Supply", "Face-down expansions that you can buy with points."],
      ["Bag", "Tiles that have not been drawn yet."],
      ["Tower", "Tiles that were paid or discarded. They refill the bag when it runs out."],
    ],
  } as Record<string, [string, string][]>,
  hintWhy: (ahead: string, chance: string) => `${ahead} at the end. Chance to win: ${chance}.`,
  ahead: (lead: number) => `You would be about ${lead.toFixed(1)} points ahead`,
  behind: (lead: number) => `You would be about ${lead.toFixed(1)} points behind`,
  hintNext: (better: number, text: string) => `${better.toFixed(1)} points better than the next best move: ${text}`,
  hintAlike: (text: string) => `About as good: ${text}`,
};
