/** The generated client with a token, idempotency keys and retries. */
import createClient, { type Client as FetchClient, type Middleware } from "openapi-fetch";
import { withRetries } from "./retry.ts";
import type { paths } from "./schema.d.ts";

/** Methods `GET`, `POST`, … typed by path. `Paths`: those of another document of the service. */
export type Client<Paths extends object = paths> = FetchClient<Paths>;

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

/** Return 128 random bits in hexadecimal. `crypto.randomUUID` exists only on https pages. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return a client of the service at `url`. */
export function connect({ url, token, headers, patience = 60, fetch: ownFetch }: Connection): Client {
  const send = withRetries(ownFetch ?? ((request) => globalThis.fetch(request)), patience);
  const client = createClient<paths>({ baseUrl: url, headers: headers ?? {}, fetch: send });
  const middleware: Middleware = {
    onRequest({ request }) {
      const bearer = typeof token === "function" ? token() : token;
      if (bearer && !request.headers.has("Authorization")) request.headers.set("Authorization", `Bearer ${bearer}`);
      if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
        request.headers.set("Idempotency-Key", newKey()); // the two POSTs that create nothing ignore it
      }
      return request;
    },
  };
  client.use(middleware);
  return client;
}
