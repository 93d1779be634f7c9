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
  hintWhy: (ahead: string, chance: string) => `${ahead} at the end, ${chance} to win.`,
  ahead: (points: number) => `You would be about ${points.toFixed(1)} points ahead`,
  behind: (points: number) => `You would be about ${points.toFixed(1)} points behind`,
  hintNext: (points: number, text: string) => `That is ${points.toFixed(1)} points better than the next best: ${text}`,
  hintAlike: (text: string) => `About as good: ${text}`,
};
