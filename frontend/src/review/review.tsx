/** How every decision of a game that is over was: made once for all, kept with the game, and looked at on the board. */
import { type Client, ProblemError, type Schemas } from "azul-games-client";
import { useEffect, useState } from "preact/hooks";
import { analyse, followAnalysis } from "../game/analysis";
import type { Game } from "../game/live";
import { nameOf, type PlayingProps } from "../game/players";
import { type MoveArrow, moveArrow } from "../game/stage/drawings";
import { usePageContext } from "../shared/context";
import type { Words } from "../shared/words";
import { Chances } from "./chances";

type Analysis = Schemas["Analysis"];
type Decision = Schemas["ReviewedDecision"];

export interface Reviewing {
  analysis: Analysis | null;
  /** Every decision; empty until the review is there. */
  decisions: readonly Decision[];
  ask: () => Promise<unknown>;
}

const NONE: readonly Decision[] = [];

/** The review that anybody has asked for; it is looked for once the game is over. */
export function useReview(client: Client, id: string, isOver: boolean): Reviewing {
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  const tell = (found: Analysis) => setAnalysis(found.status === "failed" ? null : found);
  useEffect(() => {
    if (!isOver) return;
    const ending = new AbortController();
    const { signal } = ending;
    const find = async () => {
      const { data } = await client.GET("/v1/games/{game_id}/review", { params: { path: { game_id: id } }, signal });
      if (data) await followAnalysis(client, data, {}, tell, signal);
    };
    find().catch((error: unknown) => {
      if (error instanceof ProblemError) setAnalysis(null); // somebody has ended it
    });
    return () => ending.abort();
  }, [client, isOver]);
  const ask = () => analyse(client, id, { kind: "review", best: 1 }, {}, tell);
  return { analysis, decisions: analysis?.review?.decisions ?? NONE, ask };
}

/** Lost probability in whole percent, by which the labels go. */
export const percentLost = ({ win_lost }: Decision): number => Math.round(100 * win_lost);

/** What was decided on the position of a step, if it is known. */
export function judgedAt(decisions: readonly Decision[], steps: readonly number[], shown: number): Decision | null {
  const next = steps.find((step) => step > shown);
  return decisions.find(({ revision }) => revision === next) ?? null;
}

export function waysOf(judged: Decision | null): readonly MoveArrow[] {
  if (!judged) return [];
  const { played, best, seat } = judged;
  const right = moveArrow(best.action, seat, "best");
  return played.id === best.id ? [right] : [moveArrow(played.action, seat, "played"), right];
}

const cost = (decision: Decision, words: Words) => words.replay.costs(percentLost(decision));

/** In words what the board shows of a decision. */
export function Judged({ game, judged }: { game: Game; judged: Decision }) {
  const { words } = usePageContext();
  const isBest = judged.played.id === judged.best.id;
  return (
    <p class="judged" data-label={judged.label} role="status">
      <span class="way-name played">
        <b>{words.labels[judged.label] ?? judged.label}</b>
        {!isBest && ` (${cost(judged, words)})`} {nameOf(game, judged.seat, words)}: {judged.played.text}
      </span>
      {!isBest && <span class="way-name best">{words.better(judged.best.text)}</span>}
    </p>
  );
}

const WORTH_TELLING = ["blunder", "mistake", "inaccuracy"];

export function Review({
  game,
  seats,
  reportErrors,
  reviewing,
  shown,
  show,
}: Pick<PlayingProps, "game" | "seats" | "reportErrors"> & {
  reviewing: Reviewing;
  /** The decision that is on the board. */
  shown: Decision | null;
  /** Shows the position that a decision was made on. */
  show: (decision: Decision) => void;
}) {
  const { words } = usePageContext();
  const { analysis, decisions, ask } = reviewing;
  if (!analysis)
    return (
      <section class="card review">
        <button class="primary" onClick={() => reportErrors(ask())}>
          {words.review}
        </button>
      </section>
    );
  const { review } = analysis;
  if (!review)
    return (
      <section class="card review" aria-busy="true">
        <p role="status">{words.reviewing(analysis.progress)}</p>
        <progress value={analysis.progress} aria-label={words.review} />
      </section>
    );
  const told = decisions.filter(({ label }) => WORTH_TELLING.includes(label));
  return (
    <section class="card review">
      <h2>{words.review}</h2>
      <Chances game={game} decisions={decisions} own={seats[0] ?? 0} shown={shown} show={show} />
      <ul class="judgements">
        {review.seats.map(({ seat, mean_points_lost, labels }) => (
          <li key={seat}>
            <b>{nameOf(game, seat, words)}</b>: {words.lost(mean_points_lost)}
            <span class="counts">
              {WORTH_TELLING.map((label) => (
                <span key={label} data-label={label}>
                  {labels[label as keyof typeof labels]} × {words.labels[label]}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {told.length === 0 && <p class="note">{words.replay.clean}</p>}
      <ol class="mistakes">
        {told.map((decision) => (
          <li key={decision.revision} data-label={decision.label}>
            <button
              class="quiet"
              aria-current={shown?.revision === decision.revision || undefined}
              onClick={() => show(decision)}
            >
              <b>
                {words.labels[decision.label]} ({cost(decision, words)})
              </b>{" "}
              {nameOf(game, decision.seat, words)}: {decision.played.text} <i>{words.better(decision.best.text)}</i>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
