/** German texts of the animation of a finished game. */
import type { Words } from "../en";

export const animationDe: Words["animation"] = {
  title: "Spiel als Animation",
  note: "Ein einzelnes Bild, das das ganze Spiel abspielt. Teile es überall, wo du Bilder posten kannst.",
  alt: (game, names) => `${game} als Animation: ${names}`,
  link: "Link zur Animation",
  text: (game) => `${game}: ein Spiel als Animation`,
  save: "Als SVG speichern",
  createGif: "GIF erstellen",
  creatingGif: "GIF wird erstellt …",
  saveGif: "Als GIF speichern",
  send: "Bild teilen …",
  large: "Vollbild",
  loading: "Animation wird erstellt …",
  isPrivate:
    "Dieses Spiel ist privat, deshalb hat die Animation keinen Link. Du kannst das Bild speichern oder teilen.",
};
