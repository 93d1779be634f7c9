/** Stepping through a game by buttons, arrow keys or automatically. */
import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import type { GameEvent } from "../rulesets/base/events";
import { usePageContext } from "../shared/context";
import { useKeys } from "../shared/keys";

const STEP_MS = 1600;
const BOARD_EVENTS = ["start", "draw", "action"];
const INPUT_SELECTOR = "input, textarea, select, [contenteditable]";

const SIGNS = {
  first: "M3 3h3v14h-3zM17 3v14L7 10z",
  previous: "M15 3v14L5 10z",
  next: "M5 3v14l10-7z",
  last: "M14 3h3v14h-3zM3 3v14l10-7z",
};

/** Return the revisions at which the board changed. */
export const stepsOf = (events: readonly GameEvent[], hasPosition: boolean): number[] =>
  events.filter(({ kind }) => hasPosition && BOARD_EVENTS.includes(kind)).map(({ revision }) => revision);

export function Replay({
  steps,
  revision,
  viewRevision,
}: {
  steps: readonly number[];
  /** The shown revision. */
  revision: number;
  viewRevision: (revision: number | null) => void;
}) {
  const { words } = usePageContext();
  const [isPlaying, setIsPlaying] = useState(false);
  const place = steps.findLastIndex((step) => step <= revision);
  const end = steps.length - 1;
  const goTo = (step: number) => {
    const to = Math.min(end, Math.max(0, step));
    viewRevision(to === end ? null : (steps[to] ?? null));
  };
  const move = (step: number) => {
    setIsPlaying(false);
    goTo(step);
  };
  useEffect(() => {
    if (!isPlaying) return;
    if (place >= end) return setIsPlaying(false);
    const timer = setTimeout(() => goTo(place + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, place]);
  useKeys((event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof Element && target.closest(INPUT_SELECTOR)) return;
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: end }[key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  });
  if (steps.length < 2) return null;
  const { replay } = words;
  const button = (sign: keyof typeof SIGNS, label: string, to: number) => (
    <Button
      aria-label={label}
      title={label}
      whyNot={(to < 0 || to > end || to === place) && (to > 0 ? replay.isLast : replay.isFirst)}
      onClick={() => move(to)}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={SIGNS[sign]} />
      </svg>
    </Button>
  );
  return (
    <div class="replay" role="group" aria-label={replay.steps} title={replay.keys}>
      {button("first", replay.first, 0)}
      {button("previous", replay.previous, place - 1)}
      <button
        class="primary"
        aria-pressed={isPlaying}
        onClick={() => {
          if (!isPlaying && place >= end) goTo(0);
          setIsPlaying(!isPlaying);
        }}
      >
        {isPlaying ? replay.stop : replay.play}
      </button>
      {button("next", replay.next, place + 1)}
      {button("last", replay.last, end)}
      <span class="note">{replay.at(place + 1, steps.length)}</span>
    </div>
  );
}
