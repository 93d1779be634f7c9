/** A game as it goes on: its view and its log, kept up by the stream, and after the end by asking for a rematch. */
import { type Client, follow, ProblemError, type Schemas, type StreamState, unwrap } from "azul-games-client";
import { useEffect, useReducer } from "preact/hooks";
import { pauseBeforeRetry, withTimeout, LONG_POLL_S } from "../shared/requests";
import { useOnline } from "../shared/online";

export type Game = Schemas["Game"];
export type Event = Schemas["Event"];

export interface Live {
  game: Game | null;
  /** The log, as far as it is known, in order. */
  events: readonly Event[];
  state: StreamState;
  /** Why there is no game. */
  refused: ProblemError | null;
}

type News = { game?: Game; events?: readonly Event[]; state?: StreamState; refused?: ProblemError | null };

function told(live: Live, { events = [], ...news }: News): Live {
  const last = live.events.at(-1)?.revision ?? 0;
  return { ...live, ...news, events: [...live.events, ...events.filter(({ revision }) => revision > last)] };
}

/** When somebody new came to a seat. */
export const arrivals = (events: readonly Event[], seat: number) =>
  events.filter((event) => event.kind === "join" || event.kind === "hand_over").filter((event) => event.seat === seat);

const PAGE = 200;

async function history(client: Client, id: string, after: number, signal: AbortSignal): Promise<Event[]> {
  const found: Event[] = [];
  for (;;) {
    const params = { path: { game_id: id }, query: { after: found.at(-1)?.revision ?? after, limit: PAGE } };
    const answer = await withTimeout(
      (asking) => client.GET("/v1/games/{game_id}/history", { params, signal: asking }),
      signal,
    );
    const page = unwrap(answer);
    found.push(...page.events);
    if (page.events.length < PAGE) return found;
  }
}

/** By what the game is followed, and how others see who does. */
interface As {
  client: Client;
  reader: string | undefined;
  hidden: boolean;
  viewer: string;
}

async function* news(
  client: Client,
  id: string,
  { client: follower, reader, hidden, viewer }: As,
  signal: AbortSignal,
  tell: (news: News) => void,
): AsyncGenerator<News> {
  let game: Game | undefined;
  let early: Promise<Event[]> | null = history(client, id, 0, signal).catch(() => []); // the stream says why not
  const upTo = async (last: number): Promise<Event[]> => {
    const known = (await early) ?? [];
    early = null; // what comes after another snapshot may be another history
    const after = known.at(-1)?.revision ?? 0;
    const rest = after < last ? await history(client, id, after, signal) : [];
    return [...known, ...rest].filter(({ revision }) => revision <= last);
  };
  for await (const item of follow(follower, id, {
    ...(reader && { reader }),
    signal,
    hidden,
    viewer,
    onState: (state) => tell({ state }),
  })) {
    game = item.game ?? game;
    if (item.kind === "snapshot") yield { game: item.game, events: await upTo(item.revision) };
    else yield { ...(item.game ? { game: item.game } : {}), events: [item] };
  }
  while (game?.status === "finished" && game.rematch === null && !signal.aborted) {
    const params = {
      path: { game_id: id },
      query: { wait: LONG_POLL_S, viewer, ...(hidden && { hidden }) },
      header: { "If-None-Match": `"${game.revision}"` },
    };
    const answer = await (reader ? client : follower).GET("/v1/games/{game_id}", { params, signal });
    if (answer.response.status === 304) continue;
    const before = game.revision;
    game = unwrap(answer);
    yield { game, events: await history(client, id, before, signal) };
  }
}

export function useLive(client: Client, id: string, as: As): Live {
  const { returns } = useOnline();
  const [live, tell] = useReducer(told, { game: null, events: [], state: "open", refused: null });
  useEffect(() => {
    const ending = new AbortController();
    tell({ refused: null });
    const listen = async () => {
      for await (const each of news(client, id, as, ending.signal, tell)) tell(each);
    };
    const keepListening = (): Promise<void> =>
      listen().catch(async (error: unknown) => {
        if (ending.signal.aborted) return;
        if (error instanceof ProblemError) {
          tell({ refused: error });
          return;
        }
        tell({ state: "lost" });
        await pauseBeforeRetry();
        await keepListening();
      });
    keepListening();
    return () => ending.abort();
  }, [client, id, as.client, as.reader, as.hidden, returns]);
  return live;
}
