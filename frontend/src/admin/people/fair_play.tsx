/** A hint on a report: how often people chose what the engine would have chosen. */
import { unwrap } from "@azul-games/client";
import { useResultToast } from "../../shared/fetching";
import { usePolling } from "../../shared/polling";
import { type Schemas, useAdmin } from "../context";
import { Facts } from "../parts";
import { keptName } from "./report_row";

type FullReport = Schemas["FullReport"];
type Hint = NonNullable<FullReport["fair_play"]>;

const REFRESH_MS = 10_000;

export function FairPlay({ report, hint, reload }: { report: FullReport; hint: Hint; reload: () => Promise<void> }) {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const { games, player, opponents } = hint;
  const params = { path: { report_id: report.id } };
  const count = (status: string) => games.filter((game) => game.status === status).length;
  const isPending = count("pending") > 0;
  usePolling(async () => isPending && reload(), isPending ? REFRESH_MS : null, [staff, report.id, isPending]);
  // reload also after a refusal: some may have been requested before it
  const request = () => staff.POST("/v1/admin/reports/{report_id}/reviews", { params }).then(unwrap).finally(reload);
  const fact = (name: string, { share, decisions }: Schemas["Agreement"]) =>
    [name, share === null ? words.none : words.agreement(Math.round(share * 100), decisions)] as const;
  return (
    <section class="card stack">
      <h2>{words.fairPlay}</h2>
      <p class="note">{words.fairPlayNote}</p>
      <Facts
        facts={[
          ...(player ? [fact(words.reported, player)] : []),
          ...(opponents ? [fact(words.opponents, opponents)] : []),
          ...(player ? [] : games.flatMap(({ players }) => players)).map((each) =>
            fact(keptName(report, each.player) ?? each.player ?? words.deletedPlayer, each),
          ),
          [words.reviewedGames, `${count("reviewed")} / ${games.length}`],
        ]}
      />
      {count("not_reviewed") > 0 && (
        <div class="tools">
          <button onClick={() => showResult(request(), words.acted(words.requestReviews))}>
            {words.requestReviews}
          </button>
        </div>
      )}
    </section>
  );
}
