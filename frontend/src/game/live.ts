/** A running game: its view and its log, updated by the stream. After the end, long polls wait for a rematch. */
import { type Client, follow, ProblemError, type Schemas, type StreamState, unwrap } from "@azul-games/client";
import { useEffect, useReducer } from "preact/hooks";
import type { GameEvent } from "../rulesets/base/events";
import { LONG_POLL_S, pauseBeforeRetry, withTimeout } from "../shared/requests";
import { isEarly } from "../shared/client";
import { useOnline } from "../shared/online";

export type Game = Schemas["Game"];

export interface LiveGame {
  game: Game | null;
  /** The known events, in order. */
  events: readonly GameEvent[];
  state: StreamState;
  /** The reason if the game cannot be read. */
  refused: ProblemError | null;
}

type GameUpdate = { game?: Game; events?: readonly GameEvent[]; state?: StreamState; refused?: ProblemError | null };

function applyUpdate(live: LiveGame, { events = [], ...changes }: GameUpdate): LiveGame {
  const last = live.events.at(-1)?.revision ?? 0;
  return { ...live, ...changes, events: [...live.events, ...events.filter(({ revision }) => revision > last)] };
}

/** Return the events by which a player took a seat. */
export const arrivals = (events: readonly GameEvent[], seat: number) =>
  events.filter((event) => event.kind === "join" || event.kind === "hand_over").filter((event) => event.seat === seat);

const PAGE_SIZE = 200;

async function fetchEvents(client: Client, id: string, after: number, signal: AbortSignal): Promise<GameEvent[]> {
  const events: GameEvent[] = [];
  for (;;) {
    const params = { path: { game_id: id }, query: { after: events.at(-1)?.revision ?? after, limit: PAGE_SIZE } };
    const answer = await withTimeout(
      (requestSignal) => client.GET("/v1/games/{game_id}/history", { params, signal: requestSignal }),
      signal,
    );
    const page = unwrap(answer);
    events.push(...page.events);
    if (page.events.length < PAGE_SIZE) return events;
  }
}

/** Return the view of a game, or null if the client cannot read it. */
const fetchView = async (client: Client, id: string, signal: AbortSignal): Promise<Game | null> =>
  (await client.GET("/v1/games/{game_id}", { params: { path: { game_id: id } }, signal })).data ?? null;

/** Credentials of the stream, and how other players see this viewer. */
interface StreamAccess {
  client: Client;
  reader: string | undefined;
  hidden: boolean;
  viewer: string;
}

async function* gameUpdates(
  client: Client,
  id: string,
  { client: streamClient, reader, hidden, viewer }: StreamAccess,
  signal: AbortSignal,
  onUpdate: (news: GameUpdate) => void,
): AsyncGenerator<GameUpdate> {
  let game: Game | undefined;
  // An error is ignored, because the stream reports it.
  let prefetched: Promise<GameEvent[]> | null = fetchEvents(client, id, 0, signal).catch(() => []);
  const eventsUpTo = async (last: number): Promise<GameEvent[]> => {
    const known = (await prefetched) ?? [];
    prefetched = null; // a later snapshot may belong to another history
    const after = known.at(-1)?.revision ?? 0;
    const rest = after < last ? await fetchEvents(client, id, after, signal) : [];
    return [...known, ...rest].filter(({ revision }) => revision <= last);
  };
  const early = isEarly(id) ? await fetchView(client, id, signal) : null;
  if (early) {
    game = early;
    yield { game, events: await eventsUpTo(game.revision) };
  }
  const isOver = game !== undefined && !["open", "playing"].includes(game.status);
  const updates = isOver
    ? []
    : follow(streamClient, id, {
        ...(early && { after: early.revision }),
        ...(reader && { reader }),
        signal,
        hidden,
        viewer,
        onState: (state) => onUpdate({ state }),
      });
  for await (const item of updates) {
    game = item.game ?? game;
    if (item.kind === "snapshot") yield { game: item.game, events: await eventsUpTo(item.revision) };
    else yield { ...(item.game ? { game: item.game } : {}), events: [item] };
  }
  while (game?.status === "finished" && game.rematch === null && !signal.aborted) {
    const params = {
      path: { game_id: id },
      query: { wait: LONG_POLL_S, viewer, ...(hidden && { hidden }) },
      header: { "If-None-Match": `"${game.revision}"` },
    };
    const answer = await (reader ? client : streamClient).GET("/v1/games/{game_id}", { params, signal });
    if (answer.response.status === 304) continue;
    const before = game.revision;
    game = unwrap(answer);
    yield { game, events: await fetchEvents(client, id, before, signal) };
  }
}

export function useLiveGame(client: Client, id: string, access: StreamAccess): LiveGame {
  const { reconnects } = useOnline();
  const [live, update] = useReducer(applyUpdate, { game: null, events: [], state: "open", refused: null });
  useEffect(() => {
    const controller = new AbortController();
    update({ refused: null });
    const listen = async () => {
      for await (const each of gameUpdates(client, id, access, controller.signal, update)) update(each);
    };
    const keepListening = (): Promise<void> =>
      listen().catch(async (error: unknown) => {
        if (controller.signal.aborted) return;
        if (error instanceof ProblemError) {
          update({ refused: error });
          return;
        }
        update({ state: "lost" });
        await pauseBeforeRetry();
        await keepListening();
      });
    keepListening();
    return () => controller.abort();
  }, [client, id, access.client, access.reader, access.hidden, reconnects]);
  return live;
}
