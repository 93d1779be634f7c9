/** A hint: the AI's move as an arrow, with its value. */
import type { Client, Schemas } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import { analyse } from "../game/analysis";
import type { Game } from "../game/live";
import { type MoveArrow, moveArrow } from "../game/stage/drawings";
import { bearerHeader } from "../shared/client";
import { errorText, usePageContext } from "../shared/context";
import { storedGame } from "../shared/store";
import type { Words } from "../shared/words";

type Analysed = Schemas["AnalysedAction"];

const HINT_S = 1;
const MIN_DIFFERENCE = 0.3; // smaller differences in points are noise in a search of one second

/** Return what the best move does, the expected result, and the loss of the next best move. */
function explanation([best, next]: readonly Analysed[], words: Words): string {
  if (!best) return "";
  const { choosing } = words;
  const ahead = best.lead < 0 ? choosing.behind(-best.lead) : choosing.ahead(best.lead);
  const ending = `${best.why ?? ""} ${choosing.hintWhy(ahead, words.percent(Math.round(100 * best.win_probability)))}`;
  if (!next) return ending;
  const better = best.lead - next.lead;
  return `${ending} ${better < MIN_DIFFERENCE ? choosing.hintAlike(next.text) : choosing.hintNext(better, next.text)}`;
}

export function Hint({
  client,
  game,
  showArrows,
}: {
  client: Client;
  game: Game;
  showArrows: (arrows: readonly MoveArrow[]) => void;
}) {
  const { words, toast } = usePageContext();
  const [found, setFound] = useState<{ revision: number; text: string; why: string } | null>(null);
  useEffect(() => () => showArrows([]), [game.revision]);
  const ask = async () => {
    setFound({ revision: game.revision, text: words.hintThinks, why: "" });
    const headers = bearerHeader(storedGame(game.id).seats[game.to_decide ?? -1]);
    const analysis = await analyse(client, game.id, { kind: "decision", best: 2, seconds: HINT_S }, headers);
    const actions = analysis.decision?.actions ?? [];
    const [best] = actions;
    if (!best || analysis.revision === null) return setFound(null);
    setFound({ revision: analysis.revision, text: best.text, why: explanation(actions, words) });
    showArrows([moveArrow(best.action, analysis.decision?.seat ?? 0, "best")]);
  };
  if (found?.revision === game.revision)
    return (
      <p class="hint" role="status">
        <strong>{found.text}</strong> <span>{found.why}</span>
      </p>
    );
  return (
    <button
      onClick={() =>
        ask().catch((error: unknown) => {
          setFound(null);
          toast(errorText(error, words));
        })
      }
    >
      {words.hint}
    </button>
  );
}
