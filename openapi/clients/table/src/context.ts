/** What every part of the page needs: words, settings, and the way to the service. */
import { type Client, connect, ProblemError } from "azul-games-client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Settings } from "./store";
import type { Words } from "./words";

export interface Around {
  words: Words;
  settings: Settings;
  change: (settings: Partial<Settings>) => void;
  /** Says something for a moment. */
  toast: (text: string) => void;
}

/** The page stands beside the API, whatever stands before both. */
const SERVICE = new URL(".", location.href).href.replace(/\/$/, "");

export const clientFor = (token: string | null, language: string): Client =>
  connect({ url: SERVICE, token, headers: { "Accept-Language": language } });

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
