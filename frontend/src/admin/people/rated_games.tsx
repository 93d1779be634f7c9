/** The rated games of a player, which admins remove from the ratings and restore. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { useResultToast } from "../../shared/fetching";
import { signed } from "../../shared/words/plural";
import { type Schemas, useAdmin } from "../context";
import { Badge, PagedList, PlayerRef, ratingTitle, usePages, When } from "../parts";
import { asInstant, ReasonDialog, TimeField } from "../reason_dialog";

type RatedGame = Schemas["RatedGame"];
type RatedAct = Schemas["RatedGamesActRequest"]["act"];

/** Games that are shown at first. */
const FIRST = 10;

/** `name`: the name to show; `changed` is called after an act, which changes ratings. */
export function RatedGames({ id, name, changed }: { id: string; name: string; changed: () => Promise<void> }) {
  const { words, staff, role } = useAdmin();
  const showResult = useResultToast();
  const [asked, ask] = useState<RatedAct | null>(null);
  const [since, setSince] = useState("");
  const [most, setMost] = useState(FIRST);
  const params = { path: { player: id } };
  const pages = usePages<RatedGame>(async () => {
    const { games } = unwrap(await staff.GET("/v1/admin/players/{player}/rated-games", { params }));
    return { items: games, next: null };
  }, [staff, id]);
  const games = pages.items ?? [];
  const items = pages.items && games.slice(0, most);
  const more = games.length > most ? () => setMost(games.length) : null;
  const send = async (act: RatedAct, reason: string) => {
    const body = { act, reason, since: asInstant(since) };
    unwrap(await staff.POST("/v1/admin/players/{player}/rated-games/acts", { params, body }));
    setSince("");
    await Promise.all([pages.reload(), changed()]);
  };
  const button = (act: RatedAct) => <button onClick={() => ask(act)}>{words.ratedActs[act]}</button>;
  return (
    <>
      <div class="heading">
        <h2>{words.ratedGames}</h2>
        {role === "admin" && (
          <div class="tools">
            {games.some(({ removed }) => !removed) && button("remove_rated_games")}
            {games.some(({ removed }) => removed) && button("restore_rated_games")}
          </div>
        )}
      </div>
      <PagedList pages={{ ...pages, items, more }} empty={words.noRatedGames} keyOf={({ game_id }) => game_id}>
        {(game) => <RatedGameRow game={game} />}
      </PagedList>
      {asked && (
        <ReasonDialog
          title={words.actTitle(words.ratedActs[asked], name)}
          text={words.ratedEffects[asked]}
          yes={words.ratedActs[asked]}
          isRequired
          send={(reason) => showResult(send(asked, reason ?? ""), words.acted(words.ratedActs[asked]))}
          close={() => ask(null)}
        >
          <TimeField label={words.endedSince} value={since} change={setSince} />
        </ReasonDialog>
      )}
    </>
  );
}

function RatedGameRow({
  game: { game_id, ruleset, seats, opponents, change, removed, ended_at },
}: {
  game: RatedGame;
}) {
  const { words } = useAdmin();
  return (
    <>
      <div>
        <a href={`play#/${game_id}`}>{ratingTitle({ ruleset, seats }, words)}</a>
        <p class="note">
          {words.opponents}: {opponents.map((each) => [<PlayerRef key={each} id={each} />, " "])}
        </p>
      </div>
      {removed && <Badge tone="bad">{words.removed}</Badge>}
      <span>{signed(change)}</span>
      <When at={ended_at} />
    </>
  );
}
