/** A small chart of bars, one for each day. */
import { formatDate } from "../../parts/player_link";
import { useAdmin } from "../context";

const WIDTH = 320;
const HEIGHT = 96;
/** Part of a bar's width that separates it from the next one. */
const GAP = 0.2;

export interface DayValue {
  /** `2026-01-31`. */
  day: string;
  value: number;
}

/** Return the height of each bar in px. Days without a value have none. */
export function barHeights(values: readonly number[], height = HEIGHT): number[] {
  const most = Math.max(1, ...values);
  return values.map((value) => (value / most) * height);
}

export function Chart({
  title,
  days,
  textOf = String,
}: {
  title: string;
  days: readonly DayValue[];
  textOf?: (value: number) => string;
}) {
  const { words, settings } = useAdmin();
  const width = WIDTH / Math.max(1, days.length);
  const heights = barHeights(days.map(({ value }) => value));
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const [from, till] = [first, last].map(({ day }) => formatDate(day, settings.language));
  const most = Math.max(...days.map(({ value }) => value));
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title}</h2>
        <span class="note">{words.mostAndLast(textOf(most), textOf(last.value))}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${from} – ${till}`}>
        {days.map(({ day, value }, at) => (
          <rect
            key={day}
            x={(at + GAP / 2) * width}
            y={HEIGHT - (heights[at] ?? 0)}
            width={(1 - GAP) * width}
            height={heights[at]}
          >
            <title>{`${formatDate(day, settings.language)}: ${textOf(value)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="note ends">
        <span>{from}</span>
        <span>{till}</span>
      </p>
    </figure>
  );
}
