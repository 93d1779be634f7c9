/**
 * The review of a finished game: a verdict on each decision. The service computes it once and stores it with the game.
 */
import { type Client, ProblemError, type Schemas } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import { analyse, followAnalysis } from "../game/analysis";
import type { Game } from "../game/live";
import { nameOf, type PlayingProps, type ViewingProps } from "../game/players";
import { type MoveArrow, moveArrow } from "../game/stage/drawings";
import { usePageContext } from "../shared/context";
import { links } from "../shared/route";
import type { Words } from "../shared/words";
import { Chances } from "./chances";

type Analysis = Schemas["Analysis"];
type Decision = Schemas["ReviewedDecision"];

export interface ReviewState {
  analysis: Analysis | null;
  /** Empty until the review is complete. */
  decisions: readonly Decision[];
  requestReview: () => Promise<unknown>;
}

const NO_DECISIONS: readonly Decision[] = [];

/** Return the review of a game. With `mayExist`, fetch one that a player has requested before. */
export function useReview(client: Client, id: string, mayExist: boolean): ReviewState {
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  const setReview = (found: Analysis) => setAnalysis(found.status === "failed" ? null : found);
  useEffect(() => {
    if (!mayExist) return;
    const controller = new AbortController();
    const { signal } = controller;
    const find = async () => {
      const { data } = await client.GET("/v1/games/{game_id}/review", { params: { path: { game_id: id } }, signal });
      if (data) await followAnalysis(client, data, {}, setReview, signal);
    };
    find().catch((error: unknown) => {
      if (error instanceof ProblemError) setAnalysis(null); // the analysis was cancelled
    });
    return () => controller.abort();
  }, [client, mayExist]);
  const requestReview = () => analyse(client, id, { kind: "review", best: 1 }, {}, setReview);
  return { analysis, decisions: analysis?.review?.decisions ?? NO_DECISIONS, requestReview };
}

/** Return the lost winning chances in whole percent. */
export const percentLost = ({ win_lost }: Decision): number => Math.round(100 * win_lost);

/** Return the decision that was made in the position of a revision, or null. */
export function decisionAt(
  decisions: readonly Decision[],
  steps: readonly number[],
  revision: number,
): Decision | null {
  const next = steps.find((step) => step > revision);
  return decisions.find((decision) => decision.revision === next) ?? null;
}

export function reviewArrows(decision: Decision | null): readonly MoveArrow[] {
  if (!decision) return [];
  const { played, best, seat } = decision;
  const bestArrow = moveArrow(best.action, seat, "best");
  return played.id === best.id ? [bestArrow] : [moveArrow(played.action, seat, "played"), bestArrow];
}

const lossText = (decision: Decision, words: Words) => words.replay.costs(percentLost(decision));

/** The verdict on a decision, in words. */
export function DecisionVerdict({ game, decision }: { game: Game; decision: Decision }) {
  const { words } = usePageContext();
  const isBest = decision.played.id === decision.best.id;
  return (
    <p class="judged" data-label={decision.label} role="status">
      <span class="arrow-name played">
        <b>{words.labels[decision.label] ?? decision.label}</b>
        {!isBest && ` (${lossText(decision, words)})`} {nameOf(game, decision.seat, words)}: {decision.played.text}
      </span>
      {!isBest && <span class="arrow-name best">{words.better(decision.best.text)}</span>}
    </p>
  );
}

const MISTAKE_LABELS = ["blunder", "mistake", "inaccuracy"];

/** Return whether a decision is worth learning from. */
export const isMistake = ({ label }: Decision): boolean => label === "blunder" || label === "mistake";

export function Review({
  game,
  seats,
  review,
  shown,
  showDecision,
  viewRevision,
}: Pick<PlayingProps, "game" | "seats"> & {
  review: ReviewState;
  /** The decision on the board. */
  shown: Decision | null;
  /** Show the position in which a decision was made. */
  showDecision: (decision: Decision) => void;
} & ViewingProps) {
  const { words } = usePageContext();
  const { analysis, decisions } = review;
  if (!analysis) return null;
  const result = analysis.review;
  if (!result)
    return (
      <section class="card review" id="review" aria-busy="true">
        <p role="status">{words.reviewing(analysis.progress)}</p>
        <progress value={analysis.progress} aria-label={words.review} />
      </section>
    );
  const mistakes = decisions.filter(({ label }) => MISTAKE_LABELS.includes(label));
  const own = mistakes.filter((decision) => seats.includes(decision.seat) && isMistake(decision));
  return (
    <section class="card review" id="review">
      <h2>{words.review}</h2>
      <ul class="story">
        {result.story.map(({ revision, text }, at) => (
          <li key={at}>
            <button class="quiet" onClick={() => viewRevision(revision === game.revision ? null : revision)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
      {own.length > 0 && (
        <a class="button" href={links.mistakes(game.id)}>
          {words.puzzles.learn(own.length)}
        </a>
      )}
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
