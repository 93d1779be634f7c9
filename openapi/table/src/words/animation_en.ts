/** A game that is over as a picture that moves: English. */
export const animationEn = {
  title: "The game as an animation",
  note: "A picture that plays the whole game again, wherever a picture can be sent or shown.",
  alt: (game: string, names: string) => `${game}, played again: ${names}`,
  link: "Link to the animation",
  text: (game: string) => `A game of ${game}, played again`,
  save: "Save as SVG",
  send: "Send the picture …",
  large: "Full screen",
  loading: "It is being drawn …",
  isPrivate: "This game is private, so there is no link to its animation. It can be saved and sent.",
};
