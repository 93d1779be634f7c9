/** All games, also private ones. The operator can end one without a result. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Confirmation } from "../../parts/design/dialog";
import { SelectField } from "../../parts/fields";
import { useResultToast } from "../../shared/fetching";
import { type Schemas, useAdmin } from "../context";
import { asTitle, asWords, Badge, Heading, PagedList, usePages, When } from "../parts";

type Game = Schemas["GameSummary"];

const STATUSES = ["open", "playing", "finished", "aborted"] as const satisfies readonly Game["status"][];
const TONES = { open: "turn", playing: "good" } as const;
const PAGE_SIZE = 50;

export function Games() {
  const { words, client, staff, role } = useAdmin();
  const showResult = useResultToast();
  const [status, setStatus] = useState<Game["status"] | "">("");
  const [ending, end] = useState<Game | null>(null);
  const pages = usePages<Game>(
    async (cursor) => {
      const query = { limit: PAGE_SIZE, ...(status && { status }), ...(cursor && { cursor: String(cursor) }) };
      const { games, next_cursor } = unwrap(await staff.GET("/v1/admin/games", { params: { query } }));
      return { items: games, next: next_cursor };
    },
    [staff, status],
  );
  const abort = async ({ id }: Game) => {
    unwrap(await client.POST("/v1/games/{game_id}/abort", { params: { path: { game_id: id } }, body: {} }));
    await pages.reload();
  };
  return (
    <>
      <Heading title={words.sections.games} />
      <div class="card">
        <SelectField label={words.status} value={status} choose={(chosen) => setStatus(chosen as Game["status"] | "")}>
          <option value="">{words.all}</option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {words.gameStatuses[each]}
            </option>
          ))}
        </SelectField>
      </div>
      <PagedList pages={pages} empty={words.noGames} keyOf={(game) => game.id}>
        {(game) => (
          <>
            <div>
              <a href={`play#/${game.id}`}>
                {asTitle(game.ruleset)}, {asWords(game.variant).toLowerCase()}
              </a>{" "}
              <code>{game.id}</code>
              <p class="note">
                {[words.visibilities[game.visibility], game.seats.map(seatName).join(" · ")]
                  .filter(Boolean)
                  .join(" – ")}
              </p>
            </div>
            <StatusOf status={game.status} />
            <When at={game.updated_at} />
            {role === "operator" && (game.status === "open" || game.status === "playing") && (
              <button class="danger" aria-label={words.endGame(game.id)} onClick={() => end(game)}>
                {words.end}
              </button>
            )}
          </>
        )}
      </PagedList>
      {ending && (
        <Confirmation
          title={words.endGame(ending.id)}
          text={words.endGameSure}
          yes={words.end}
          confirm={() => {
            end(null);
            showResult(abort(ending), words.gameEnded);
          }}
          close={() => end(null)}
        />
      )}
    </>
  );

  function seatName({ name, kind, level }: Game["seats"][number]): string {
    return name ?? (kind === "ai" ? words.ai(level ?? "") : kind === "open" ? words.openSeat : words.nameless);
  }
}

function StatusOf({ status }: { status: Game["status"] }) {
  const { words } = useAdmin();
  const tone = status === "open" || status === "playing" ? TONES[status] : undefined;
  return <Badge {...(tone && { tone })}>{words.gameStatuses[status]}</Badge>;
}
