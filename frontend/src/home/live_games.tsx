import { type Schemas, unwrap } from "@azul-games/client";
import { useClient, usePageContext } from "../shared/context";
import { useLoaded } from "../shared/fetching";
import { GameCard } from "./open_games";

const MAX_SHOWN = 3;

/** Running public games to watch, without the player's own. Nothing if there are none. */
export function LiveGames({ own }: { own: readonly Schemas["GameSummary"][] }) {
  const { words } = usePageContext();
  const client = useClient(null);
  const { value: games } = useLoaded(async () => {
    const query = { status: "playing", limit: MAX_SHOWN + own.length } as const;
    return unwrap(await client.GET("/v1/games", { params: { query } })).games;
  }, [client]);
  const shown = (games ?? []).filter(({ id }) => !own.some((game) => game.id === id)).slice(0, MAX_SHOWN);
  if (shown.length === 0) return null;
  return (
    <section class="part" aria-labelledby="live-games">
      <h2 id="live-games">{words.people.liveGames}</h2>
      <ul class="game-cards">
        {shown.map((game) => (
          <GameCard key={game.id} game={game} />
        ))}
      </ul>
    </section>
  );
}
