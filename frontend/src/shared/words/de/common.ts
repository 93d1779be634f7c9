/** Texts of the table and of the admin page. */
import type { commonEn } from "../en/common";

export const commonDe: typeof commonEn = {
  cancel: "Abbrechen",
  done: "Fertig",
  more: "Mehr anzeigen",
  menu: "Menü",
  loading: "Wird geladen …",
  nameless: "Anonym",
  deletedPlayer: "Gelöschter Spieler",
  failed: "Das hat nicht geklappt. Versuch es noch einmal.",
  busy: "Einen Moment: Die Seite wartet auf den Dienst.",
  theme: { auto: "Farbschema: System", light: "Farbschema: Hell", dark: "Farbschema: Dunkel" },
  language: "English",
  copied: "Kopiert.",
  offline: "Du bist offline. Bis du wieder verbunden bist, wird nichts gesendet.",
  notSent: "Du bist offline, deshalb wurde das nicht gesendet.",
  ratingSeats: { two: "2 Spieler", many: "3–4 Spieler" },
  reportedTypes: { player: "Spieler", player_name: "Name", game: "Spiel", message: "Nachricht" },
  reportCategories: {
    abuse: "Beleidigung oder Drohung",
    cheating: "Betrug",
    player_name: "Unpassender Name",
    spam: "Werbung oder Spam",
    other: "Etwas anderes",
  },
};
