/** What the player of this browser waits for, whichever page they look at: one seek, or one challenge they sent. */
import { ProblemError, type Schemas, unwrap } from "azul-games-client";
import { useEffect, useState } from "preact/hooks";
import { pauseBeforeRetry, LONG_POLL_S } from "../shared/requests";
import type { Me } from "../shared/me";
import { links } from "../shared/route";
import { tabStore } from "../shared/store";
import type { Words } from "../shared/words";

/** `since`: when it began, by this device's clock, in milliseconds since 1970. */
export type Waited = { since: number } & (
  { kind: "seek"; asked: Schemas["Seek"] } | { kind: "challenge"; asked: Schemas["Challenge"] }
);

export interface Waiting {
  waited: Waited | null;
  /** Waits for it, and opens the game as soon as there is one. */
  follow: (asked: Asked) => void;
  cancel: () => Promise<void>;
}

type Asked = Pick<Waited & { kind: "seek" }, "kind" | "asked"> | Pick<Waited & { kind: "challenge" }, "kind" | "asked">;

const KEPT = "azul-table-waiting";

/** The seek or challenge as it is once the service has news of it, or has waited long enough. */
async function ask(me: Me, { kind, asked }: Waited, signal: AbortSignal): Promise<Asked> {
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

/** Why there will be no game, for the one who waited; empty where they know it themselves. */
function ended({ kind, asked }: Asked, words: Words): string {
  if (kind === "seek") return "";
  const { status, reason } = asked;
  return status === "declined"
    ? words.people.declined(words.people.reasons[reason ?? "none"] ?? "")
    : words.people.noAnswer;
}

export function useWaiting(me: Me, words: Words, toast: (text: string) => void): Waiting {
  const [waited, setWaited] = useState(() => tabStore.read<Waited>(KEPT));
  const wait = (next: Waited | null) => {
    tabStore.write(KEPT, next);
    setWaited(next);
  };
  const hear = (news: Asked): boolean => {
    const { game_id, status } = news.asked;
    if (status === "open") return false;
    wait(null);
    if (game_id !== null) location.hash = links.game(game_id);
    else toast(ended(news, words));
    return true;
  };
  useEffect(() => {
    if (waited === null) return;
    if (me.token === null) return wait(null); // whoever waited has left
    const ending = new AbortController();
    const listen = async () => {
      while (!ending.signal.aborted) {
        try {
          if (hear(await ask(me, waited, ending.signal))) return;
        } catch (error) {
          if (ending.signal.aborted) return;
          if (error instanceof ProblemError) {
            wait(null); // it has ended while nobody asked
            toast(words.people.seekEnded);
            return;
          }
          await pauseBeforeRetry();
        }
      }
    };
    listen();
    return () => ending.abort();
  }, [waited?.asked.id, me.token]);
  return {
    waited,
    follow: (asked) => {
      if (!hear(asked)) wait({ ...asked, since: Date.now() });
    },
    cancel: async () => {
      if (waited === null) return;
      const client = await me.client();
      const { id } = waited.asked;
      const answer =
        waited.kind === "seek"
          ? await client.DELETE("/v1/seeks/{seek_id}", { params: { path: { seek_id: id } } })
          : await client.DELETE("/v1/challenges/{challenge_id}", { params: { path: { challenge_id: id } } });
      if (answer.response.status !== 404) unwrap(answer);
      wait(null);
    },
  };
}
