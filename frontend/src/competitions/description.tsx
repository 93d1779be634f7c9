/** A competition in a few words: what is played in it, and how far it is. */
import { gameName } from "../parts/game_settings";
import { usePageContext } from "../shared/context";
import type { Settings } from "../shared/store";
import type { Words } from "../shared/words";
import { type Competition, type Summary, useLeft } from "./competition";

const DAY_S = 86_400;

/** `Swiss · 5 rounds · Azul, grey side · 60 s per turn + 10 min reserve · rated`. */
export function competitionTold(of: Summary, words: Words): string {
  const { competitions, people } = words;
  const { clock, rounds, minutes } = of;
  return [
    competitions.format[of.format],
    rounds === null ? competitions.minutesOf(minutes ?? 0) : competitions.roundsOf(rounds),
    gameName(of, words),
    words.clockOf(clock.turn_s, clock.bank_s),
    of.rated ? people.rated : people.forFun,
  ].join(" · ");
}

export const momentTold = (moment: string, { language }: Settings): string =>
  new Date(moment).toLocaleString(language, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });

/** `1:02:03`, `4:05`. */
function timeTold(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, "0"));
  return whole >= 3600 ? [Math.floor(whole / 3600), ...parts].join(":") : parts.join(":").replace(/^0/, "");
}

/** Words, and the time that runs with them. */
interface Far {
  said: string;
  until?: string | null;
}

function farOf(of: Summary, unfinished: number | null, words: Words): Far {
  const { competitions } = words;
  switch (of.status) {
    case "coming":
      return of.starts_at === null
        ? { said: competitions.beginsWhenStarted }
        : { said: competitions.beginsIn, until: of.starts_at };
    case "running": {
      if (of.rounds === null) return { said: competitions.timeLeft, until: of.ends_at };
      if (of.next_at !== null) return { said: competitions.nextRoundIn, until: of.next_at };
      const round = competitions.round(of.round, of.rounds);
      if (unfinished === null) return { said: round };
      const rest = of.round < of.rounds ? competitions.nextRoundWhen(unfinished) : competitions.lastRound;
      return { said: rest };
    }
    case "cancelled":
      return { said: competitions.cancelled };
    default:
      return { said: competitions.ended };
  }
}

/** How far it is, in a line; with the time that is left, as it passes. */
export function HowFar({ of }: { of: Summary | Competition }) {
  const { words, settings } = usePageContext();
  const { competitions } = words;
  const games = "current_games" in of ? of.current_games.filter(({ ended_at }) => ended_at === null).length : null;
  const { said, until } = farOf(of, games, words);
  const left = useLeft(until ?? null);
  if (!until) return <span>{said}</span>;
  if (left > DAY_S) {
    return (
      <span>
        {competitions.beginsOn} <time dateTime={until}>{momentTold(until, settings)}</time>
      </span>
    );
  }
  if (left === 0)
    return <span>{of.status === "running" && of.rounds === null ? competitions.timeUp : competitions.beginsNow}</span>;
  return (
    <span>
      {said} <time class="clock">{timeTold(left)}</time>
    </span>
  );
}
