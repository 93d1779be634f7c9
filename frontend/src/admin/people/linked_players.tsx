/** Players who were seen at the same address as a player. */
import { unwrap } from "@azul-games/client";
import { playerName } from "../../parts/player_link";
import { useLoaded } from "../../shared/fetching";
import { useAdmin } from "../context";
import { PagedList, PlayerRef, When } from "../parts";

export function LinkedPlayers({ id }: { id: string }) {
  const { words, staff } = useAdmin();
  const { value, error } = useLoaded(async () => {
    const params = { path: { player: id } };
    return unwrap(await staff.GET("/v1/admin/players/{player}/linked", { params }));
  }, [staff, id]);
  const { players: items = null, since = null } = value ?? {};
  const empty = since === null ? words.linkingOff : words.noLinkedPlayers;
  return (
    <>
      <h2>{words.linkedPlayers}</h2>
      {since !== null && (
        <p class="note">
          {words.linkedNote} <When at={since} />
        </p>
      )}
      <PagedList pages={{ items, error, more: null }} empty={empty} keyOf={({ player }) => player.id}>
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
