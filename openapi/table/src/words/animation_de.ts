/** Eine beendete Partie als bewegtes Bild: Deutsch. */
import type { Words } from "./en";

export const animationDe: Words["animation"] = {
  title: "Die Partie als Animation",
  note: "Ein Bild, das die ganze Partie noch einmal spielt, überall, wo man Bilder schicken oder zeigen kann.",
  alt: (game, names) => `${game}, noch einmal gespielt: ${names}`,
  link: "Link zur Animation",
  text: (game) => `Eine Partie ${game}, noch einmal gespielt`,
  save: "Als SVG speichern",
  send: "Bild schicken …",
  large: "Ganzer Bildschirm",
  loading: "Sie wird gezeichnet …",
  isPrivate: "Diese Partie ist privat, darum gibt es keinen Link zu ihrer Animation. Speichern und schicken geht.",
};
