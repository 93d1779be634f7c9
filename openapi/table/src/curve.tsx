/** A rating from day to day, as a small curve. */
import type { Schemas } from "azul-games-client";
import { useAround } from "./context";
import { onDay } from "./people";

type Day = Schemas["DayOfRating"];

const WIDTH = 240;
const HEIGHT = 64;
const EDGE = 6;
/** The fewest points that the height stands for, so that small changes look small. */
const LEAST_SPAN = 60;

/** Where each day stands; the time runs evenly, so days without a game leave a gap. */
function placed(history: readonly Day[]): [number, number][] {
  const days = history.map(({ day }) => Date.parse(day));
  const points = history.map((each) => each.points);
  const [first = 0] = days;
  const time = (days.at(-1) ?? first) - first || 1;
  const middle = (Math.min(...points) + Math.max(...points)) / 2;
  const span = Math.max(LEAST_SPAN, Math.max(...points) - Math.min(...points));
  return history.map((each, number) => [
    history.length === 1 ? WIDTH / 2 : EDGE + (((days[number] ?? first) - first) / time) * (WIDTH - 2 * EDGE),
    HEIGHT / 2 - ((each.points - middle) / span) * (HEIGHT - 2 * EDGE),
  ]);
}

export function Curve({ history }: { history: readonly Day[] }) {
  const { words, settings } = useAround();
  const [first, last] = [history[0], history.at(-1)];
  if (!first || !last) return null;
  const [from, till] = [onDay(first.day, settings.language), onDay(last.day, settings.language)];
  const places = placed(history).map(([x, y]) => [x.toFixed(1), y.toFixed(1)] as const);
  const [x, y] = places.at(-1) ?? ["0", "0"];
  return (
    <figure class="curve">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={words.people.curve(from, first.points, till, last.points)}
      >
        <polyline points={places.map((place) => place.join()).join(" ")} />
        <circle cx={x} cy={y} r="4" />
      </svg>
      <figcaption class="note">{first.day === last.day ? from : `${from} – ${till}`}</figcaption>
    </figure>
  );
}
