/** API clients with tokens and the API key, and refusals while offline. */
import { type Client, connect, ProblemError, problemOf } from "azul-games-client";
import type { Settings } from "./store";
import { WORDS } from "./words";

/** Called when the service requires another API key. */
export type OnKeyRefused = (refusal: ProblemError) => void;

const KEY_CODES = ["auth/api_key_required", "auth/api_key_unknown"];

/** The base URL of the API: the folder of this page, also behind a reverse proxy. */
const SERVICE_URL = new URL(".", location.href).href.replace(/\/$/, "");

/** Seconds for which a failed request is repeated. After that the page shows the error. */
const RETRY_S = 10;

type Send = (request: Request) => Promise<Response>;

export function clientFor(
  token: string | null,
  { language, apiKey }: Settings,
  send: Send = (request) => fetch(request),
): Client {
  const headers = { "Accept-Language": language, ...(apiKey && { "X-Api-Key": apiKey }) };
  const sent = (request: Request) => notSent(request, language) ?? send(request);
  return connect({ url: SERVICE_URL, token, headers, patience: RETRY_S, fetch: sent });
}

/** Refuse changes while offline: the player may no longer want them when the connection is back. */
function notSent({ method }: Request, language: Settings["language"]): Promise<Response> | null {
  if (navigator.onLine || method === "GET") return null;
  const problem = { status: 400, code: "offline", title: WORDS[language].sharing.notSent };
  return Promise.resolve(Response.json(problem, { status: 400 }));
}

/** Return a client. `unauthorized` receives each refusal of the key or token. */
export function clientOf(
  token: string | null,
  settings: Settings,
  unauthorized: (refusal: ProblemError) => void,
): Client {
  return clientFor(token, settings, async (request) => {
    const answer = await fetch(request);
    if (answer.status !== 401) return answer;
    const told: unknown = await answer
      .clone()
      .json()
      .catch(() => null);
    unauthorized(new ProblemError(problemOf(told, answer)));
    return answer;
  });
}

/** Return a handler for 401 responses: ask for an API key, or sign out a player whose token is unknown. */
export const unauthorizedHandler =
  (keyRefused: OnKeyRefused, onTokenUnknown: () => void = () => undefined) =>
  (refusal: ProblemError): void => {
    if (KEY_CODES.includes(refusal.code)) keyRefused(refusal);
    else if (refusal.code === "auth/token_unknown") onTokenUnknown();
  };

export const bearerHeader = (token: string | undefined): Record<string, string> =>
  token ? { Authorization: `Bearer ${token}` } : {};
