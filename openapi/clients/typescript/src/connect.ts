/** The generated client, with a token, keys that make repeating safe, and patience. */
import createClient, { type Client as FetchClient, type Middleware } from "openapi-fetch";
import { withRetries } from "./retry.ts";
import type { paths } from "./schema.d.ts";

/** `GET`, `POST`, … by the document's paths. */
export type Client = FetchClient<paths>;

export interface Connection {
  /** Where the service is; "" in a page of the service itself. */
  url: string;
  /** A seat's, a player's, the host's…; a function where it changes. A request may bear its own `Authorization`. */
  token?: string | null | (() => string | null);
  /** Sent with every request: `X-Api-Key`, `Accept-Language`. */
  headers?: Record<string, string>;
  /** Seconds for which a request is sent again where that is safe; 60 where nothing is said, 0: never. */
  patience?: number;
  /** Instead of the global one. */
  fetch?: (request: Request) => Promise<Response>;
}

type HeaderOf<Path extends keyof paths> = paths[Path] extends { post: { parameters: { header?: infer Header } } }
  ? [NonNullable<Header>] extends [never]
    ? never
    : keyof NonNullable<Header>
  : never;
type KeyedPath = { [Path in keyof paths]: "Idempotency-Key" extends HeaderOf<Path> ? Path : never }[keyof paths];

/** What takes an Idempotency-Key by POST. Types are gone when this runs; the compiler holds the list to the document. */
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

/** 128 random bits in hex. `crypto.randomUUID` is there for pages that come by https alone. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A client that speaks to the service at `url`. */
export function connect({ url, token, headers, patience = 60, fetch: given }: Connection): Client {
  const send = withRetries(given ?? ((request) => globalThis.fetch(request)), patience);
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
