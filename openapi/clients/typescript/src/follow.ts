/**
 * Follow the stream of a game to its end, or that of a player, across lost connections.
 *
 * The cursor of a game is the revision of the last complete item. When the connection ends before the game, or stays
 * silent for too long, the client reconnects from the cursor. Pauses grow while that fails. So no event is delivered
 * twice or missed. The stream of a player starts again with the current state.
 */
import type { Client } from "./connect.ts";
import { ProblemError, problemOf, retryAfter, unwrap } from "./problems.ts";
import { backoff, NDJSON, sleep } from "./retry.ts";
import type { components, operations } from "./schema.d.ts";

type StreamItem = components["schemas"]["StreamItem"];
type PlayerEvent = components["schemas"]["PlayerEvent"];
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
  /** Watch anonymously: the player is counted but not named, or not shown as online. */
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
const ACCEPT = { Accept: NDJSON };
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
  const { reader, hidden, viewer } = options;
  let { after } = options;
  const open = async (signal: AbortSignal) => {
    const query: Query = {
      ...(hidden && { hidden }),
      ...(viewer && { viewer }),
      ...(after !== undefined && { after }),
    };
    if (reader) query.ticket = await createTicket(client, gameId, reader, signal);
    const params = { path: { game_id: gameId }, query };
    return client.GET("/v1/games/{game_id}/events", { params, headers: ACCEPT, parseAs: "stream", signal });
  };
  const canRestart = ({ code }: ProblemError): boolean => {
    const isBehind = after !== undefined && RESTART_CODES.includes(code);
    after = undefined;
    return isBehind;
  };
  for await (const item of followStream<StreamItem>(open, options, canRestart)) {
    after = item.revision;
    yield item;
    if (ENDED.includes(item.game?.status ?? "")) return;
  }
}

/**
 * Yield the state of each unfinished game and open challenge of the client's player, and then of each that changes,
 * until the signal fires. After a lost connection, the unfinished games and open challenges come again.
 *
 * Throws ProblemError if a retry is useless, for example for an unknown token.
 */
export async function* followPlayer(
  client: Client,
  options: Pick<FollowOptions, "hidden" | "signal" | "onState"> = {},
): AsyncGenerator<PlayerEvent> {
  const params = { query: options.hidden ? { hidden: true } : {} };
  const open = (signal: AbortSignal) =>
    client.GET("/v1/me/events", { params, headers: ACCEPT, parseAs: "stream", signal });
  yield* followStream<PlayerEvent>(open, options, () => false);
}

type Bytes = ReadableStream<Uint8Array> | null;

/**
 * Yield the items of a stream, which `open` requests again after a lost connection. Return when the service has ended
 * it with 204, or when the signal fires. `canRestart`: whether a refused stream can be opened again.
 */
async function* followStream<Item>(
  open: (signal: AbortSignal) => Promise<Answer<Bytes>>,
  { signal, onState }: Pick<FollowOptions, "signal" | "onState">,
  canRestart: (refusal: ProblemError) => boolean,
): AsyncGenerator<Item> {
  let state: StreamState | null = null;
  const setState = (now: StreamState) => {
    if (now !== state) onState?.(now);
    state = now;
  };
  for (let attempt = 0; !signal?.aborted; attempt++) {
    let wait = 0;
    let chunks = 0;
    const onData = () => {
      setState("open");
      if (chunks++ > 0) attempt = -1; // the first one is sent before the service reads its store
    };
    try {
      yield* streamOnce<Item>(open, signal, onData);
      return;
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof ConnectionLostError) wait = error.wait;
      else if (!(error instanceof ProblemError && canRestart(error))) throw error;
    }
    setState("lost");
    await sleep(Math.max(wait, backoff(attempt)), signal).catch(() => undefined);
  }
}

/** Yield the items of one connection. Return after 204; throw ConnectionLostError when the connection fails. */
async function* streamOnce<Item>(
  open: (signal: AbortSignal) => Promise<Answer<Bytes>>,
  signal: AbortSignal | undefined,
  onData: () => void,
): AsyncGenerator<Item> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal?.addEventListener("abort", abort, { once: true });
  let timer = setTimeout(abort, MAX_SILENCE_MS);
  const onChunk = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, MAX_SILENCE_MS);
    onData();
  };
  try {
    const { response, data } = await requireSuccess(open(controller.signal));
    if (response.status === 204 || !data) return;
    for await (const line of readLines(data, onChunk)) yield JSON.parse(line) as Item;
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
