/** The games of a competition: the current ones and those of earlier rounds. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import { useClient, usePageContext } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import { links } from "../shared/route";
import { type Competition, isOver } from "./competition";
import { EntrantLink, entrantName } from "./standings";

type Contest = Schemas["CompetitionGame"];

const CURRENT = 0;
const MAX_GAMES = 200;

/** All games of an arena. Positive numbers are rounds of a Swiss. */
const ALL = -1;

export function CompetitionGames({ competition }: { competition: Competition }) {
  const { words } = usePageContext();
  const { competitions } = words;
  const client = useClient(null);
  const showResult = useResultToast();
  const [choice, choose] = useState<number | null>(null);
  const [earlier, setEarlier] = useState<readonly Contest[]>([]);
  const { id, round, rounds, current_games: now, version } = competition;
  const isFinished = isOver(competition);
  const chosen = choice ?? (isFinished && rounds === null ? ALL : CURRENT); // a finished arena has no current games
  useEffect(() => {
    if (chosen === CURRENT) return;
    const query = { limit: MAX_GAMES, ...(chosen !== ALL && { round: chosen }) };
    const params = { path: { competition_id: id }, query };
    showResult(
      client
        .GET("/v1/competitions/{competition_id}/games", { params })
        .then((answer) => setEarlier(unwrap(answer).games)),
    );
  }, [chosen, version]);
  const choices: [number, string][] =
    rounds === null
      ? [[ALL, competitions.allGames]]
      : Array.from({ length: Math.max(0, round) }, (_, at) => [at + 1, competitions.roundNumber(at + 1)]);
  const shown = chosen === CURRENT ? now : earlier;
  return (
    <section class="card stack">
      <div class="line">
        <h2>{competitions.games}</h2>
        {competition.status !== "coming" && (
          <select
            aria-label={competitions.games}
            value={chosen}
            onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
          >
            {(!isFinished || rounds !== null) && (
              <option value={CURRENT}>{isFinished ? competitions.lastOnes : competitions.now}</option>
            )}
            {choices.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
      {shown.length === 0 && <p class="note">{competitions.noGames}</p>}
      <ul class="rows contests" aria-label={competitions.games}>
        {shown.map((contest) => (
          <Row key={contest.game_id ?? contest.players[0]?.number} contest={contest} />
        ))}
      </ul>
    </section>
  );
}

const SCORES: Record<string, string> = { "0": "0", "0.5": "½", "1": "1" };

function Row({ contest }: { contest: Contest }) {
  const { words, me } = usePageContext();
  const { competitions } = words;
  const { game_id: game, players, ended_at } = contest;
  const [first, second] = players;
  if (!first) return null;
  const isOurs = players.some(({ player }) => player !== null && player === me.id);
  if (game === null || !second) {
    return (
      <li data-own={isOurs}>
        <span>
          <EntrantLink entrant={first} /> <small>{competitions.bye}</small>
        </span>
      </li>
    );
  }
  const score = ended_at === null ? "–" : players.map((each) => SCORES[String(each.score)] ?? each.score).join(" : ");
  const label = ended_at === null ? (isOurs ? competitions.toGame : competitions.watch) : competitions.look;
  const names = competitions.against(entrantName(first, words), entrantName(second, words));
  return (
    <li data-own={isOurs}>
      <span class="pairing">
        <EntrantLink entrant={first} /> <b class="score">{score}</b> <EntrantLink entrant={second} />
      </span>
      <a href={links.game(game)} aria-label={`${label}: ${names}`}>
        {label}
      </a>
    </li>
  );
}
