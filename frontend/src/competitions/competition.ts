/** The state of a competition, kept current by polling. */
import { ProblemError, type Schemas, unwrap } from "@azul-games/client";
import { useMemo, useState } from "preact/hooks";
import { LONG_POLL_S, pauseBeforeRetry } from "../shared/requests";
import { useClient, usePageContext } from "../shared/context";
import { usePolling, useTick } from "../shared/polling";
import { tabStore } from "../shared/store";

export type Competition = Schemas["Competition"];
export type CompetitionSummary = Schemas["CompetitionSummary"];
export type Standing = Schemas["CompetitionStanding"];

/** The pause between two long polls. */
const PAUSE_MS = 200;
const INVITATIONS = "azul-table-invitations";

export const isOver = ({ status }: Pick<CompetitionSummary, "status">): boolean =>
  status === "over" || status === "cancelled";

/** Return the invitation from the link that opened the page. It is needed once, for joining. */
export const storedInvitation = (id: string): string => tabStore.read<Record<string, string>>(INVITATIONS)?.[id] ?? "";

export const storeInvitation = (id: string, invitation: string): void =>
  tabStore.write(INVITATIONS, { ...tabStore.read<Record<string, string>>(INVITATIONS), [id]: invitation });

export const competitionUrl = (id: string, invitation: string | null): string =>
  `${location.href.split("#")[0]}#/competition/${id}${invitation ? `?${new URLSearchParams({ invitation })}` : ""}`;

export interface CompetitionState {
  competition: Competition | null;
  refused: ProblemError | null;
  /** Store a competition that the service returned for another request. */
  accept: (competition: Competition) => void;
}

/** Poll a competition. The newest version wins, in whatever order responses arrive. */
export function useCompetition(id: string): CompetitionState {
  const { me } = usePageContext();
  const client = useClient(me.token);
  const [competition, setCompetition] = useState<Competition | null>(null);
  const [refused, setRefused] = useState<ProblemError | null>(null);
  const latest = useMemo(() => ({ version: 0, over: false }), [client, id]);
  const accept = (news: Competition) => {
    latest.version = Math.max(latest.version, news.version);
    latest.over = isOver(news);
    setRefused(null);
    setCompetition((before) => (before && before.version > news.version ? before : news));
  };
  usePolling(
    async (signal) => {
      if (latest.over) return new Promise(() => undefined); // the competition cannot change any more
      const query = latest.version ? { after: latest.version, wait: LONG_POLL_S } : {};
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

/** Return the seconds until a time, at least 0, and update them twice a second. */
export function useSecondsUntil(until: string | null): number {
  useTick(500);
  return until === null ? 0 : Math.max(0, (Date.parse(until) - Date.now()) / 1000);
}

/**
 * Poll a new game until the service returns it. A game becomes readable a moment after its pairing. Return false after
 * ten seconds.
 */
export async function waitUntilReadable(
  request: () => Promise<{ response: Response }>,
  signal: AbortSignal,
): Promise<boolean> {
  for (let tries = 0; tries < 40 && !signal.aborted; tries++) {
    const answer = await request().catch(() => null);
    if (answer?.response.ok) return !signal.aborted;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}
