/** Players who were seen at the same address as a player. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { playerName } from "../../parts/player_link";
import { useAdmin } from "../context";
import { PagedList, PlayerRef, usePages, When } from "../parts";

export function LinkedPlayers({ id }: { id: string }) {
  const { words, staff } = useAdmin();
  const [since, setSince] = useState<string | null>(null);
  const pages = usePages(async () => {
    const params = { path: { player: id } };
    const { players, since } = unwrap(await staff.GET("/v1/admin/players/{player}/linked", { params }));
    setSince(since);
    return { items: players, next: null };
  }, [staff, id]);
  const empty = since === null ? words.linkingOff : words.noLinkedPlayers;
  return (
    <>
      <h2>{words.linkedPlayers}</h2>
      {since !== null && (
        <p class="note">
          {words.linkedNote} <When at={since} />
        </p>
      )}
      <PagedList pages={pages} empty={empty} keyOf={({ player }) => player.id}>
        {({ player, last_seen_at }) => (
          <>
            <PlayerRef id={player.id} name={playerName(player, words)} />
            <When at={last_seen_at} />
          </>
        )}
      </PagedList>
    </>
  );
}
