/** English texts for scoring, the score sheet, whose turn it is, and sounds. */
import { minus, plurals } from "../plural";

const { count, list } = plurals("en");

/** Who lost without a comparison of scores: the reader, their only opponent, one player by name, or several. */
export type Losers = "you" | "opponent" | "others" | { name: string };

const who = (losers: Losers): string =>
  typeof losers === "object"
    ? losers.name
    : { you: "You", opponent: "Your opponent", others: "The other players" }[losers];

export const scoringEn = {
  round: (round: number) => `Round ${round}`,
  end: "End",
  limited: (what: string, whole: number, points: number, least: number) =>
    `${what}: ${minus(whole)}, limited to ${minus(points)} (a score cannot go below ${least})`,
  skip: "Skip",
  counting: "The last points are counted.",
  // score sheet
  sheet: "Score sheet",
  total: "Total",
  from: "Points for",
  wins: (names: readonly string[]) => (names.length > 0 ? `${list(names)} won` : "Nobody won"),
  winBy: (points: number) => `by ${count(points, "point", "points")}`,
  level: "on the tiebreak",
  shared: "and share first place",
  reasons: {
    resignation: (losers: Losers) => `${who(losers)} resigned.`,
    timeout: (losers: Losers) => `${who(losers)} ran out of time.`,
    adjudication: () => "The organiser decided the result.",
    failure: (losers: Losers) => `${who(losers)} stopped responding.`,
  } as Record<string, (losers: Losers) => string>,
  decided: {
    always: (name: string) => `${name} led after every round.`,
    round: (name: string, round: number) => `${name} took the lead for good in round ${round}.`,
    end: (name: string, behind: number) =>
      behind > 0
        ? `The final scoring decided: before it, ${name} was ${count(behind, "point", "points")} behind.`
        : "The final scoring decided: before it, the leaders were level.",
  },
  close: "Close the result",
  open: "Result",
  game: "Moves and chat",
  curve: "Points by round",
  curveOf: (name: string, points: string) => `${name}: ${points}`,
  share: "Share result",
  // whose turn it is
  titleTurn: (game: string) => `● Your turn – ${game}`,
  titleOf: (text: string, game: string) => `${text} – ${game}`,
  moves: (name: string) => `${name} moves…`,
  // preferences
  preferences: "Preferences",
  contrast: "High-contrast table",
  sound: "Sound effects",
  motion: "Animate tiles",
  confirm: "Confirm each move",
  stillness: "Your device is set to reduce motion, so animations are off.",
};
