/** The score sheet of a finished game. */
import { Avatar } from "../../parts/player_link";
import type { Game } from "../../game/live";
import { nameOf } from "../../game/players";
import { rulesetTexts } from "../../rulesets/registry";
import { usePageContext } from "../../shared/context";
import { signed } from "../../shared/words/plural";
import type { RoundScores } from "./score_history";

const WIDTH = 300;
const HEIGHT = 120;
/** With more labels, that of the last round would overlap the final one. */
const MAX_LABELS = 6;
const EDGE = { left: 26, right: 8, top: 8, bottom: 18 };

/** The parts of each score and the scores by round. */
export function ScoreSheet({ game, history }: { game: Game; history: readonly RoundScores[] }) {
  const { words } = usePageContext();
  const { scoring } = words;
  if (!game.outcome) return null;
  const { seats } = game.outcome;
  const parts = Object.keys(seats[0]?.breakdown ?? {});
  const inWords = rulesetTexts(game.ruleset, words).parts;
  const names = game.seats.map((_, seat) => nameOf(game, seat, words));
  return (
    <>
      <h3>{scoring.sheet}</h3>
      <div class="scroller" tabIndex={0} role="group" aria-label={scoring.sheet}>
        <table>
          <thead>
            <tr>
              <th scope="col">{scoring.from}</th>
              {names.map((name, seat) => (
                <th scope="col" key={seat} data-won={seats[seat]?.won} data-seat-colour={seat} aria-label={name}>
                  <Avatar name={name} seat={seat} />
                  <span class="name" title={name}>
                    {name}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <tr key={part}>
                <th scope="row">{inWords[part] ?? part}</th>
                {seats.map(({ breakdown, won }, seat) => (
                  <td key={seat} data-won={won}>
                    {pointsCell(breakdown[part] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{scoring.total}</th>
              {seats.map(({ score, won }, seat) => (
                <td key={seat} data-won={won}>
                  <b>{score}</b>
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      <ScoreCurve history={history} names={names} final={seats.map(({ score }) => score)} />
    </>
  );
}

const pointsCell = (value: number) => (value < 0 ? signed(value) : value === 0 ? "–" : value);

/** The scores by round, a line per seat. */
function ScoreCurve({
  history,
  names,
  final,
}: {
  history: readonly RoundScores[];
  names: readonly string[];
  final: readonly number[];
}) {
  const { words } = usePageContext();
  const { scoring } = words;
  if (history.length < 2) return null;
  const steps = [...history.map(({ scores }) => scores), final];
  const most = Math.max(10, ...steps.flat());
  const x = (step: number) => EDGE.left + (step / (steps.length - 1)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (value: number) => HEIGHT - EDGE.bottom - (value / most) * (HEIGHT - EDGE.top - EDGE.bottom);
  const labels = names.map((name, seat) => scoring.curveOf(name, steps.map((scores) => scores[seat]).join(", ")));
  const grid = [0, Math.round(most / 2), most];
  const end = steps.length - 1;
  const label = (step: number) => {
    if (step === end) return scoring.end;
    return step === end - 1 && end > MAX_LABELS ? "" : (history[step]?.round ?? "");
  };
  return (
    <figure class="course">
      <figcaption>{scoring.curve}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${scoring.curve}. ${labels.join(". ")}`}>
        {grid.map((value) => (
          <g key={value} class="grid">
            <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(value)} y2={y(value)} />
            <text x={EDGE.left - 4} y={y(value) + 4} text-anchor="end">
              {value}
            </text>
          </g>
        ))}
        {steps.map((_, step) => (
          <text key={step} x={x(step)} y={HEIGHT - 4} text-anchor={step === end ? "end" : "middle"}>
            {label(step)}
          </text>
        ))}
        {names.map((_, seat) => (
          <g key={seat} data-seat-colour={seat}>
            <polyline
              points={steps.map((scores, step) => `${x(step).toFixed(1)},${y(scores[seat] ?? 0).toFixed(1)}`).join(" ")}
            />
            {steps.map((scores, step) => (
              <circle key={step} cx={x(step)} cy={y(scores[seat] ?? 0)} r={step === end ? 3.6 : 2.2} />
            ))}
          </g>
        ))}
      </svg>
    </figure>
  );
}
