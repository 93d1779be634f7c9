/** Rating changes of each seat after a rated game. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import type { Game } from "../game/live";
import { nameOf } from "../game/players";
import { usePageContext } from "../shared/context";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8000;

/** The service updates ratings shortly after the end. Poll for them with growing pauses. */
export function RatingChanges({ client, game }: { client: Client; game: Game }) {
  const { words } = usePageContext();
  const { people } = words;
  const [rating, setRating] = useState<Schemas["GameRating"] | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const poll = async (pause: number): Promise<void> => {
      const params = { path: { game_id: game.id } };
      const found = await client
        .GET("/v1/games/{game_id}/rating", { params, signal: controller.signal })
        .then((answer) => unwrap(answer))
        .catch(() => null);
      if (controller.signal.aborted) return;
      setRating((before) => found ?? before);
      if (found?.status === "applied" || found?.status === "not_counted") return;
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (!controller.signal.aborted) await poll(Math.min(2 * pause, MAX_PAUSE_MS));
    };
    poll(FIRST_PAUSE_MS);
    return () => controller.abort();
  }, [client, game.id, game.status]);
  return (
    <section class="card changes" aria-live="polite">
      <h2>{people.ratings}</h2>
      {(rating === null || rating.status === "pending" || rating.status === "unfinished") && (
        <p class="note">{people.ratingPending}</p>
      )}
      {rating?.status === "not_counted" && <p>{people.notCounted[rating.reason ?? ""] ?? people.notCountedAtAll}</p>}
      {rating?.status === "applied" && (
        <ul class="rows">
          {rating.seats.map(({ before, after, change, provisional }, seat) => (
            <li key={seat}>
              <span class="name">{nameOf(game, seat, words)}</span>
              <span>
                {before} → <b>{after}</b>
              </span>
              <b class="change" data-change={Math.sign(change)}>
                {change > 0 ? `+${change}` : change < 0 ? `−${-change}` : "±0"}
              </b>
              {provisional && <small>{people.provisional}</small>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
