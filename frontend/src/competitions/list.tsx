/** The list of competitions, and the form for a new one. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Header } from "../parts/header";
import { useClient, usePageContext } from "../shared/context";
import { usePolling } from "../shared/polling";
import { links } from "../shared/route";
import { AnnounceForm } from "./announce";
import { CompetitionProgress, competitionText } from "./description";
import type { CompetitionSummary } from "./competition";

const PAUSE_MS = 8000;
const GROUPS = ["running", "coming", "over"] as const;
const NO_COMPETITIONS: Schemas["OwnCompetitions"] = { hosted: [], entered: [] };

export function CompetitionsPage() {
  const { words, me } = usePageContext();
  const { competitions } = words;
  const client = useClient(me.token);
  const [all, setAll] = useState<readonly CompetitionSummary[] | null>(null);
  const [own, setOwn] = useState(NO_COMPETITIONS);
  usePolling(
    async (signal) => {
      const [found, ours] = await Promise.all([
        client.GET("/v1/competitions", { signal }).then(unwrap),
        me.token === null ? NO_COMPETITIONS : client.GET("/v1/me/competitions", { signal }).then(unwrap),
      ]);
      setAll(found.competitions);
      setOwn(ours);
    },
    PAUSE_MS,
    [client],
  );
  const includes = (ones: readonly CompetitionSummary[], id: string) => ones.some((one) => one.id === id);
  const unlisted = [...own.hosted, ...own.entered.filter(({ id }) => !includes(own.hosted, id))].filter(
    ({ id, status }) => !includes(all ?? [], id) && status !== "cancelled",
  );
  const shown = [...(all ?? []), ...unlisted];
  return (
    <>
      <Header />
      <main class="wide">
        <h1 tabIndex={-1}>{competitions.title}</h1>
        <div class="columns">
          <div class="column">
            {all === null && <p class="card note">{words.loading}</p>}
            {all && shown.length === 0 && <p class="card">{competitions.none}</p>}
            {GROUPS.map((group) => {
              const ones = shown.filter(({ status }) => status === group);
              if (ones.length === 0) return null;
              return (
                <section class="card" key={group}>
                  <h2>{competitions[group]}</h2>
                  <ul class="rows competitions" aria-label={competitions[group]}>
                    {ones.map((one) => (
                      <Row
                        key={one.id}
                        competition={one}
                        isHost={includes(own.hosted, one.id)}
                        isEntered={includes(own.entered, one.id)}
                      />
                    ))}
                  </ul>
                </section>
              );
            })}
          </div>
          <AnnounceForm />
        </div>
      </main>
    </>
  );
}

function Row({
  competition,
  isHost,
  isEntered,
}: {
  competition: CompetitionSummary;
  isHost: boolean;
  isEntered: boolean;
}) {
  const { words, settings } = usePageContext();
  const { competitions } = words;
  return (
    <li data-own={isEntered}>
      <span class="format" data-format={competition.format} aria-hidden="true" />
      <div>
        <a href={links.competition(competition.id)}>{competition.name}</a>{" "}
        {(isEntered || isHost) && <small class="mark">{isEntered ? competitions.youPlay : competitions.youHost}</small>}
        <p class="note">{competitionText(competition, words)}</p>
      </div>
      <div class="far">
        {competition.status === "over" && competition.ended_at ? (
          <time>{new Date(competition.ended_at).toLocaleDateString(settings.language, { dateStyle: "medium" })}</time>
        ) : (
          <CompetitionProgress competition={competition} />
        )}
        <small>
          {competition.status === "over"
            ? competitions.playersIn(competition.players)
            : competitions.playersOf(competition.players, competition.most_players)}
        </small>
      </div>
    </li>
  );
}
