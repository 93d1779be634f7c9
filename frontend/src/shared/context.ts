/** What every part of the page needs: words, settings, and the way to the service. */
import { type Client, connect, ProblemError, problemOf, type Schemas } from "azul-games-client";
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import type { Me } from "./me";
import type { Settings } from "./store";
import type { Waiting } from "./waiting";
import { type Words, WORDS } from "./words";

export interface Around {
  words: Words;
  settings: Settings;
  change: (settings: Partial<Settings>) => void;
  /** Says something for a moment. */
  toast: (text: string) => void;
  keyRefused: KeyRefused;
  /** The player of this browser. */
  me: Me;
  /** What they wait for. */
  waiting: Waiting;
  /** Challenges that wait for their answer. */
  challenges: readonly Schemas["Challenge"][];
}

/** The service does not answer for want of an API key. */
export type KeyRefused = (refusal: ProblemError) => void;

const KEY_CODES = ["auth/api_key_required", "auth/api_key_unknown"];

/** The page stands beside the API, whatever stands before both. */
const SERVICE = new URL(".", location.href).href.replace(/\/$/, "");

/** So long is something asked for again; after that whoever asked is told, and decides anew. */
const PATIENCE_S = 10;

type Send = (request: Request) => Promise<Response>;

export function clientFor(
  token: string | null,
  { language, apiKey }: Settings,
  send: Send = (request) => fetch(request),
): Client {
  const headers = { "Accept-Language": language, ...(apiKey && { "X-Api-Key": apiKey }) };
  const sent = (request: Request) => notSent(request, language) ?? send(request);
  return connect({ url: SERVICE, token, headers, patience: PATIENCE_S, fetch: sent });
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
export const heard =
  (keyRefused: KeyRefused, leave: () => void = () => undefined) =>
  (refusal: ProblemError): void => {
    if (KEY_CODES.includes(refusal.code)) keyRefused(refusal);
    else if (refusal.code === "auth/token_unknown") leave();
  };

/** The way to the service for whoever has the token. */
export function useClient(token: string | null): Client {
  const { settings, keyRefused, me } = useAround();
  const leave = token !== null && token === me.token ? me.leave : undefined;
  return useMemo(
    () => clientOf(token, settings, heard(keyRefused, leave)),
    [token, settings.language, settings.apiKey],
  );
}

export const bearing = (token: string | undefined): Record<string, string> =>
  token ? { Authorization: `Bearer ${token}` } : {};

/** A refusal in the words of the service. */
export const told = (error: unknown, words: Words): string =>
  error instanceof ProblemError ? (error.problem.detail ?? error.problem.title) : words.failed;

export const Surroundings = createContext<Around | null>(null);

export function useAround(): Around {
  const around = useContext(Surroundings);
  if (around === null) throw new Error("This part stands in no page");
  return around;
}
