/** English: who looks at a game. */
export const presenceEn = {
  here: "is here",
  watching: (count: number) => `${count} watching`,
  guests: (count: number) => (count === 1 ? "one guest" : `${count} guests`),
  unseen: "Watch unseen",
  unseenNote: "Others see that somebody watches, and not who.",
};
