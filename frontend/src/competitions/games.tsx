/** The games of a competition: those of now with their links, and those of earlier rounds. */
import { type Schemas, unwrap } from "azul-games-client";
import { useEffect, useState } from "preact/hooks";
import { usePageContext, useClient } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import { links } from "../shared/route";
import { type Competition, isOver } from "./competition";
import { EntrantLink, entrantName } from "./standings";

type Contest = Schemas["CompetitionGame"];

const NOW = 0;
const MOST = 200;

/** A round of a Swiss, or all games of an arena. */
const ALL = -1;

export function CompetitionGames({ competition }: { competition: Competition }) {
  const { words } = usePageContext();
  const { competitions } = words;
  const client = useClient(null);
  const asking = useResultToast();
  const [choice, choose] = useState<number | null>(null);
  const [earlier, setEarlier] = useState<readonly Contest[]>([]);
  const { id, round, rounds, current_games: now, version } = competition;
  const over = isOver(competition);
  const chosen = choice ?? (over && rounds === null ? ALL : NOW); // when an arena is over, nothing is played
  useEffect(() => {
    if (chosen === NOW) return;
    const query = { limit: MOST, ...(chosen !== ALL && { round: chosen }) };
    const params = { path: { competition_id: id }, query };
    asking(
      client
        .GET("/v1/competitions/{competition_id}/games", { params })
        .then((answer) => setEarlier(unwrap(answer).games)),
    );
  }, [chosen, version]);
  const choices: [number, string][] =
    rounds === null
      ? [[ALL, competitions.allGames]]
      : Array.from({ length: Math.max(0, round) }, (_, at) => [at + 1, competitions.roundNumber(at + 1)]);
  const shown = chosen === NOW ? now : earlier;
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
            {(!over || rounds !== null) && (
              <option value={NOW}>{over ? competitions.lastOnes : competitions.now}</option>
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

const FIGURES: Record<string, string> = { "0": "0", "0.5": "½", "1": "1" };

function Row({ contest }: { contest: Contest }) {
  const { words, me } = usePageContext();
  const { competitions } = words;
  const { game_id: game, players, ended_at } = contest;
  const [one, other] = players;
  if (!one) return null;
  const ours = players.some(({ player }) => player !== null && player === me.id);
  if (game === null || !other) {
    return (
      <li data-own={ours}>
        <span>
          <EntrantLink one={one} /> <small>{competitions.bye}</small>
        </span>
      </li>
    );
  }
  const score = ended_at === null ? "–" : players.map((each) => FIGURES[String(each.score)] ?? each.score).join(" : ");
  const said = ended_at === null ? (ours ? competitions.toGame : competitions.watch) : competitions.look;
  const names = competitions.against(entrantName(one, words), entrantName(other, words));
  return (
    <li data-own={ours}>
      <span class="pairing">
        <EntrantLink one={one} /> <b class="score">{score}</b> <EntrantLink one={other} />
      </span>
      <a href={links.game(game)} aria-label={`${said}: ${names}`}>
        {said}
      </a>
    </li>
  );
}
