/** The context of all parts of the page: texts, settings and the player. */
import { type Client, ProblemError } from "@azul-games/client";
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { createClient, type OnKeyRefused, unauthorizedHandler } from "./client";
import type { Me } from "./me";
import type { Settings } from "./store";
import type { Words } from "./words";

export interface PageContextValue {
  words: Words;
  settings: Settings;
  changeSettings: (settings: Partial<Settings>) => void;
  /** Show a text for some seconds. */
  toast: (text: string) => void;
  onKeyRefused: OnKeyRefused;
  me: Me;
}

/** Return an API client with a token. */
export function useClient(token: string | null): Client {
  const { settings, onKeyRefused, me } = usePageContext();
  const reload = token !== null && token === me.token ? me.reload : undefined;
  return useMemo(
    () => createClient(token, settings, unauthorizedHandler(onKeyRefused, reload)),
    [token, settings.language, settings.apiKey],
  );
}

/** Return the service's description of an error, or a general text. */
export const errorText = (error: unknown, words: Words): string =>
  error instanceof ProblemError ? (error.problem.detail ?? error.problem.title) : words.failed;

export const PageContext = createContext<PageContextValue | null>(null);

export function usePageContext(): PageContextValue {
  const value = useContext(PageContext);
  if (value === null) throw new Error("usePageContext needs a PageContext.Provider around the component");
  return value;
}
