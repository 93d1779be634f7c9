/** A rating over time, as a small curve. */
import type { Schemas } from "@azul-games/client";
import { formatDate } from "../parts/player_link";
import { usePageContext } from "../shared/context";

type Day = Schemas["DayOfRating"];

const WIDTH = 240;
const HEIGHT = 64;
const EDGE = 6;
/** The minimum range of the vertical axis in points, so that small changes look small. */
const MIN_SPAN = 60;

const INITIAL_RATING = 1500;
const DAY_MS = 86_400_000;
/** The service returns at most this many days. A history of this length may lack its beginning. */
const MAX_DAYS = 366;

/**
 * Return the history with the initial rating on the day before its first entry, or on the day when the player was
 * created if that is later.
 */
export function withInitialRating(history: readonly Day[], created: string): readonly Day[] {
  const [first] = history;
  if (!first || history.length >= MAX_DAYS) return history;
  const before = new Date(Date.parse(first.day) - DAY_MS).toISOString().slice(0, 10);
  const beginning = created.slice(0, 10);
  return [{ day: before < beginning ? beginning : before, points: INITIAL_RATING, provisional: true }, ...history];
}

/** Return a point for each day. The time axis is linear, so days without games leave gaps. */
function curvePoints(days: readonly Day[]): string[] {
  const times = days.map(({ day }) => Date.parse(day));
  const points = days.map((each) => each.points);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const [least, most] = [Math.min(...points), Math.max(...points)];
  const span = Math.max(MIN_SPAN, most - least);
  return days.map((each, number) => {
    const share = number / Math.max(1, days.length - 1);
    const along = last > first ? ((times[number] ?? first) - first) / (last - first) : share; // all on one day
    const up = (each.points - (least + most) / 2) / span;
    return [EDGE + along * (WIDTH - 2 * EDGE), HEIGHT / 2 - up * (HEIGHT - 2 * EDGE)].map((at) => at.toFixed(1)).join();
  });
}

/** `created`: time when the player was created. */
export function Curve({ history, created }: { history: readonly Day[]; created: string }) {
  const { words, settings } = usePageContext();
  const days = withInitialRating(history, created);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const [from, till] = [formatDate(first.day, settings.language), formatDate(last.day, settings.language)];
  const places = curvePoints(days);
  const [x, y] = (places.at(-1) ?? "").split(",");
  return (
    <figure class="curve">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={words.people.curve(from, first.points, till, last.points)}
      >
        <polyline points={places.join(" ")} />
        <circle cx={x} cy={y} r="4" />
      </svg>
      <figcaption class="note">{`${from} – ${till}`}</figcaption>
    </figure>
  );
}
