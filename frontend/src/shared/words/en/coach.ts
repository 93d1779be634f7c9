/** English texts of the lesson in a first game. */
export const coachEn = {
  learn: "Learn by playing",
  developers: "For developers",
  lesson: "Lesson",
  move: (move: number, most: number) => `move ${move} of ${most}`,
  end: "End lesson",
  again: "Resume lesson",
  playOn: "Keep playing",
  enough: "You know the basics now. Enjoy the game!",
  right: "Exactly!",
  other: "You chose a different move. That's fine.",
  meant: "suggested by the coach",
};
