/** Texts of the table and of the admin page. */
import type { commonEn } from "../en/common";

export const commonDe: typeof commonEn = {
  cancel: "Abbrechen",
  failed: "Das hat nicht geklappt. Versuch es noch einmal.",
  theme: { auto: "Farbschema: System", light: "Farbschema: Hell", dark: "Farbschema: Dunkel" },
  language: "English",
  copied: "Kopiert.",
  offline: "Du bist offline. Bis du wieder verbunden bist, wird nichts gesendet.",
  notSent: "Du bist offline, deshalb wurde das nicht gesendet.",
  maintenance: "Wartung: Gerade kann nichts Neues beginnen. Laufende Spiele gehen weiter.",
  until: (end) => `Bis ${end}.`,
  close: "Schließen",
};
