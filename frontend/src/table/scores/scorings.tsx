/** Scorings in the log, with the scores of all seats at the end of a round. */
import { Fragment } from "preact";
import type { GameEvent } from "../../rulesets/base/events";
import { scoringOf } from "../../rulesets/log";
import { usePageContext } from "../../shared/context";
import { signed } from "../../shared/words/plural";
import { immediatePoints, type RoundScores } from "./score_history";

/** Points of the decision itself. */
export function ImmediatePoints({ event }: { event: GameEvent }) {
  const { words } = usePageContext();
  const points = immediatePoints(event, words);
  return points === 0 ? null : <PointsGained points={points} />;
}

export function PointsGained({ points }: { points: number }) {
  return (
    <b class="gain" data-loss={points < 0}>
      {signed(points)}
    </b>
  );
}

export function Scorings({
  event,
  variant,
  history,
  name,
}: {
  event: GameEvent;
  variant: string;
  history: readonly RoundScores[];
  name: (seat: number) => string;
}) {
  const { words } = usePageContext();
  const scorings = event.effects.flatMap((effect) => scoringOf(effect, words, variant) ?? []);
  const roundScores = history.find(({ revision }) => revision === event.revision);
  if (scorings.length === 0 && !roundScores) return null;
  return (
    <ul class="scorings">
      {scorings.map(({ seat, text, points, colour }, number) => (
        <li key={number}>
          {colour && <i class="swatch" data-colour={colour} aria-hidden="true" />}
          <span>
            {name(seat)}: {text}
          </span>
          <PointsGained points={points} />
        </li>
      ))}
      {roundScores && (
        <li class="standings">
          <b>{words.scoring.round(roundScores.round)}</b>
          <span>
            {roundScores.scores.map((score, seat) => (
              <Fragment key={seat}>
                {seat > 0 && " · "}
                {name(seat)} <b>{score}</b>
              </Fragment>
            ))}
          </span>
        </li>
      )}
    </ul>
  );
}
