/** A competition as it goes on, and the moments it counts down to. */
import { ProblemError, type Schemas, unwrap } from "azul-games-client";
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { pauseBeforeRetry, LONG_POLL_S } from "../shared/requests";
import { usePageContext, useClient } from "../shared/context";
import { usePolling } from "../shared/polling";
import { tabStore } from "../shared/store";

export type Competition = Schemas["Competition"];
export type Summary = Schemas["CompetitionSummary"];
export type Standing = Schemas["CompetitionStanding"];

/** Between two answers of the service, which itself waits for news. */
const PAUSE_MS = 200;
const INVITATIONS = "azul-table-invitations";

export const isOver = ({ status }: Pick<Summary, "status">): boolean => status === "over" || status === "cancelled";

/** What a link has told: needed once, to enter. */
export const invitationTo = (id: string): string => tabStore.read<Record<string, string>>(INVITATIONS)?.[id] ?? "";

export const keepInvitation = (id: string, invitation: string): void =>
  tabStore.write(INVITATIONS, { ...tabStore.read<Record<string, string>>(INVITATIONS), [id]: invitation });

export const linkTo = (id: string, invitation: string | null): string =>
  `${location.href.split("#")[0]}#/competition/${id}${invitation ? `?${new URLSearchParams({ invitation })}` : ""}`;

export interface Followed {
  competition: Competition | null;
  refused: ProblemError | null;
  /** What the service has answered to something that was asked for. */
  accept: (competition: Competition) => void;
}

/** The competition, kept up while somebody looks; the newest version counts, in whichever order answers come. */
export function useCompetition(id: string): Followed {
  const { me } = usePageContext();
  const client = useClient(me.token);
  const [competition, setCompetition] = useState<Competition | null>(null);
  const [refused, setRefused] = useState<ProblemError | null>(null);
  const seen = useMemo(() => ({ version: 0, over: false }), [client, id]);
  const accept = (news: Competition) => {
    seen.version = Math.max(seen.version, news.version);
    seen.over = isOver(news);
    setRefused(null);
    setCompetition((before) => (before && before.version > news.version ? before : news));
  };
  usePolling(
    async (signal) => {
      if (seen.over) return new Promise(() => undefined); // nothing more will come
      const query = seen.version ? { after: seen.version, wait: LONG_POLL_S } : {};
      try {
        const params = { path: { competition_id: id }, query };
        const answer = await client.GET("/v1/competitions/{competition_id}", { params, signal });
        if (answer.response.status !== 204) accept(unwrap(answer) as Competition);
      } catch (error) {
        if (error instanceof ProblemError) setRefused(error);
        await pauseBeforeRetry();
      }
      return undefined;
    },
    PAUSE_MS,
    [client, id],
  );
  return { competition, refused, accept };
}

/** Seconds until a moment, as they pass; never less than 0. */
export function useLeft(until: string | null): number {
  const [, tick] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => tick(undefined), 500);
    return () => clearInterval(timer);
  }, []);
  return until === null ? 0 : Math.max(0, (Date.parse(until) - Date.now()) / 1000);
}

/** Opens a game as soon as it is there, which is a moment after its pairing; `false`: it did not come. */
export async function whenThere(look: () => Promise<{ response: Response }>, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < 40 && !signal.aborted; tries++) {
    const answer = await look().catch(() => null);
    if (answer?.response.ok) return !signal.aborted;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}
