/** Competitions that are not over, also unlisted ones. Admins can cancel one. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { rulesetTitle } from "../../rulesets/titles";
import { useResultToast } from "../../shared/fetching";
import { type Schemas, useAdmin } from "../context";
import { Badge, Heading, PagedList, PlayerRef, usePages, When } from "../parts";
import { ReasonDialog } from "../reason_dialog";

type Competition = Schemas["CompetitionSummary"];

export function Competitions() {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const [cancelling, cancel] = useState<Competition | null>(null);
  const pages = usePages<Competition>(
    async () => ({ items: unwrap(await staff.GET("/v1/admin/competitions")).competitions, next: null }),
    [staff],
  );
  const send = async ({ id }: Competition, reason: string | null) => {
    const params = { path: { competition_id: id }, query: reason === null ? {} : { reason } };
    unwrap(await staff.DELETE("/v1/admin/competitions/{competition_id}", { params }));
    await pages.reload();
  };
  return (
    <>
      <Heading title={words.sections.competitions} />
      <PagedList pages={pages} empty={words.noCompetitions} keyOf={({ id }) => id}>
        {(competition) => (
          <>
            <div>
              <a href={`play#/competition/${competition.id}`}>{competition.name}</a>
              <p class="note">
                {rulesetTitle(competition.ruleset, words.lang)} · {words.formats[competition.format]} ·{" "}
                {words.playersOf(competition.players)} · {words.hostedBy}{" "}
                <PlayerRef id={competition.host?.id ?? null} name={competition.host?.name ?? null} />
              </p>
            </div>
            <Badge {...(competition.status === "running" && { tone: "good" })}>
              {words.competitionStatuses[competition.status]}
            </Badge>
            <When at={competition.created_at} />
            <button
              class="danger"
              aria-label={words.cancelCompetition(competition.name)}
              onClick={() => cancel(competition)}
            >
              {words.callOff}
            </button>
          </>
        )}
      </PagedList>
      {cancelling && (
        <ReasonDialog
          title={words.cancelCompetition(cancelling.name)}
          text={words.cancelCompetitionSure}
          yes={words.callOff}
          send={(reason) => showResult(send(cancelling, reason), words.competitionCancelled)}
          close={() => cancel(null)}
        />
      )}
    </>
  );
}
