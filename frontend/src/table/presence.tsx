/** Who looks at the game now: a dot for each seat that is here, and a line about those who watch. */
import { type Client, type Schemas, unwrap } from "azul-games-client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { playerName } from "../parts/player_link";
import { usePageContext } from "../shared/context";
import { usePolling } from "../shared/polling";
import { links } from "../shared/route";

type Presence = Schemas["Presence"];

const AGAIN_MS = 15_000;

/** Asked for now and again; null until it is known. */
export function usePresence(client: Client, id: string): Presence | null {
  const [presence, tell] = useState<Presence | null>(null);
  const ask = async (signal: AbortSignal) =>
    tell(unwrap(await client.GET("/v1/games/{game_id}/presence", { params: { path: { game_id: id } }, signal })));
  usePolling(ask, AGAIN_MS, [client, id]);
  return presence;
}

export function Here() {
  const { here } = usePageContext().words.presence;
  return <span class="here" role="img" aria-label={here} title={here} />;
}

/** Nothing where nobody but oneself watches. */
export function Watching({ watching, watches }: { watching: Schemas["Watching"] | null; watches: boolean }) {
  const { words, settings, change, me } = usePageContext();
  const { presence } = words;
  const { count, players } = watching ?? { count: 0, players: [] };
  const others = players.filter(({ id }) => id !== me.id);
  const known: ComponentChildren[] = others.map((player) => (
    <a key={player.id} href={links.player(player.id)}>
      {playerName(player, words)}
    </a>
  ));
  const own = Number(watches);
  const guests = Math.max(0, count - own - known.length);
  const told = [...(watches ? [words.you] : []), ...known, ...(guests ? [presence.guests(guests)] : [])];
  return (
    <>
      {told.length > own && (
        <p class="note watching">
          {presence.watching(own + known.length + guests)}:{" "}
          {told.map((each, place) => (
            <>
              {place > 0 && ", "}
              {each}
            </>
          ))}
        </p>
      )}
      {watches && me.token !== null && (
        <label class="check note counted" title={presence.unseenNote}>
          <input
            type="checkbox"
            checked={settings.unseen}
            onChange={({ currentTarget }) => change({ unseen: currentTarget.checked })}
          />
          {presence.unseen}
        </label>
      )}
    </>
  );
}
