/** Published bots, with their owners and endpoints. */
import { unwrap } from "@azul-games/client";
import { playerName } from "../../parts/player_link";
import { type Schemas, useAdmin } from "../context";
import { Badge, Heading, PagedList, PlayerRef, usePages, When } from "../parts";

type Bot = Schemas["AdministeredBot"];

export function Bots() {
  const { words, staff } = useAdmin();
  const pages = usePages<Bot>(
    async () => ({ items: unwrap(await staff.GET("/v1/admin/bots")).bots, next: null }),
    [staff],
  );
  return (
    <>
      <Heading title={words.sections.bots} />
      <PagedList pages={pages} empty={words.noBots} keyOf={({ player }) => player.id}>
        {({ player, owner, url, disabled, arena, seen_at, failed_at }) => (
          <>
            <div>
              <PlayerRef id={player.id} name={playerName(player, words)} />
              <p class="note">
                {words.ownedBy} {owner === null ? words.none : <PlayerRef id={owner} />} · {url ?? words.polls}
              </p>
              {failed_at && (
                <p class="note">
                  {words.failedAt} <When at={failed_at} />
                </p>
              )}
            </div>
            {arena && <Badge>{words.arena}</Badge>}
            {disabled && <Badge tone="bad">{words.disabled}</Badge>}
            {seen_at && (
              <span class="note">
                {words.seenAt} <When at={seen_at} />
              </span>
            )}
          </>
        )}
      </PagedList>
    </>
  );
}
