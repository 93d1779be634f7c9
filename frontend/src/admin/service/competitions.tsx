/** Public competitions. The operator can cancel one. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Confirmation } from "../../parts/design/dialog";
import { useResultToast } from "../../shared/fetching";
import { useAdmin } from "../context";
import { asTitle, Badge, Heading, PagedList, PlayerRef, usePages, When } from "../parts";

type Competition = Schemas["CompetitionSummary"];

const PAGE_SIZE = 50;

export function Competitions() {
  const { words, client, role } = useAdmin();
  const showResult = useResultToast();
  const [cancelling, cancel] = useState<Competition | null>(null);
  const pages = usePages<Competition>(
    async (next = 0) => {
      const first = Number(next);
      const query = { first, limit: PAGE_SIZE };
      const { competitions } = unwrap(await client.GET("/v1/competitions", { params: { query } }));
      return { items: competitions, next: competitions.length === PAGE_SIZE ? first + PAGE_SIZE : null };
    },
    [client],
  );
  const send = async ({ id }: Competition) => {
    const params = { path: { competition_id: id } };
    unwrap(await client.DELETE("/v1/competitions/{competition_id}", { params }));
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
                {asTitle(competition.ruleset)} · {words.formats[competition.format]} ·{" "}
                {words.playersOf(competition.players)} · {words.hostedBy}{" "}
                <PlayerRef id={competition.host?.id ?? null} name={competition.host?.name ?? null} />
              </p>
            </div>
            <Badge {...(competition.status === "running" && { tone: "good" })}>
              {words.competitionStatuses[competition.status]}
            </Badge>
            <When at={competition.created_at} />
            {role === "operator" && (competition.status === "coming" || competition.status === "running") && (
              <button
                class="danger"
                aria-label={words.cancelCompetition(competition.name)}
                onClick={() => cancel(competition)}
              >
                {words.callOff}
              </button>
            )}
          </>
        )}
      </PagedList>
      {cancelling && (
        <Confirmation
          title={words.cancelCompetition(cancelling.name)}
          text={words.cancelCompetitionSure}
          yes={words.callOff}
          confirm={() => {
            cancel(null);
            showResult(send(cancelling), words.competitionCancelled);
          }}
          close={() => cancel(null)}
        />
      )}
    </>
  );
}
