/** A competition in a few words: its settings and its progress. */
import { gameName } from "../parts/game_settings";
import { usePageContext } from "../shared/context";
import type { Settings } from "../shared/store";
import type { Words } from "../shared/words";
import { type Competition, type CompetitionSummary, useSecondsUntil } from "./competition";

const DAY_S = 86_400;

/** Return the settings, such as `Swiss · 5 rounds · Azul, grey side · 60 s per turn + 10 min reserve · rated`. */
export function competitionText(competition: CompetitionSummary, words: Words): string {
  const { competitions, people } = words;
  const { clock, rounds, minutes } = competition;
  return [
    competitions.format[competition.format],
    rounds === null ? competitions.minutesOf(minutes ?? 0) : competitions.roundsOf(rounds),
    gameName(competition, words),
    words.clockOf(clock.turn_s, clock.bank_s),
    competition.rated ? people.rated : people.forFun,
  ].join(" · ");
}

export const formatMoment = (moment: string, { language }: Settings): string =>
  new Date(moment).toLocaleString(language, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });

/** Return a duration, such as `1:02:03` or `4:05`. */
function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, "0"));
  return whole >= 3600 ? [Math.floor(whole / 3600), ...parts].join(":") : parts.join(":").replace(/^0/, "");
}

/** A text, and the time to which it counts down. */
interface Progress {
  text: string;
  until?: string | null;
}

function progressOf(competition: CompetitionSummary, unfinished: number | null, words: Words): Progress {
  const { competitions } = words;
  switch (competition.status) {
    case "coming":
      return competition.starts_at === null
        ? { text: competitions.beginsWhenStarted }
        : { text: competitions.beginsIn, until: competition.starts_at };
    case "running": {
      if (competition.rounds === null) return { text: competitions.timeLeft, until: competition.ends_at };
      if (competition.next_at !== null) return { text: competitions.nextRoundIn, until: competition.next_at };
      const round = competitions.round(competition.round, competition.rounds);
      if (unfinished === null) return { text: round };
      const rest =
        competition.round < competition.rounds ? competitions.nextRoundWhen(unfinished) : competitions.lastRound;
      return { text: rest };
    }
    case "cancelled":
      return { text: competitions.cancelled };
    default:
      return { text: competitions.ended };
  }
}

/** The progress in one line, with a countdown. */
export function CompetitionProgress({ competition }: { competition: CompetitionSummary | Competition }) {
  const { words, settings } = usePageContext();
  const { competitions } = words;
  const games =
    "current_games" in competition
      ? competition.current_games.filter(({ ended_at }) => ended_at === null).length
      : null;
  const { text, until } = progressOf(competition, games, words);
  const left = useSecondsUntil(until ?? null);
  if (!until) return <span>{text}</span>;
  if (left > DAY_S) {
    return (
      <span>
        {competitions.beginsOn} <time dateTime={until}>{formatMoment(until, settings)}</time>
      </span>
    );
  }
  if (left === 0)
    return (
      <span>
        {competition.status === "running" && competition.rounds === null ? competitions.timeUp : competitions.beginsNow}
      </span>
    );
  return (
    <span>
      {text} <time class="clock">{formatSeconds(left)}</time>
    </span>
  );
}
