/** German texts for links, names, AI levels and lost connections. */
import type { Words } from "../en";
import { plurals } from "../plural";

const { count } = plurals("de");

export const sharingDe: Words["sharing"] = {
  copy: "Link kopieren",
  share: "Teilen",
  qr: "QR-Code anzeigen",
  qrHide: "QR-Code ausblenden",
  qrOf: (what) => `QR-Code: ${what}`,
  qrNote: "Scanne ihn mit der Kamera eines anderen Geräts.",
  invite: "Schick diesen Link an deine Mitspieler. Das Spiel beginnt, sobald alle Plätze besetzt sind.",
  inviteMany: (seats) =>
    `${count(seats, "Platz ist", "Plätze sind")} noch frei. Schick diesen Link an alle, mit denen du spielen möchtest:`,
  inviteLink: "Einladung",
  watchLink: "Link zum Zuschauen",
  inviteText: (game) => `Spiel mit mir „${game}“`,
  invitedBy: (name, game) => `${name} lädt dich zum Spiel „${game}“ ein.`,
  watchText: (game) => `Schau zu: „${game}“`,
  youAre: "Du spielst als",
  changeName: "Namen ändern",
  nameTooLong: (most) => `Ein Name hat höchstens ${most} Zeichen.`,
  levels: {
    random: ["Zufall", "Spielt irgendeinen erlaubten Zug. Gut zum Ausprobieren."],
    novice: ["Neuling", "Ein erster Gegner für Kinder. Sieht das Offensichtliche und verschätzt sich sonst meistens."],
    beginner: ["Anfänger", "Kennt gute Züge, wählt aber oft den zweitbesten."],
    learner: ["Lehrling", "Weiß, was Punkte bringt, verschätzt sich aber bei den Kosten."],
    casual: ["Gelegenheitsspieler", "Spielt solide für sich und übersieht ab und zu etwas."],
    club: ["Vereinsspieler", "Übersieht wenig, plant aber nicht voraus. Für die meisten ein guter Gegner."],
    greedy: ["Punktejäger", "Nimmt, was gerade am meisten bringt, und liegt selten falsch."],
    planner: ["Planer", "Denkt ein paar Züge voraus. Ein ernst zu nehmender Gegner."],
    strategist: ["Stratege", "Denkt die ganze Runde durch und kommt dir in die Quere."],
    veteran: ["Veteran", "Sehr erfahren und schwer zu überraschen."],
    expert: ["Experte", "Übersieht fast nichts. Wenn du gewinnst, hast du gut gespielt."],
    "candidate-master": ["Meisteranwärter", "Sieht fast alles. Zum Gewinnen brauchst du auch Glück."],
    master: ["Meister", "Denkt pro Zug eine halbe Sekunde nach. Unsere stärkste KI."],
  },
  characters: {
    random: "Kuckuck",
    novice: "Entlein",
    beginner: "Spatz",
    learner: "Fink",
    casual: "Lerche",
    club: "Amsel",
    greedy: "Elster",
    planner: "Storch",
    strategist: "Rabe",
    veteran: "Reiher",
    expert: "Falke",
    "candidate-master": "Adler",
    master: "Eule",
  },
  opponent: "Gegner",
  offlineGame: "Das Spiel erscheint hier, sobald du wieder online bist.",
};
