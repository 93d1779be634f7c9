/** Where a game was decided, by the scores after each round. */
import { nameOf, winnersOf } from "../../game/players";
import type { Game } from "../../game/live";
import type { Words } from "../../shared/words";
import type { RoundScores } from "./score_history";

/** Return a sentence on where the game was decided, or an empty text if the scores do not show it. */
export function turningPoint(game: Game, history: readonly RoundScores[], words: Words): string {
  const { decided } = words.scoring;
  const [winner, ...others] = winnersOf(game);
  const { reason, seats = [] } = game.outcome ?? {};
  if (winner === undefined || others.length > 0 || reason !== "completed") return "";
  const final = seats.map(({ score }) => score);
  const leads = [...history.slice(1).map(({ scores }) => scores), final].map(
    (scores) => (scores[winner] ?? 0) - Math.max(...scores.filter((_, seat) => seat !== winner)),
  );
  if (leads.length < 3 || (leads.at(-1) ?? 0) <= 0) return "";
  const name = nameOf(game, winner, words);
  const last = leads.findLastIndex((lead) => lead <= 0);
  if (last < 0) return decided.always(name);
  const next = history[last + 2]; // the history begins with the start of the game
  return next ? decided.round(name, next.round) : decided.end(name, -(leads[last] ?? 0));
}
