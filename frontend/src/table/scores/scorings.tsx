/** In the log: what a decision scored, and what was scored after it, one by one, with the standing at a round's end. */
import { Fragment } from "preact";
import type { Event } from "../../game/live";
import { scoringOf } from "../../rulesets/log";
import { usePageContext } from "../../shared/context";
import { signed } from "../../shared/words/plural";
import { pointsAtOnce, type Standing } from "./score_history";

/** Points of the decision itself. */
export function AtOnce({ event }: { event: Event }) {
  const { words } = usePageContext();
  const points = pointsAtOnce(event, words);
  return points === 0 ? null : <Points points={points} />;
}

export function Points({ points }: { points: number }) {
  return (
    <b class="gain" data-loss={points < 0}>
      {signed(points)}
    </b>
  );
}

export function Scorings({
  event,
  variant,
  standings,
  name,
}: {
  event: Event;
  variant: string;
  standings: readonly Standing[];
  name: (seat: number) => string;
}) {
  const { words } = usePageContext();
  const scorings = event.effects.flatMap((effect) => scoringOf(effect, words, variant) ?? []);
  const standing = standings.find(({ revision }) => revision === event.revision);
  if (scorings.length === 0 && !standing) return null;
  return (
    <ul class="scorings">
      {scorings.map(({ seat, text, points, colour }, number) => (
        <li key={number}>
          {colour && <i class="swatch" data-colour={colour} aria-hidden="true" />}
          <span>
            {name(seat)}: {text}
          </span>
          <Points points={points} />
        </li>
      ))}
      {standing && (
        <li class="standings">
          <b>{words.scoring.round(standing.round)}</b>
          <span>
            {standing.scores.map((score, seat) => (
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
