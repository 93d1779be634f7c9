/** A notice on every page that the player's next game in a competition has begun. */
import { unwrap } from "@azul-games/client";
import { useRef, useState } from "preact/hooks";
import { useClient, usePageContext } from "../shared/context";
import { usePolling } from "../shared/polling";
import { links, parseRoute } from "../shared/route";
import { type Competition, isOver } from "./competition";

/** Poll intervals: the player's competitions, and news of the first one. A response without news is cheap. */
const LIST_POLL_MS = 60_000;
const POLL_MS = 4000;

export function CompetingNotice() {
  const { words, me } = usePageContext();
  const client = useClient(me.token);
  const [id, setId] = useState<string | null>(null);
  const [found, setFound] = useState<Competition | null>(null);
  const seenVersion = useRef(0);
  const route = parseRoute(location.hash);
  const isListed = route.page === "competitions" || route.page === "competition";
  usePolling(
    async (signal) => {
      const { entered } =
        me.token === null ? { entered: [] } : unwrap(await client.GET("/v1/me/competitions", { signal }));
      const open = entered.filter((one) => !isOver(one));
      const first = open.find(({ status }) => status === "running") ?? open[0];
      seenVersion.current = 0;
      setId(first?.id ?? null);
    },
    LIST_POLL_MS,
    [client, isListed], // the player may have joined one on those pages
  );
  usePolling(
    async (signal) => {
      if (id === null) return setFound(null);
      const query = seenVersion.current ? { after: seenVersion.current } : {};
      const answer = await client.GET("/v1/competitions/{competition_id}", {
        params: { path: { competition_id: id }, query },
        signal,
      });
      if (answer.response.status === 204) return;
      const news = unwrap(answer) as Competition;
      seenVersion.current = news.version;
      setFound(news);
    },
    POLL_MS,
    [client, id, isListed],
  );
  if (found === null || isListed || isOver(found) || found.status === "coming") return null;
  const game = found.standings.find(({ player }) => player === me.id)?.game_id ?? null;
  if (game !== null && route.page === "game" && route.id === game) return null;
  if (game === null) {
    return (
      <p class="notice">
        <a href={links.competition(found.id)}>{words.competitions.backTo(found.name)}</a>
      </p>
    );
  }
  return (
    <p class="notice" role="status">
      <a href={links.game(game)}>{words.competitions.gameBegun(found.name)}</a>
    </p>
  );
}
