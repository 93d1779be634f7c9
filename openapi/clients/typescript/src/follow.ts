/**
 * Follow a game's stream to its end, across lost connections.
 *
 * The cursor is the revision of the last complete item. When the connection ends before the game, or stays silent for
 * too long, the client reconnects from the cursor. Pauses grow while that fails. So no event is delivered twice or
 * missed.
 */
import type { Client } from "./connect.ts";
import { ProblemError, problemOf, retryAfter, unwrap } from "./problems.ts";
import { backoff, NDJSON, sleep } from "./retry.ts";
import type { components, operations } from "./schema.d.ts";

type StreamItem = components["schemas"]["StreamItem"];
type Query = NonNullable<operations["streamEvents"]["parameters"]["query"]>;

/** `open`: connected; `lost`: reconnecting. */
export type StreamState = "open" | "lost";

export interface FollowOptions {
  /** The last known revision. The stream then starts with the next event instead of a snapshot. */
  after?: number;
  /**
   * A token that can read the game, if the client's own token cannot. Others still see the owner of the client's token.
   */
  reader?: string;
  /** Watch anonymously: the player is counted but not named. */
  hidden?: boolean;
  /** A random id. Anonymous connections with the same id count as one watcher. */
  viewer?: string;
  /** Ends the stream without an error. */
  signal?: AbortSignal;
  /** Called on every change of the state. */
  onState?: (state: StreamState) => void;
}

/** The service sends a keep-alive every 4 s. A connection that misses ten of them is dead. */
const MAX_SILENCE_MS = 40_000;
const ENDED = ["finished", "aborted"];
/** The cursor is invalid, because the rules have changed or a backup was restored. Start with a snapshot. */
const RESTART_CODES = ["game/rebased", "game/revision_not_found"];
const RETRY_STATUSES = [429, 500, 502, 503, 504];

/** The connection failed. `wait`: minimum seconds before the next attempt. */
class ConnectionLostError extends Error {
  readonly wait: number;

  constructor(wait = 0) {
    super("The connection was lost");
    this.wait = wait;
  }
}

/**
 * Yield a snapshot, then each event with the resulting view (`item.game`), until the game is over or the signal fires.
 *
 * Throws ProblemError if a retry is useless, for example for an unknown game or token.
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

/**
 * Yield the items of one connection. Return when the game is over; throw ConnectionLostError when the connection fails.
 */
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
    controller.abort(); // closes the connection when the consumer stops
  }
}

interface Answer<Data> {
  data?: Data | undefined;
  error?: unknown;
  response: Response;
}

/** Return a successful response. Throw ConnectionLostError if a retry may succeed. */
async function requireSuccess<Data>(request: Promise<Answer<Data>>): Promise<Answer<Data>> {
  const answer = await request.catch(() => {
    throw new ConnectionLostError();
  });
  const { response, error } = answer;
  if (response.ok) return answer;
  if (RETRY_STATUSES.includes(response.status)) throw new ConnectionLostError(retryAfter(response) ?? 0);
  throw new ProblemError(problemOf(error, response));
}

/** Return a single-use ticket that opens the stream. */
async function createTicket(client: Client, gameId: string, reader: string, signal: AbortSignal): Promise<string> {
  const headers = { Authorization: `Bearer ${reader}` };
  const params = { path: { game_id: gameId } };
  return unwrap(await requireSuccess(client.POST("/v1/games/{game_id}/tickets", { params, headers, signal }))).ticket;
}

/** Return the stream's bytes, or null if the game is over. */
async function openStream(
  client: Client,
  gameId: string,
  query: Query,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> {
  const params = { path: { game_id: gameId }, query };
  const headers = { Accept: NDJSON };
  const request = client.GET("/v1/games/{game_id}/events", { params, headers, parseAs: "stream", signal });
  const { response, data } = await requireSuccess<ReadableStream<Uint8Array> | null>(request);
  return response.status === 204 ? null : (data ?? null);
}

/** Yield complete lines without keep-alives. Throw ConnectionLostError when the connection fails. */
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
