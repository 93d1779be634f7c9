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

export interface ReviewState {
  analysis: Analysis | null;
  /** Every decision; empty until the review is there. */
  decisions: readonly Decision[];
  requestReview: () => Promise<unknown>;
}

const NO_DECISIONS: readonly Decision[] = [];

/** The review that anybody has asked for; it is looked for once the game is over. */
export function useReview(client: Client, id: string, isOver: boolean): ReviewState {
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  const setReview = (found: Analysis) => setAnalysis(found.status === "failed" ? null : found);
  useEffect(() => {
    if (!isOver) return;
    const controller = new AbortController();
    const { signal } = controller;
    const find = async () => {
      const { data } = await client.GET("/v1/games/{game_id}/review", { params: { path: { game_id: id } }, signal });
      if (data) await followAnalysis(client, data, {}, setReview, signal);
    };
    find().catch((error: unknown) => {
      if (error instanceof ProblemError) setAnalysis(null); // somebody has ended it
    });
    return () => controller.abort();
  }, [client, isOver]);
  const requestReview = () => analyse(client, id, { kind: "review", best: 1 }, {}, setReview);
  return { analysis, decisions: analysis?.review?.decisions ?? NO_DECISIONS, requestReview };
}

/** Lost probability in whole percent, by which the labels go. */
export const percentLost = ({ win_lost }: Decision): number => Math.round(100 * win_lost);

/** What was decided on the position of a step, if it is known. */
export function decisionAt(
  decisions: readonly Decision[],
  steps: readonly number[],
  revision: number,
): Decision | null {
  const next = steps.find((step) => step > revision);
  return decisions.find(({ revision }) => revision === next) ?? null;
}

export function reviewArrows(decision: Decision | null): readonly MoveArrow[] {
  if (!decision) return [];
  const { played, best, seat } = decision;
  const bestArrow = moveArrow(best.action, seat, "best");
  return played.id === best.id ? [bestArrow] : [moveArrow(played.action, seat, "played"), bestArrow];
}

const lossText = (decision: Decision, words: Words) => words.replay.costs(percentLost(decision));

/** In words what the board shows of a decision. */
export function DecisionVerdict({ game, decision }: { game: Game; decision: Decision }) {
  const { words } = usePageContext();
  const isBest = decision.played.id === decision.best.id;
  return (
    <p class="judged" data-label={decision.label} role="status">
      <span class="way-name played">
        <b>{words.labels[decision.label] ?? decision.label}</b>
        {!isBest && ` (${lossText(decision, words)})`} {nameOf(game, decision.seat, words)}: {decision.played.text}
      </span>
      {!isBest && <span class="way-name best">{words.better(decision.best.text)}</span>}
    </p>
  );
}

const MISTAKE_LABELS = ["blunder", "mistake", "inaccuracy"];

export function Review({
  game,
  seats,
  reportErrors,
  review,
  shown,
  showDecision,
}: Pick<PlayingProps, "game" | "seats" | "reportErrors"> & {
  review: ReviewState;
  /** The decision that is on the board. */
  shown: Decision | null;
  /** Shows the position that a decision was made on. */
  showDecision: (decision: Decision) => void;
}) {
  const { words } = usePageContext();
  const { analysis, decisions, requestReview } = review;
  if (!analysis)
    return (
      <section class="card review">
        <button class="primary" onClick={() => reportErrors(requestReview())}>
          {words.review}
        </button>
      </section>
    );
  const result = analysis.review;
  if (!result)
    return (
      <section class="card review" aria-busy="true">
        <p role="status">{words.reviewing(analysis.progress)}</p>
        <progress value={analysis.progress} aria-label={words.review} />
      </section>
    );
  const mistakes = decisions.filter(({ label }) => MISTAKE_LABELS.includes(label));
  return (
    <section class="card review">
      <h2>{words.review}</h2>
      <Chances game={game} decisions={decisions} ownSeat={seats[0] ?? 0} shown={shown} showDecision={showDecision} />
      <ul class="judgements">
        {result.seats.map(({ seat, mean_points_lost, labels }) => (
          <li key={seat}>
            <b>{nameOf(game, seat, words)}</b>: {words.lost(mean_points_lost)}
            <span class="counts">
              {MISTAKE_LABELS.map((label) => (
                <span key={label} data-label={label}>
                  {labels[label as keyof typeof labels]} × {words.labels[label]}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {mistakes.length === 0 && <p class="note">{words.replay.clean}</p>}
      <ol class="mistakes">
        {mistakes.map((decision) => (
          <li key={decision.revision} data-label={decision.label}>
            <button
              class="quiet"
              aria-current={shown?.revision === decision.revision || undefined}
              onClick={() => showDecision(decision)}
            >
              <b>
                {words.labels[decision.label]} ({lossText(decision, words)})
              </b>{" "}
              {nameOf(game, decision.seat, words)}: {decision.played.text} <i>{words.better(decision.best.text)}</i>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
