/** The generated client with a token, idempotency keys and retries. */
import createClient, { type Client as FetchClient, type Middleware } from "openapi-fetch";
import { withRetries } from "./retry.ts";
import type { paths } from "./schema.d.ts";

/** Methods `GET`, `POST`, … typed by path. */
export type Client = FetchClient<paths>;

export interface Connection {
  /** The base URL of the service. May be "" in a page of the service itself. */
  url: string;
  /** The bearer token, or a function that returns the current one. A request with its own `Authorization` keeps it. */
  token?: string | null | (() => string | null);
  /** Headers of every request, such as `X-Api-Key` or `Accept-Language`. */
  headers?: Record<string, string>;
  /** Seconds for which safe requests are retried. Default: 60; 0 disables retries. */
  patience?: number;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

type HeaderOf<Path extends keyof paths> = paths[Path] extends { post: { parameters: { header?: infer Header } } }
  ? [NonNullable<Header>] extends [never]
    ? never
    : keyof NonNullable<Header>
  : never;
type KeyedPath = { [Path in keyof paths]: "Idempotency-Key" extends HeaderOf<Path> ? Path : never }[keyof paths];

/**
 * Paths whose POST accepts an Idempotency-Key. The compiler checks the list, because types do not exist at run time.
 */
const KEYED_PATHS: Record<KeyedPath, true> = {
  "/v1/competitions": true,
  "/v1/games": true,
  "/v1/games/import": true,
  "/v1/games/{game_id}/abort": true,
  "/v1/games/{game_id}/actions": true,
  "/v1/games/{game_id}/offers/{offer}/answer": true,
  "/v1/games/{game_id}/pauses": true,
  "/v1/games/{game_id}/rematch": true,
  "/v1/games/{game_id}/resignation": true,
  "/v1/games/{game_id}/resumption": true,
  "/v1/games/{game_id}/seats": true,
  "/v1/games/{game_id}/seats/{seat}/handover": true,
  "/v1/games/{game_id}/start": true,
  "/v1/games/{game_id}/takebacks": true,
  "/v1/players/{player}/challenges": true,
  "/v1/seeks": true,
};

/** Return 128 random bits in hexadecimal. `crypto.randomUUID` exists only on https pages. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return a client of the service at `url`. */
export function connect({ url, token, headers, patience = 60, fetch: ownFetch }: Connection): Client {
  const send = withRetries(ownFetch ?? ((request) => globalThis.fetch(request)), patience);
  const client = createClient<paths>({ baseUrl: url, headers: headers ?? {}, fetch: send });
  const middleware: Middleware = {
    onRequest({ request, schemaPath }) {
      const bearer = typeof token === "function" ? token() : token;
      if (bearer && !request.headers.has("Authorization")) request.headers.set("Authorization", `Bearer ${bearer}`);
      if (request.method === "POST" && schemaPath in KEYED_PATHS && !request.headers.has("Idempotency-Key")) {
        request.headers.set("Idempotency-Key", newKey());
      }
      return request;
    },
  };
  client.use(middleware);
  return client;
}
