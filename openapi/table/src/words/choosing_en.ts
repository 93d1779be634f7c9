/** English: how a decision is made. */
const minus = (points: number) => String(points).replace("-", "−");

export const choosingEn = {
  points: (points: number) => `${minus(points)} ${Math.abs(points) === 1 ? "point" : "points"}`,
  keeping: (kept: number, rest: number, costs: number, later: number) =>
    [
      `You keep ${kept}`,
      rest ? `and discard ${rest}, which costs ${costs === 1 ? "1 point" : `${costs} points`}` : "and discard nothing",
      later ? `(what is kept costs ${later === 1 ? "1 point" : `${later} points`} at the end)` : "",
    ].join(" "),
  closer: "Size of the picture",
  nearer: "Larger (+)",
  farther: "Smaller (−)",
  whole: "1:1, as it was (0)",
  explained: "What is what",
  explanations: {
    "queens-garden": [
      [
        "Wheel",
        "What is scored after each of the four rounds: its quarter shows colours and patterns, and the points for every hexagon with one of them in your garden. The quarter with the bright edge is of this round, and the pavilion beside it counts in every round, for each expansion that lies face up.",
      ],
      [
        "Stack (×)",
        "Expansions of this round, with four tiles on top. Whenever the top is empty, the next one is laid beside it, with its number, and can be taken.",
      ],
      ["Stacks", "Expansions of the rounds to come."],
      ["Supply", "Expansions, face down, that can be bought for points."],
      ["Bag", "Tiles that will be drawn."],
      ["Tower", "Tiles that were paid or discarded. They go into the bag when it runs empty."],
    ],
  } as Record<string, [string, string][]>,
  hintWhy: (ahead: string, chance: string) => `${ahead} at the end, ${chance} to win.`,
  ahead: (points: number) => `You would be about ${points.toFixed(1)} points ahead`,
  behind: (points: number) => `You would be about ${points.toFixed(1)} points behind`,
  hintNext: (points: number, text: string) => `That is ${points.toFixed(1)} points better than the next best: ${text}`,
  hintAlike: (text: string) => `About as good: ${text}`,
};
