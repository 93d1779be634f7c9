/** Published bots, with links to their players. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useAdmin } from "../context";
import { asTitle, Badge, Heading, PagedList, PlayerRef, usePages } from "../parts";

type Bot = Schemas["Bot"];

const PAGE_SIZE = 50;

export function Bots() {
  const { words, client } = useAdmin();
  const pages = usePages<Bot>(
    async (cursor) => {
      const query = { limit: PAGE_SIZE, ...(cursor && { cursor: String(cursor) }) };
      const { bots, next_cursor } = unwrap(await client.GET("/v1/bots", { params: { query } }));
      return { items: bots, next: next_cursor };
    },
    [client],
  );
  return (
    <>
      <Heading title={words.sections.bots} />
      <PagedList pages={pages} empty={words.noBots} keyOf={({ player }) => player.id}>
        {(bot) => (
          <>
            <div>
              <PlayerRef id={bot.player.id} name={bot.player.name ?? bot.player.handle} />
              <p class="note">
                {bot.rulesets.map(asTitle).join(", ")} · {words.ownedBy}{" "}
                <PlayerRef id={bot.owner?.id ?? null} name={bot.owner?.name ?? null} />
              </p>
            </div>
            <span class="note">{words.playing(bot.playing, bot.games_at_once)}</span>
            {bot.disabled ? (
              <Badge tone="bad">{words.disabled}</Badge>
            ) : (
              <Badge {...(bot.online && { tone: "good" })}>{bot.online ? words.online : words.isOffline}</Badge>
            )}
          </>
        )}
      </PagedList>
    </>
  );
}
