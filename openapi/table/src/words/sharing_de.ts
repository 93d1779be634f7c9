/** Deutsch für Links zum Verschicken, den eigenen Namen, Stufen und Geräte ohne Verbindung. */
import type { Words } from "./en";

export const sharingDe: Words["sharing"] = {
  copy: "Link kopieren",
  share: "Schicken …",
  qr: "Als QR-Code zeigen",
  qrHide: "QR-Code ausblenden",
  qrOf: (what) => `QR-Code: ${what}`,
  qrNote: "Richte die Kamera eines anderen Geräts darauf.",
  invite: "Schick diesen Link an alle, die mitspielen sollen. Es geht los, sobald alle Plätze besetzt sind.",
  inviteMany: (seats) =>
    seats === 1
      ? "Ein Platz ist noch frei. Schick diesen Link an die Person, die ihn einnehmen soll:"
      : `${seats} Plätze sind noch frei. Schick diesen Link an alle, die sie einnehmen sollen:`,
  inviteLink: "Einladung",
  watchLink: "Link zum Zuschauen",
  inviteText: (game) => `Spiel ${game} mit mir`,
  watchText: (game) => `Schau bei einer Partie ${game} zu`,
  youAre: "Du spielst als",
  changeName: "Namen ändern",
  levels: {
    random: ["Zufällig", "Spielt irgendetwas. Zum Ausprobieren."],
    novice: ["Neuling", "Für die ersten Partien eines Kindes: sieht, was vor ihm liegt, und verschätzt sich meistens."],
    beginner: ["Anfänger", "Weiß, was gut ist, und hält oft das Zweitbeste dafür."],
    learner: ["Lernend", "Hat verstanden, was Punkte bringt, und verschätzt sich bei dem, was es kostet."],
    casual: ["Gemütlich", "Spielt ordentlich für das eigene Tableau und übersieht ab und zu etwas."],
    club: ["Vereinsniveau", "Übersieht wenig, denkt aber nicht voraus: für die meisten Menschen ein guter Gegner."],
    greedy: ["Gierig", "Nimmt, was auf den ersten Blick am besten aussieht, und irrt selten."],
    planner: ["Planend", "Denkt ein paar Züge voraus: ein ernster Gegner."],
    strategist: ["Strategisch", "Durchdenkt die Runde und durchkreuzt, was andere planen."],
    veteran: ["Erfahren", "Hat das meiste schon gesehen und vergisst wenig."],
    expert: ["Experte", "Übersieht kaum etwas; wer gewinnt, hat gut gespielt."],
    "candidate-master": ["Meisteranwärter", "Sieht fast alles; zum Gewinnen gehört auch Glück."],
    master: ["Meister", "Denkt eine halbe Sekunde nach: so stark, wie wir können."],
  },
  opponent: "Gegner",
  offline:
    "Keine Verbindung. Jetzt wird nichts gesendet; die Seite macht von selbst weiter, sobald du wieder verbunden bist.",
  notSent: "Keine Verbindung: Das wurde nicht gesendet.",
};
