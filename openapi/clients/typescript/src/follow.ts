/**
 * A game's stream, from here to the end, whatever the connection does.
 *
 * The cursor is the revision of the last item that came whole. When the connection ends and the game has not, or
 * nothing comes for longer than a keep-alive may take, the stream is asked for again from the cursor: later and later
 * while that fails, at once after it went well. So no event comes twice and none is missed.
 */
import type { Client } from "./connect.ts";
import { ProblemError, problemOf, retryAfter, unwrap } from "./problems.ts";
import { backoff, NDJSON, sleep } from "./retry.ts";
import type { components, operations } from "./schema.d.ts";

type StreamItem = components["schemas"]["StreamItem"];
type Query = NonNullable<operations["streamEvents"]["parameters"]["query"]>;

/** `open`: what comes is live; `lost`: it is being asked for again. */
export type StreamState = "open" | "lost";

export interface FollowOptions {
  /** The last revision seen: events after it, and no snapshot first. */
  after?: number;
  /** A token that reads the game where the client's own does not: by that, others see who follows. */
  reader?: string;
  /** A player who watches is only counted, and not named. */
  hidden?: boolean;
  /** Drawn at random: connections that name the same count as one watcher, where they are no player's. */
  viewer?: string;
  /** Ends the stream, without an error. */
  signal?: AbortSignal;
  /** Told of each change. */
  onState?: (state: StreamState) => void;
}

/** The service says something every 15 s; a connection that is silent for longer than two of these is dead. */
const MAX_SILENCE_MS = 40_000;
const ENDED = ["finished", "aborted"];
/** The cursor means nothing any more (the rules have changed since, or an older state was restored): begin anew. */
const RESTART_CODES = ["game/rebased", "game/revision_not_found"];
const RETRY_STATUSES = [429, 500, 502, 503, 504];

/** A connection that brought nothing, and how long to wait at least before the next, in seconds. */
class ConnectionLostError extends Error {
  readonly wait: number;

  constructor(wait = 0) {
    super("The connection was lost");
    this.wait = wait;
  }
}

/**
 * A snapshot, then each event with the view it left (`item.game`), until the game is over or the signal fires.
 *
 * Throws ProblemError where asking again is no use: no such game, a token it does not know.
 */
export async function* follow(client: Client, gameId: string, options: FollowOptions = {}): AsyncGenerator<StreamItem> {
  const { signal, onState } = options;
  let after = options.after;
  let state: StreamState | null = null;
  const setState = (now: StreamState) => {
    if (now !== state) onState?.(now);
    state = now;
  };
  for (let attempt = 0; !signal?.aborted; attempt++) {
    let wait = 0;
    try {
      for await (const item of streamOnce(client, gameId, after, options, () => setState("open"))) {
        after = item.revision;
        attempt = -1;
        yield item;
        if (ENDED.includes(item.game?.status ?? "")) return;
      }
      return;
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof ProblemError && RESTART_CODES.includes(error.code) && after !== undefined) after = undefined;
      else if (!(error instanceof ConnectionLostError)) throw error;
      else wait = error.wait;
    }
    setState("lost");
    await sleep(Math.max(wait, backoff(attempt)), signal).catch(() => undefined);
  }
}

/** The items of one connection; it returns where the game is over and seen, and throws Lost where it broke. */
async function* streamOnce(
  client: Client,
  gameId: string,
  after: number | undefined,
  options: FollowOptions,
  onOpen: () => void,
): AsyncGenerator<StreamItem> {
  const { signal, reader, hidden, viewer } = options;
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal?.addEventListener("abort", abort, { once: true });
  let timer = setTimeout(abort, MAX_SILENCE_MS);
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, MAX_SILENCE_MS);
  };
  try {
    const query: Query = {
      ...(hidden && { hidden }),
      ...(viewer && { viewer }),
      ...(after !== undefined && { after }),
    };
    if (reader) query.ticket = await createTicket(client, gameId, reader, controller.signal);
    const body = await openStream(client, gameId, query, controller.signal);
    if (body === null) return;
    onOpen();
    for await (const line of readLines(body, restartTimer)) yield JSON.parse(line) as StreamItem;
    throw new ConnectionLostError();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    controller.abort(); // whoever stops following leaves no connection open
  }
}

interface Answer<Data> {
  data?: Data | undefined;
  error?: unknown;
  response: Response;
}

/** The answer, if it is a success; Lost where it may be one later. */
async function requireSuccess<Data>(request: Promise<Answer<Data>>): Promise<Answer<Data>> {
  const answer = await request.catch(() => {
    throw new ConnectionLostError();
  });
  const { response, error } = answer;
  if (response.ok) return answer;
  if (RETRY_STATUSES.includes(response.status)) throw new ConnectionLostError(retryAfter(response) ?? 0);
  throw new ProblemError(problemOf(error, response));
}

/** What opens the stream once for whoever has the token. */
async function createTicket(client: Client, gameId: string, reader: string, signal: AbortSignal): Promise<string> {
  const headers = { Authorization: `Bearer ${reader}` };
  const params = { path: { game_id: gameId } };
  return unwrap(await requireSuccess(client.POST("/v1/games/{game_id}/tickets", { params, headers, signal }))).ticket;
}

/** The stream's bytes; null where there is nothing more to come. */
async function openStream(
  client: Client,
  gameId: string,
  query: Query,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> {
  const params = { path: { game_id: gameId }, query };
  const headers = { Accept: NDJSON };
  const asked = client.GET("/v1/games/{game_id}/events", { params, headers, parseAs: "stream", signal });
  const { response, data } = await requireSuccess<ReadableStream<Uint8Array> | null>(asked);
  return response.status === 204 ? null : (data ?? null);
}

/** The lines that came whole, without the empty ones that keep the connection alive; Lost where it breaks. */
async function* readLines(body: ReadableStream<Uint8Array>, onData: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new ConnectionLostError();
    });
    if (done) return;
    onData();
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts.filter((line) => line.trim() !== "");
  }
}
