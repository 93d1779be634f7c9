/** The way to the service: tokens, the API key, and what happens without a connection. */
import { type Client, connect, ProblemError, problemOf } from "azul-games-client";
import type { Settings } from "./store";
import { WORDS } from "./words";

/** The service does not answer for want of an API key. */
export type OnKeyRefused = (refusal: ProblemError) => void;

const KEY_CODES = ["auth/api_key_required", "auth/api_key_unknown"];

/** The page stands beside the API, whatever stands before both. */
const SERVICE_URL = new URL(".", location.href).href.replace(/\/$/, "");

/** So long is something asked for again; after that whoever asked is told, and decides anew. */
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

/** Offline, whatever would change something is refused at once: what is sent later is no longer meant. */
function notSent({ method }: Request, language: Settings["language"]): Promise<Response> | null {
  if (navigator.onLine || method === "GET") return null;
  const problem = { status: 400, code: "offline", title: WORDS[language].sharing.notSent };
  return Promise.resolve(Response.json(problem, { status: 400 }));
}

/** The way to the service; `unauthorized` hears of each answer that asks for another key or token. */
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

/** Asks for a key where that is wanted, and leaves the player whose token has ended. */
export const unauthorizedHandler =
  (keyRefused: OnKeyRefused, onTokenUnknown: () => void = () => undefined) =>
  (refusal: ProblemError): void => {
    if (KEY_CODES.includes(refusal.code)) keyRefused(refusal);
    else if (refusal.code === "auth/token_unknown") onTokenUnknown();
  };

export const bearerHeader = (token: string | undefined): Record<string, string> =>
  token ? { Authorization: `Bearer ${token}` } : {};
