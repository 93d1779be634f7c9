/** The curve of winning chances. Games for two have one line, others a line per seat. */
import type { Schemas } from "@azul-games/client";
import type { Game } from "../game/live";
import { nameOf } from "../game/players";
import { usePageContext } from "../shared/context";

type Decision = Schemas["ReviewedDecision"];

const WIDTH = 600;
const HEIGHT = 150;
const EDGE = 8;
const MARKED_LABELS = ["mistake", "blunder"];

const y = (chance: number) => EDGE + (1 - chance) * (HEIGHT - 2 * EDGE);

export function Chances({
  game,
  decisions,
  ownSeat,
  shown,
  showDecision,
}: {
  game: Game;
  decisions: readonly Decision[];
  ownSeat: number;
  shown: Decision | null;
  showDecision: (decision: Decision) => void;
}) {
  const { words } = usePageContext();
  const isForTwo = game.seats.length === 2;
  const seats = isForTwo ? [ownSeat] : game.seats.map((_, seat) => seat);
  const x = (number: number) => EDGE + (number / Math.max(1, decisions.length)) * (WIDTH - 2 * EDGE);
  const winners = game.outcome?.seats.filter(({ won }) => won).length || 1;
  const points = (seat: number) => {
    const pointsPlayed = decisions.flatMap((decision, number) => {
      const { seat: by, win_probability_played: chance } = decision;
      if (by !== seat && !isForTwo) return [];
      return [{ x: x(number), y: y(by === seat ? chance : 1 - chance), decision }];
    });
    const end = { x: x(decisions.length), y: y(game.outcome?.seats[seat]?.won ? 1 / winners : 0), decision: null };
    return [...pointsPlayed, end];
  };
  const nearest = (event: MouseEvent & { currentTarget: Element }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const along = ((event.clientX - left) / width) * WIDTH;
    const number = Math.round(((along - EDGE) / (WIDTH - 2 * EDGE)) * decisions.length);
    const decision = decisions[Math.min(decisions.length - 1, Math.max(0, number))];
    if (decision) showDecision(decision);
  };
  const shownIndex = shown ? decisions.indexOf(shown) : -1;
  const names = seats.map((seat) => nameOf(game, seat, words));
  return (
    <figure class="chances">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={words.replay.curve(names.join(", "))}
        onClick={nearest}
      >
        <line class="even" x1={EDGE} x2={WIDTH - EDGE} y1={y(0.5)} y2={y(0.5)} />
        {shownIndex >= 0 && <line class="now" x1={x(shownIndex)} x2={x(shownIndex)} y1={EDGE} y2={HEIGHT - EDGE} />}
        {seats.map((seat) => {
          const line = points(seat);
          return (
            <g key={seat} data-seat={seat}>
              <polyline points={line.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(" ")} />
              {line.map(
                ({ x, y, decision }) =>
                  decision &&
                  MARKED_LABELS.includes(decision.label) && (
                    <circle key={decision.revision} cx={x} cy={y} r="6" data-label={decision.label} />
                  ),
              )}
            </g>
          );
        })}
      </svg>
      <figcaption class="note">
        {words.replay.chances}:{" "}
        {seats.map((seat, place) => (
          <span key={seat} class="named" data-seat={seat}>
            {names[place]}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
