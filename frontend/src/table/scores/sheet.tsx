/** The score sheet of a finished game: the result, the parts of each score, and the scores by round. */
import type { ComponentChildren } from "preact";
import type { Game } from "../../game/live";
import type { GameEvent } from "../../rulesets/base/events";
import { nameOf, winnersOf } from "../../game/players";
import { useCopy } from "../../parts/sharing";
import { rulesetTexts } from "../../rulesets/registry";
import { usePageContext } from "../../shared/context";
import { prefersReducedMotion } from "../../shared/device";
import { storedGame } from "../../shared/store";
import type { Words } from "../../shared/words";
import type { Losers } from "../../shared/words/en/scoring";
import { signed } from "../../shared/words/plural";
import { type RoundScores, scoreHistory } from "./score_history";

const WIDTH = 300;
const HEIGHT = 120;
/** With more labels, that of the last round would overlap the final one. */
const MAX_LABELS = 6;
const EDGE = { left: 26, right: 8, top: 8, bottom: 18 };

/** Return the winners and the margin in words. */
function verdictOf(game: Game, ownSeats: readonly number[], words: Words): { wins: string; how: string } {
  const { scoring } = words;
  const seats = game.outcome?.seats ?? [];
  const winners = winnersOf(game);
  const wins = scoring.wins(winners.map((seat) => nameOf(game, seat, words)));
  const reason = scoring.reasons[game.outcome?.reason ?? ""];
  if (reason) return { wins, how: reason(losersOf(game, ownSeats, words)) };
  if (winners.length > 1) return { wins, how: scoring.shared };
  const others = seats.filter(({ won }) => !won).map(({ score }) => score);
  const margin = (seats[winners[0] ?? 0]?.score ?? 0) - Math.max(0, ...others);
  return { wins, how: margin > 0 ? scoring.winBy(margin) : scoring.level };
}

/** Return the losers from the point of view of this browser's seats. */
function losersOf(game: Game, ownSeats: readonly number[], words: Words): Losers {
  const winners = winnersOf(game);
  const [loser, ...others] = game.seats.map((_, seat) => seat).filter((seat) => !winners.includes(seat));
  if (loser === undefined || others.length) return "others";
  if (ownSeats.length !== 1) return { name: nameOf(game, loser, words) };
  return ownSeats[0] === loser ? "you" : "opponent";
}

export function ScoreSheet({
  game,
  events,
  seats: ownSeats,
  children,
}: {
  game: Game;
  events: readonly GameEvent[];
  /** This browser's seats. */
  seats: readonly number[];
  /** Buttons for the finished game. */
  children: ComponentChildren;
}) {
  const { words, settings } = usePageContext();
  const { scoring } = words;
  if (!game.outcome) return null;
  const { seats } = game.outcome;
  const { wins, how } = verdictOf(game, ownSeats, words);
  const parts = Object.keys(seats[0]?.breakdown ?? {});
  const inWords = rulesetTexts(game.ruleset, words).parts;
  const names = game.seats.map((_, seat) => nameOf(game, seat, words));
  const history = scoreHistory(events, game);
  return (
    <section class="card sheet" id="sheet" data-still={!settings.motion}>
      <h2>{scoring.sheet}</h2>
      <p class="verdict">
        <b>
          <span aria-hidden="true">★ </span>
          {wins}
        </b>{" "}
        {how}
      </p>
      <div class="scroller" tabIndex={0} role="group" aria-label={scoring.sheet}>
        <table>
          <thead>
            <tr>
              <th scope="col">{scoring.from}</th>
              {names.map((name, seat) => (
                <th scope="col" key={seat} data-won={seats[seat]?.won} data-seat-colour={seat}>
                  <span title={name}>{name}</span>
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
      <div class="tools">
        {children}
        <ShareResult game={game} names={names} />
      </div>
    </section>
  );
}

/** A button that scrolls to the sheet, which lies below the table on a narrow page. */
export function ScoreSheetButton() {
  const { words, settings } = usePageContext();
  const go = () =>
    document
      .getElementById("sheet")
      ?.scrollIntoView({ behavior: settings.motion && !prefersReducedMotion() ? "smooth" : "auto" });
  return (
    <div class="to-sheet">
      <button class="primary" onClick={go}>
        {words.scoring.sheet}
      </button>
    </div>
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

/** A button that shares the result in one line, with a link for watching if there is one. */
function ShareResult({ game, names }: { game: Game; names: readonly string[] }) {
  const { words } = usePageContext();
  const copy = useCopy();
  const share = async () => {
    const ranked = names.map((name, seat) => ({ name, ...game.outcome?.seats[seat] }));
    ranked.sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
    const standing = ranked.map(({ name, score }) => `${name} ${score}`).join(" · ");
    const text = `${rulesetTexts(game.ruleset, words).name}: ${standing}`;
    const { watch } = storedGame(game.id);
    const query = watch ? `?${new URLSearchParams({ watch })}` : "";
    const url = `${location.href.split("#")[0]}#/${game.id}${query}`;
    if (navigator.share) await navigator.share({ text, url }).catch(() => undefined);
    else await copy(`${text}\n${url}`);
  };
  return <button onClick={share}>{words.scoring.share}</button>;
}
