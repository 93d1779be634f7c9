/** All games, also private ones. Admins can end one without a result. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { SelectField } from "../../parts/fields";
import { useResultToast } from "../../shared/fetching";
import { type Schemas, useAdmin } from "../context";
import { GameRow, isRunning } from "../game_row";
import { Heading, PagedList, usePages } from "../parts";
import { ReasonDialog } from "../reason_dialog";

type Game = Schemas["GameSummary"];

const STATUSES = ["open", "playing", "finished", "aborted"] as const satisfies readonly Game["status"][];
const PAGE_SIZE = 50;

export function Games() {
  const { words, staff } = useAdmin();
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
  const send = async ({ id }: Game, reason: string | null) => {
    const params = { path: { game_id: id } };
    unwrap(await staff.POST("/v1/admin/games/{game_id}/end", { params, body: { reason } }));
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
            <GameRow game={game} />
            {isRunning(game) && (
              <button class="danger" aria-label={words.endGame(game.id)} onClick={() => end(game)}>
                {words.end}
              </button>
            )}
          </>
        )}
      </PagedList>
      {ending && (
        <ReasonDialog
          title={words.endGame(ending.id)}
          text={words.endGameSure}
          yes={words.end}
          send={(reason) => showResult(send(ending, reason), words.gameEnded)}
          close={() => end(null)}
        />
      )}
    </>
  );
}
