/** The seek or challenge that the player waits for, at most one at a time and on any page. */
import { ProblemError, type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import { LONG_POLL_S, pauseBeforeRetry } from "../shared/requests";
import type { Me } from "../shared/me";
import { links } from "../shared/route";
import { tabStore } from "../shared/store";
import type { Words } from "../shared/words";

/** `since`: start of the wait by this device's clock, in milliseconds since 1970. */
export type PendingRequest = { since: number } & (
  { kind: "seek"; asked: Schemas["Seek"] } | { kind: "challenge"; asked: Schemas["Challenge"] }
);

export interface PendingControls {
  pending: PendingRequest | null;
  /** Wait for a request, and open its game when there is one. */
  follow: (asked: SeekOrChallenge) => void;
  cancel: () => Promise<void>;
}

type SeekOrChallenge =
  | Pick<PendingRequest & { kind: "seek" }, "kind" | "asked">
  | Pick<PendingRequest & { kind: "challenge" }, "kind" | "asked">;

const STORAGE_KEY = "azul-table-waiting";

/** Long-poll the seek or challenge. */
async function fetchNews(me: Me, { kind, asked }: PendingRequest, signal: AbortSignal): Promise<SeekOrChallenge> {
  const client = await me.client();
  const query = { wait: LONG_POLL_S };
  if (kind === "seek") {
    const path = { seek_id: asked.id };
    return { kind, asked: unwrap(await client.GET("/v1/seeks/{seek_id}", { params: { path, query }, signal })) };
  }
  const path = { challenge_id: asked.id };
  return {
    kind,
    asked: unwrap(await client.GET("/v1/challenges/{challenge_id}", { params: { path, query }, signal })),
  };
}

/** Return why there will be no game, or an empty text if the player cancelled. */
function endReason({ kind, asked }: SeekOrChallenge, words: Words): string {
  if (kind === "seek") return "";
  const { status, reason } = asked;
  return status === "declined"
    ? words.people.declined(words.people.reasons[reason ?? "none"] ?? "")
    : words.people.noAnswer;
}

export function usePendingRequest(me: Me, words: Words, toast: (text: string) => void): PendingControls {
  const [pending, setPending] = useState(() => tabStore.read<PendingRequest>(STORAGE_KEY));
  const setRequest = (next: PendingRequest | null) => {
    tabStore.write(STORAGE_KEY, next);
    setPending(next);
  };
  const handleNews = (news: SeekOrChallenge): boolean => {
    const { game_id, status } = news.asked;
    if (status === "open") return false;
    setRequest(null);
    if (game_id !== null) location.hash = links.game(game_id);
    else toast(endReason(news, words));
    return true;
  };
  useEffect(() => {
    if (pending === null) return;
    if (me.token === null) return setRequest(null); // the player has signed out
    const controller = new AbortController();
    const listen = async () => {
      while (!controller.signal.aborted) {
        try {
          if (handleNews(await fetchNews(me, pending, controller.signal))) return;
        } catch (error) {
          if (controller.signal.aborted) return;
          if (error instanceof ProblemError) {
            setRequest(null); // it ended between two polls
            toast(words.people.seekEnded);
            return;
          }
          await pauseBeforeRetry();
        }
      }
    };
    listen();
    return () => controller.abort();
  }, [pending?.asked.id, me.token]);
  return {
    pending,
    follow: (asked) => {
      if (!handleNews(asked)) setRequest({ ...asked, since: Date.now() });
    },
    cancel: async () => {
      if (pending === null) return;
      const client = await me.client();
      const { id } = pending.asked;
      const answer =
        pending.kind === "seek"
          ? await client.DELETE("/v1/seeks/{seek_id}", { params: { path: { seek_id: id } } })
          : await client.DELETE("/v1/challenges/{challenge_id}", { params: { path: { challenge_id: id } } });
      if (answer.response.status !== 404) unwrap(answer);
      setRequest(null);
    },
  };
}
