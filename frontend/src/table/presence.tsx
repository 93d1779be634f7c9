/** Connected seats and watchers of a game. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Checkbox } from "../parts/fields";
import { playerName } from "../parts/player_link";
import { usePageContext } from "../shared/context";
import { usePolling } from "../shared/polling";
import { links } from "../shared/route";

type Presence = Schemas["Presence"];

const POLL_MS = 15_000;

/** Poll the presence. Null until the first response. */
export function usePresence(client: Client, id: string): Presence | null {
  const [presence, setPresence] = useState<Presence | null>(null);
  const ask = async (signal: AbortSignal) =>
    setPresence(
      unwrap(await client.GET("/v1/games/{game_id}/presence", { params: { path: { game_id: id } }, signal })),
    );
  usePolling(ask, POLL_MS, [client, id]);
  return presence;
}

export function PresenceDot() {
  const { here } = usePageContext().words.presence;
  return <span class="here" role="img" aria-label={here} title={here} />;
}

/** The watchers, or nothing if there are none besides the player. */
export function Watchers({ watching, isWatching }: { watching: Schemas["Watching"] | null; isWatching: boolean }) {
  const { words, settings, changeSettings, me } = usePageContext();
  const { presence } = words;
  const { count, players } = watching ?? { count: 0, players: [] };
  const others = players.filter(({ id }) => id !== me.id);
  const named: ComponentChildren[] = others.map((player) => (
    <a key={player.id} href={links.player(player.id)}>
      {playerName(player, words)}
    </a>
  ));
  const ownCount = Number(isWatching);
  const guests = Math.max(0, count - ownCount - named.length);
  const shown = [...(isWatching ? [words.you] : []), ...named, ...(guests ? [presence.guests(guests)] : [])];
  return (
    <>
      {shown.length > ownCount && (
        <p class="note watching">
          {presence.watching(ownCount + named.length + guests)}:{" "}
          {shown.map((each, place) => (
            <>
              {place > 0 && ", "}
              {each}
            </>
          ))}
        </p>
      )}
      {isWatching && me.token !== null && (
        <div class="note counted">
          <Checkbox
            label={presence.unseen}
            title={presence.unseenNote}
            checked={settings.unseen}
            toggle={(unseen) => changeSettings({ unseen })}
          />
        </div>
      )}
    </>
  );
}
