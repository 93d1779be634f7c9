/** What every part of the page needs: words, settings, and the player. */
import { type Client, ProblemError } from "azul-games-client";
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { clientOf, type OnKeyRefused, unauthorizedHandler } from "./client";
import type { Me } from "./me";
import type { Settings } from "./store";
import type { Words } from "./words";

export interface PageContextValue {
  words: Words;
  settings: Settings;
  changeSettings: (settings: Partial<Settings>) => void;
  /** Says something for a moment. */
  toast: (text: string) => void;
  onKeyRefused: OnKeyRefused;
  /** The player of this browser. */
  me: Me;
}

/** The way to the service for whoever has the token. */
export function useClient(token: string | null): Client {
  const { settings, onKeyRefused, me } = usePageContext();
  const leave = token !== null && token === me.token ? me.leave : undefined;
  return useMemo(
    () => clientOf(token, settings, unauthorizedHandler(onKeyRefused, leave)),
    [token, settings.language, settings.apiKey],
  );
}

/** A refusal in the words of the service. */
export const errorText = (error: unknown, words: Words): string =>
  error instanceof ProblemError ? (error.problem.detail ?? error.problem.title) : words.failed;

export const PageContext = createContext<PageContextValue | null>(null);

export function usePageContext(): PageContextValue {
  const value = useContext(PageContext);
  if (value === null) throw new Error("This part stands in no page");
  return value;
}
