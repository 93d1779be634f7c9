/** English texts of the animation of a finished game. */
export const animationEn = {
  title: "Animated replay",
  note: "One image file that replays the whole game. Share it wherever you can post images.",
  alt: (game: string, names: string) => `Animated replay of ${game}: ${names}`,
  link: "Link to the animation",
  text: (game: string) => `Animated replay of a game of ${game}`,
  save: "Save as SVG",
  createGif: "Create GIF",
  creatingGif: "Creating the GIF…",
  saveGif: "Save as GIF",
  send: "Share image…",
  large: "Full screen",
  loading: "Creating the animation…",
  isPrivate: "This game is private, so its animation has no link. You can still save or share the image.",
};
