/** The games that one has open, here and on other devices, with how far they are. */
import { type Client, type Schemas, unwrap } from "azul-games-client";
import { useEffect, useState } from "preact/hooks";
import { onDay } from "../parts/player_link";
import { rulesetTexts } from "../rulesets/registry";
import { bearerHeader } from "../shared/client";
import { usePageContext, useClient } from "../shared/context";
import { links } from "../shared/route";
import { storedGames, forgetGame, storedGame, type StoredGame, readingTokens } from "../shared/store";

type Far = Pick<Schemas["GameSummary"], "status" | "to_decide" | "seats">;

/** How many of those that this browser remembers are asked for, newest first; the others wait behind a button. */
const MAX_ASKED = 6;

/** How far it is; null: it is gone, or cannot be read now. */
async function farOf(client: Client, game: StoredGame): Promise<Far | null> {
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
  const [far, setFar] = useState<Record<string, Far | null>>({});
  const [elsewhere, setElsewhere] = useState<readonly Schemas["GameSummary"][]>([]);
  useEffect(() => {
    for (const game of games.slice(0, MAX_ASKED)) {
      farOf(client, game).then((found) => setFar((before) => ({ ...before, [game.id]: found })));
    }
    if (me.token === null) return setElsewhere([]);
    client
      .GET("/v1/me/games", { params: { query: { status: "playing", limit: 10 } } })
      .then((answer) => setElsewhere(unwrap(answer).games))
      .catch(() => undefined);
  }, [client]);
  const forgetOne = (id: string) => {
    forgetGame(id);
    setGames(storedGames());
  };
  const inWords = (id: string, how: Far | null | undefined) => {
    if (how === undefined) return "";
    if (how === null) return people.goneGame;
    const { status, to_decide: seat } = how;
    const player = seat === null ? null : (how.seats[seat]?.player ?? null);
    const ours = seat !== null && ((player !== null && player === me.id) || seat in storedGame(id).seats);
    return status === "playing" && ours ? people.yourMove : (people.status[status] ?? status);
  };
  const kepts = games.map(({ id, ruleset, at }) => (
    <Row key={id} id={id} ruleset={ruleset} at={at} told={inWords(id, far[id])} forget={forgetOne} />
  ));
  const others = elsewhere
    .filter(({ id }) => !games.some((game) => game.id === id))
    .map((game) => (
      <Row
        key={game.id}
        id={game.id}
        ruleset={game.ruleset}
        at={Date.parse(game.updated_at)}
        told={inWords(game.id, game)}
      />
    ));
  if (kepts.length + others.length === 0) return null;
  return (
    <section class="card">
      <h2>{words.yourGames}</h2>
      <ul class="games rows">
        {others}
        {kepts.slice(0, MAX_ASKED)}
      </ul>
      {kepts.length > MAX_ASKED && (
        <details>
          <summary>{people.more}</summary>
          <ul class="games rows">{kepts.slice(MAX_ASKED)}</ul>
        </details>
      )}
    </section>
  );
}

interface RowOf {
  id: string;
  ruleset: string;
  /** Milliseconds since 1970. */
  at: number;
  /** How far it is, in words. */
  told: string;
  /** Not for what this browser does not remember. */
  forget?: (id: string) => void;
}

function Row({ id, ruleset, at, told, forget }: RowOf) {
  const { words, settings } = usePageContext();
  const name = rulesetTexts(ruleset, words).name || words.game;
  return (
    <li>
      <div>
        <a href={links.game(id)}>{name}</a> <small>{told}</small>
      </div>
      <div class="tools">
        <time>{onDay(at, settings.language)}</time>
        {forget && (
          <button class="quiet" aria-label={`${words.forget}: ${name}`} onClick={() => forget(id)}>
            {words.forget}
          </button>
        )}
      </div>
    </li>
  );
}
