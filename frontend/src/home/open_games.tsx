/** The player's open games on this and other devices, with their progress. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import { formatDate } from "../parts/player_link";
import { rulesetTexts } from "../rulesets/registry";
import { bearerHeader } from "../shared/client";
import { useClient, usePageContext } from "../shared/context";
import { links } from "../shared/route";
import { forgetGame, readingTokens, storedGame, type StoredGame, storedGames } from "../shared/store";

type GameProgress = Pick<Schemas["GameSummary"], "status" | "to_decide" | "seats">;

/** The number of stored games whose progress is fetched. Older ones are listed under "Show more". */
const MAX_FETCHED = 6;

/** Return the progress of a game, or null if it cannot be read. */
async function fetchProgress(client: Client, game: StoredGame): Promise<GameProgress | null> {
  const params = { path: { game_id: game.id } };
  return client
    .GET("/v1/games/{game_id}", { params, headers: bearerHeader(readingTokens(game)[0]) })
    .then((answer) => unwrap(answer))
    .catch(() => null);
}

export function OpenGames() {
  const { words, me } = usePageContext();
  const { people } = words;
  const client = useClient(me.token);
  const [games, setGames] = useState(storedGames);
  const [progress, setProgress] = useState<Record<string, GameProgress | null>>({});
  const [elsewhere, setElsewhere] = useState<readonly Schemas["GameSummary"][]>([]);
  useEffect(() => {
    for (const game of games.slice(0, MAX_FETCHED)) {
      fetchProgress(client, game).then((found) => setProgress((before) => ({ ...before, [game.id]: found })));
    }
    if (me.token === null) return setElsewhere([]);
    client
      .GET("/v1/me/games", { params: { query: { status: "playing", limit: 10 } } })
      .then((answer) => setElsewhere(unwrap(answer).games))
      .catch(() => undefined);
  }, [client]);
  const forgetRow = (id: string) => {
    forgetGame(id);
    setGames(storedGames());
  };
  const statusOf = (id: string, progress: GameProgress | null | undefined) => {
    if (progress === undefined) return "";
    if (progress === null) return people.goneGame;
    const { status, to_decide: seat } = progress;
    const player = seat === null ? null : (progress.seats[seat]?.player ?? null);
    const isOurs = seat !== null && ((player !== null && player === me.id) || seat in storedGame(id).seats);
    return status === "playing" && isOurs ? people.yourMove : (people.status[status] ?? status);
  };
  const storedRows = games.map(({ id, ruleset, at }) => (
    <Row key={id} id={id} ruleset={ruleset} at={at} status={statusOf(id, progress[id])} forget={forgetRow} />
  ));
  const otherRows = elsewhere
    .filter(({ id }) => !games.some((game) => game.id === id))
    .map((game) => (
      <Row
        key={game.id}
        id={game.id}
        ruleset={game.ruleset}
        at={Date.parse(game.updated_at)}
        status={statusOf(game.id, game)}
      />
    ));
  if (storedRows.length + otherRows.length === 0) return null;
  return (
    <section class="card">
      <h2>{words.yourGames}</h2>
      <ul class="games rows">
        {otherRows}
        {storedRows.slice(0, MAX_FETCHED)}
      </ul>
      {storedRows.length > MAX_FETCHED && (
        <details>
          <summary>{people.more}</summary>
          <ul class="games rows">{storedRows.slice(MAX_FETCHED)}</ul>
        </details>
      )}
    </section>
  );
}

interface RowProps {
  id: string;
  ruleset: string;
  /** Milliseconds since 1970. */
  at: number;
  status: string;
  /** Undefined for games that this browser does not store. */
  forget?: (id: string) => void;
}

function Row({ id, ruleset, at, status, forget }: RowProps) {
  const { words, settings } = usePageContext();
  const name = rulesetTexts(ruleset, words).name || words.game;
  return (
    <li>
      <div>
        <a href={links.game(id)}>{name}</a> <small>{status}</small>
      </div>
      <div class="tools">
        <time>{formatDate(at, settings.language)}</time>
        {forget && (
          <button class="quiet" aria-label={`${words.forget}: ${name}`} onClick={() => forget(id)}>
            {words.forget}
          </button>
        )}
      </div>
    </li>
  );
}
