/** A player: profile, standing, acts and reports about them. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Avatar, playerName } from "../../parts/player_link";
import { useLoaded, useResultToast } from "../../shared/fetching";
import { useAdmin } from "../context";
import { GameRow } from "../game_row";
import { Badge, Facts, Heading, LoadingNote, PagedList, ratingTitle, Until, usePages, When } from "../parts";
import { type Act, type ModeratedPlayer, type PlayerDetails, possibleActs } from "./acts";
import { DataCard } from "./data_card";
import { ActDialog, type ActDetails } from "./act_dialog";
import { LinkedPlayers } from "./linked_players";
import { RatedGames } from "./rated_games";
import { fetchReports, ReportRow } from "./report_row";

export function PlayerPage({ id }: { id: string }) {
  const { words, role } = useAdmin();
  const loaded = useModeratedPlayer(id);
  const player = loaded.value;
  const name = player ? playerName(player.player, words) : words.player;
  return (
    <>
      <Heading title={name} />
      <LoadingNote {...loaded} />
      {player && (
        <>
          <Profile player={player} />
          <ActsCard player={player} replace={loaded.replace} />
          <Account player={player} />
          <RatedGames id={player.player.id} name={name} changed={loaded.reload} />
          <LinkedPlayers id={player.player.id} />
          <ReportsAbout id={player.player.id} />
          {role === "admin" && <DataCard id={player.player.id} name={name} />}
        </>
      )}
    </>
  );
}

/** Return a player by id or handle, and a function that shows the player after an act. */
export function useModeratedPlayer(id: string) {
  const { staff } = useAdmin();
  const params = { path: { player: id } };
  const loaded = useLoaded<PlayerDetails>(
    async () => unwrap(await staff.GET("/v1/admin/players/{player}", { params })),
    [staff, id],
  );
  const replace = (after: ModeratedPlayer) =>
    loaded.value && loaded.show(Promise.resolve({ ...loaded.value, ...after }));
  return { ...loaded, replace };
}

function Profile({ player: { player } }: { player: ModeratedPlayer }) {
  const { words } = useAdmin();
  return (
    <section class="card stack">
      <div class="heading">
        <h2 class="who">
          <Avatar name={player.name ?? player.handle ?? "?"} /> {words.profile}
        </h2>
        <a href={`play#/player/${player.id}`}>{words.publicProfile}</a>
      </div>
      <Facts
        facts={[
          [words.name, player.name ?? words.none],
          [words.handle, player.handle ? `@${player.handle}` : words.none],
          [words.kind, player.bot ? words.bot : words.person],
          [words.since, <When at={player.created_at} />],
          [words.id, <code>{player.id}</code>],
        ]}
      />
    </section>
  );
}

/** How the player signs in, their ratings and their last games. */
function Account({
  player: { tokens, last_used_at, devices, webhooks, identities, ratings, games },
}: {
  player: PlayerDetails;
}) {
  const { words } = useAdmin();
  return (
    <>
      <section class="card stack">
        <h2>{words.account}</h2>
        <Facts
          facts={[
            [words.tokens, tokens],
            [words.lastUsed, last_used_at === null ? words.none : <When at={last_used_at} />],
            [words.signIns, identities.join(", ") || words.none],
            [words.devices, devices],
            [words.webhooks, webhooks],
            ...ratings.map(
              (rating) => [ratingTitle(rating, words), words.points(rating.points, rating.games)] as const,
            ),
          ]}
        />
      </section>
      {games.length > 0 && (
        <section class="card stack">
          <h2>{words.lastGames}</h2>
          <ul class="rows">
            {games.map((game) => (
              <li key={game.id}>
                <GameRow game={game} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** What moderators have done to the player, and what they can do. */
export function ActsCard({ player, replace }: { player: ModeratedPlayer; replace: (after: ModeratedPlayer) => void }) {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const [asked, ask] = useState<Act | null>(null);
  const { acts, reversals } = possibleActs(player, Date.now());
  const send = async (act: Act, details: ActDetails) => {
    const params = { path: { player: player.player.id } };
    replace(unwrap(await staff.POST("/v1/admin/players/{player}/acts", { params, body: { act, ...details } })));
  };
  const button = (act: Act) => (
    <button key={act} class={act === "ban" ? "danger" : undefined} onClick={() => ask(act)}>
      {words.acts[act]}
    </button>
  );
  return (
    <section class="card stack">
      <h2>{words.standing}</h2>
      <Standing player={player} isReversible={reversals.length > 0} />
      {reversals.length > 0 && <div class="tools">{reversals.map(button)}</div>}
      <h3>{words.newAct}</h3>
      <div class="tools">{acts.map(button)}</div>
      {asked && (
        <ActDialog
          act={asked}
          player={playerName(player.player, words)}
          close={() => ask(null)}
          send={(details) => showResult(send(asked, details), words.acted(words.acts[asked]))}
        />
      )}
    </section>
  );
}

function Standing({ player: { standing, ban }, isReversible }: { player: ModeratedPlayer; isReversible: boolean }) {
  const { words } = useAdmin();
  if (!isReversible) return <p class="note">{words.inGoodStanding}</p>;
  const { warning, muted_until, muted_reason, unrated_until, unrated_reason } = standing;
  return (
    <ul class="rows">
      {ban && (
        <li>
          <span>
            <Badge tone="bad">{words.banned}</Badge> {ban.reason}
          </span>
          {ban.until === null ? words.forGood : <Until at={ban.until} />}
        </li>
      )}
      {muted_until && (
        <li>
          <span>
            <Badge tone="turn">{words.muted}</Badge> {muted_reason}
          </span>
          <Until at={muted_until} />
        </li>
      )}
      {unrated_until && (
        <li>
          <span>
            <Badge tone="turn">{words.excluded}</Badge> {unrated_reason}
          </span>
          <Until at={unrated_until} />
        </li>
      )}
      {warning && (
        <li>
          <span>
            <Badge tone="turn">{words.warned}</Badge> {warning.reason}
          </span>
          <When at={warning.at} />
        </li>
      )}
    </ul>
  );
}

function ReportsAbout({ id }: { id: string }) {
  const { words, staff } = useAdmin();
  const pages = usePages((first) => fetchReports(staff, { player: id }, first), [staff, id]);
  return (
    <>
      <h2>{words.reportsAbout}</h2>
      <PagedList pages={pages} empty={words.noReportsAbout} keyOf={(report) => report.id}>
        {(report) => <ReportRow report={report} />}
      </PagedList>
    </>
  );
}
