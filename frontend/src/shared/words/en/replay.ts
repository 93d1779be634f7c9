/** English texts for stepping through a game and its review. */
export const replayEn = {
  steps: "Step through the game",
  first: "Go to the start",
  previous: "Previous step",
  next: "Next step",
  last: "Go to the end",
  isFirst: "This is the start of the game.",
  isLast: "This is the last step.",
  play: "Play",
  stop: "Stop",
  at: (step: number, steps: number) => `${step} of ${steps}`,
  keys: "You can also use the arrow keys, Home and End.",
  chances: "Winning chances",
  curve: (names: string) => `Winning chances after each move: ${names}`,
  costs: (percent: number) => (percent ? `−${percent}%` : "less than 1%"),
  clean: "No notable mistakes.",
};
