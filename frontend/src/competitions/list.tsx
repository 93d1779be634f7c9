/** Competitions that run, that are to come and that are over; and the form of a new one. */
import { type Schemas, unwrap } from "azul-games-client";
import { useState } from "preact/hooks";
import { Header } from "../parts/header";
import { usePageContext, useClient } from "../shared/context";
import { usePolling } from "../shared/polling";
import { links } from "../shared/route";
import { Announce } from "./announce";
import { competitionTold, HowFar } from "./description";
import type { Summary } from "./competition";

const PAUSE_MS = 8000;
const GROUPS = ["running", "coming", "over"] as const;
const NOTHING: Schemas["OwnCompetitions"] = { hosted: [], entered: [] };

export function CompetitionsPage() {
  const { words, me } = usePageContext();
  const { competitions } = words;
  const client = useClient(me.token);
  const [all, setAll] = useState<readonly Summary[] | null>(null);
  const [own, setOwn] = useState(NOTHING);
  usePolling(
    async (signal) => {
      const [found, ours] = await Promise.all([
        client.GET("/v1/competitions", { signal }).then(unwrap),
        me.token === null ? NOTHING : client.GET("/v1/me/competitions", { signal }).then(unwrap),
      ]);
      setAll(found.competitions);
      setOwn(ours);
    },
    PAUSE_MS,
    [client],
  );
  const has = (ones: readonly Summary[], id: string) => ones.some((one) => one.id === id);
  const unlisted = [...own.hosted, ...own.entered.filter(({ id }) => !has(own.hosted, id))].filter(
    ({ id, status }) => !has(all ?? [], id) && status !== "cancelled",
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
                      <Row key={one.id} of={one} hosts={has(own.hosted, one.id)} plays={has(own.entered, one.id)} />
                    ))}
                  </ul>
                </section>
              );
            })}
          </div>
          <Announce />
        </div>
      </main>
    </>
  );
}

function Row({ of, hosts, plays }: { of: Summary; hosts: boolean; plays: boolean }) {
  const { words, settings } = usePageContext();
  const { competitions } = words;
  return (
    <li data-own={plays}>
      <span class="format" data-format={of.format} aria-hidden="true" />
      <div>
        <a href={links.competition(of.id)}>{of.name}</a>{" "}
        {(plays || hosts) && <small class="mark">{plays ? competitions.youPlay : competitions.youHost}</small>}
        <p class="note">{competitionTold(of, words)}</p>
      </div>
      <div class="far">
        {of.status === "over" && of.ended_at ? (
          <time>{new Date(of.ended_at).toLocaleDateString(settings.language, { dateStyle: "medium" })}</time>
        ) : (
          <HowFar of={of} />
        )}
        <small>
          {of.status === "over"
            ? competitions.playersIn(of.players)
            : competitions.playersOf(of.players, of.most_players)}
        </small>
      </div>
    </li>
  );
}
