/** What every part of the page needs: words, settings, and the player. */
import { type Client, ProblemError } from "azul-games-client";
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { clientOf, heard, type KeyRefused } from "./client";
import type { Me } from "./me";
import type { Settings } from "./store";
import type { Words } from "./words";

export interface Around {
  words: Words;
  settings: Settings;
  change: (settings: Partial<Settings>) => void;
  /** Says something for a moment. */
  toast: (text: string) => void;
  keyRefused: KeyRefused;
  /** The player of this browser. */
  me: Me;
}

/** The way to the service for whoever has the token. */
export function useClient(token: string | null): Client {
  const { settings, keyRefused, me } = useAround();
  const leave = token !== null && token === me.token ? me.leave : undefined;
  return useMemo(
    () => clientOf(token, settings, heard(keyRefused, leave)),
    [token, settings.language, settings.apiKey],
  );
}

/** A refusal in the words of the service. */
export const told = (error: unknown, words: Words): string =>
  error instanceof ProblemError ? (error.problem.detail ?? error.problem.title) : words.failed;

export const Surroundings = createContext<Around | null>(null);

export function useAround(): Around {
  const around = useContext(Surroundings);
  if (around === null) throw new Error("This part stands in no page");
  return around;
}
