/** The player's games on this and other devices: unfinished ones with their boards, and a list of the others. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { Confirmation } from "../parts/design/dialog";
import { Icon } from "../parts/design/icon";
import { formatDate, seatNames } from "../parts/player_link";
import { rulesetTexts } from "../rulesets/registry";
import { bearerHeader } from "../shared/client";
import { useClient, usePageContext } from "../shared/context";
import { links } from "../shared/route";
import { forgetGame, readingTokens, storedGame, type StoredGame, storedGames } from "../shared/store";
import { BoardPicture } from "./board_picture";

type Summary = Schemas["GameSummary"];

/** The number of stored games that are fetched. Older ones are listed without their status. */
const MAX_FETCHED = 6;

/** The page waits this long for the games, to avoid a layout shift. */
const MAX_WAIT_MS = 1500;

export interface OwnGames {
  /** Games that are not over; those that wait for this player first. */
  unfinished: readonly Summary[];
  /** Stored games that are over, or of unknown status. */
  others: readonly StoredGame[];
  forget: (id: string) => void;
}

/** Return the game, or null if it cannot be read. */
async function fetchGame(client: Client, game: StoredGame): Promise<Summary | null> {
  const params = { path: { game_id: game.id } };
  return client
    .GET("/v1/games/{game_id}", { params, headers: bearerHeader(readingTokens(game)[0]) })
    .then((answer) => unwrap(answer))
    .catch(() => null);
}

async function fetchOwnGames(client: Client): Promise<readonly Summary[]> {
  const params = { query: { status: "playing" as const, limit: 10 } };
  return client
    .GET("/v1/me/games", { params })
    .then((answer) => unwrap(answer).games)
    .catch(() => []);
}

/** Return the player's games, or null while they are requested. */
export function useOwnGames(): OwnGames | null {
  const { me } = usePageContext();
  const client = useClient(me.token);
  const [stored, setStored] = useState(storedGames);
  const [fetched, setFetched] = useState<readonly Summary[]>([]);
  const [isWaiting, setIsWaiting] = useState(stored.length > 0 || me.token !== null);
  useEffect(() => {
    const requests = storedGames()
      .slice(0, MAX_FETCHED)
      .map((game) => fetchGame(client, game));
    const timer = setTimeout(setIsWaiting, MAX_WAIT_MS, false);
    Promise.all([Promise.all(requests), me.token === null ? [] : fetchOwnGames(client)]).then(([known, own]) => {
      const summaries = [...known, ...own].filter((game) => game !== null);
      setFetched([...new Map(summaries.map((game) => [game.id, game])).values()]);
      setIsWaiting(false);
    });
    return () => clearTimeout(timer);
  }, [client]);
  if (isWaiting) return null;
  const unfinished = fetched.filter(({ status }) => status === "playing" || status === "open");
  const waitsForUs = (game: Summary) => Number(isOurTurn(game, me.id));
  return {
    unfinished: unfinished.sort((one, other) => waitsForUs(other) - waitsForUs(one)),
    others: stored.filter(({ id }) => !unfinished.some((game) => game.id === id)),
    forget: (id) => {
      forgetGame(id);
      setFetched(fetched.filter((game) => game.id !== id));
      setStored(storedGames());
    },
  };
}

const isOurs = ({ id, seats }: Summary, seat: number, me: string | null): boolean =>
  seat in storedGame(id).seats || (me !== null && seats[seat]?.player === me);

const isOurTurn = (game: Summary, me: string | null): boolean =>
  game.status === "playing" && game.to_decide !== null && isOurs(game, game.to_decide, me);

/** A card of a game: its board, the players, and whose turn it is. */
export function GameCard({ game, forget }: { game: Summary; forget?: (id: string) => void }) {
  const { words, me } = usePageContext();
  const { people } = words;
  const [isConfirming, setIsConfirming] = useState(false);
  const { id, ruleset, revision, to_decide: seat, status } = game;
  const { name } = rulesetTexts(ruleset, words);
  const seats = game.seats.map((_, at) => at);
  const others = seats.filter((at) => !isOurs(game, at, me.id));
  const seated = seatNames(game.seats, words);
  const names = others.map((at) => seated[at]).join(", ");
  const isNext = isOurTurn(game, me.id);
  const turn = isNext ? words.yourTurn : seat === null ? "" : words.turnOf(seated[seat] ?? "");
  return (
    <li class="card game-card" data-turn={isNext}>
      <BoardPicture
        version={`${id} ${revision}`}
        fetchSvg={(client, query) => {
          const headers = bearerHeader(readingTokens(storedGame(id))[0]);
          const params = { path: { game_id: id }, query };
          return client.GET("/v1/games/{game_id}/board.svg", { params, headers, parseAs: "text" }).then(unwrap);
        }}
      />
      <div>
        <a href={links.game(id)}>{name}</a>
        <p class="note">{others.length < seats.length ? people.against(names) : names}</p>
        <p class="turn">{status === "playing" ? turn : people.status[status]}</p>
      </div>
      {forget && (
        <button class="quiet sign" aria-label={`${words.forget}: ${name}`} onClick={() => setIsConfirming(true)}>
          <Icon icon={X} />
        </button>
      )}
      {forget && isConfirming && (
        <Confirmation
          title={`${words.forget}: ${name}`}
          text={people.forgetSure}
          yes={words.forget}
          confirm={() => forget(id)}
          close={() => setIsConfirming(false)}
        />
      )}
    </li>
  );
}

/** Stored games that are over, folded. */
export function EarlierGames({ others, forget }: OwnGames) {
  const { words, settings } = usePageContext();
  if (others.length === 0) return null;
  return (
    <details class="card">
      <summary>{words.people.earlierGames}</summary>
      <ul class="rows">
        {others.map(({ id, ruleset, at }) => {
          const name = rulesetTexts(ruleset, words).name || words.game;
          return (
            <li key={id}>
              <a href={links.game(id)}>{name}</a>
              <div class="tools">
                <time>{formatDate(at, settings.language)}</time>
                <button class="quiet" aria-label={`${words.forget}: ${name}`} onClick={() => forget(id)}>
                  {words.forget}
                </button>
              </div>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
