/** API clients with tokens and the API key, early responses, and refusals while offline. */
import { type Client, connect, ProblemError, problemOf } from "@azul-games/client";
import type { Settings } from "./store";

/** Called when the service requires another API key. */
export type OnKeyRefused = (refusal: ProblemError) => void;

/** Code of a request that was not sent. */
export const OFFLINE = "offline";

export const KEY_CODES = ["auth/api_key_required", "auth/api_key_unknown"];

/** The base URL of the API: the folder of this page, also behind a reverse proxy. */
export const SERVICE_URL = new URL(".", location.href).href.replace(/\/$/, "");

declare global {
  /** Responses to the first requests of a game's page, which start.js sends before the scripts arrive, by URL. */
  var early: { authorization: string | null; responses: Map<string, Promise<Response | null>> } | undefined;
}

/** Return whether the view of a game was requested early, and not taken yet. */
export const isEarly = (gameId: string): boolean =>
  globalThis.early?.responses.has(`${SERVICE_URL}/v1/games/${gameId}`) ?? false;

/** Return the response to a request that was sent early with the same token and succeeded, or null. Can be taken once. */
export async function takeEarly({ method, url, headers, signal }: Request): Promise<Response | null> {
  const response = globalThis.early?.responses.get(url);
  if (method !== "GET" || !response || headers.get("Authorization") !== globalThis.early?.authorization) return null;
  globalThis.early.responses.delete(url);
  const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const found = await Promise.race([response, aborted]);
  return found?.ok ? found : null;
}

/** Seconds for which a failed request is repeated. After that the page shows the error. */
const RETRY_S = 10;

/** Return a client. `onUnauthorized` receives each refusal of the key or token. */
export function createClient(
  token: string | null,
  { language, apiKey }: Settings,
  onUnauthorized: (refusal: ProblemError) => void = () => undefined,
): Client {
  const headers = { "Accept-Language": language, ...(apiKey && { "X-Api-Key": apiKey }) };
  const send = async (request: Request): Promise<Response> => {
    if (!navigator.onLine && request.method !== "GET") return offlineRefusal();
    const response = (await takeEarly(request)) ?? (await fetch(request));
    if (response.status === 401) {
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => null);
      onUnauthorized(new ProblemError(problemOf(body, response)));
    }
    return response;
  };
  return connect({ url: SERVICE_URL, token, headers, patience: RETRY_S, fetch: send });
}

/** Refuse changes while offline: the player may no longer want them when the connection is back. */
const offlineRefusal = (): Response => Response.json({ status: 400, code: OFFLINE, title: OFFLINE }, { status: 400 });

/** Return a handler for 401 responses: ask for an API key, or check a player whose token is unknown. */
export const unauthorizedHandler =
  (onKeyRefused: OnKeyRefused, onTokenUnknown: () => void = () => undefined) =>
  (refusal: ProblemError): void => {
    if (KEY_CODES.includes(refusal.code)) onKeyRefused(refusal);
    else if (refusal.code === "auth/token_unknown") onTokenUnknown();
  };

export const bearerHeader = (token: string | undefined): Record<string, string> =>
  token ? { Authorization: `Bearer ${token}` } : {};
