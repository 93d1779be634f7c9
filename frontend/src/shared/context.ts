/** The context of all parts of a page: texts, settings and, at the table, the player. */
import { type Client, ProblemError } from "@azul-games/client";
import { createContext } from "preact";
import { useCallback, useContext, useEffect, useMemo, useState } from "preact/hooks";
import { createClient, OFFLINE, type OnKeyRefused, unauthorizedHandler } from "./client";
import type { Me } from "./me";
import { loadSettings, saveSettings, type Settings } from "./store";
import type { CommonWords, Words } from "./words";

/** What the table and the admin page provide. */
export interface CommonContextValue {
  words: CommonWords;
  settings: Settings;
  changeSettings: (settings: Partial<Settings>) => void;
  /** Show a text for some seconds. */
  toast: (text: string) => void;
}

/** What the table provides. */
export interface PageContextValue extends CommonContextValue {
  words: Words;
  onKeyRefused: OnKeyRefused;
  me: Me;
}

/** Return the settings of this browser, which set language and theme of the page, and a function that changes some. */
export function useSettings(): [Settings, CommonContextValue["changeSettings"]] {
  const [settings, setSettings] = useState(loadSettings);
  const changeSettings = useCallback(
    (some: Partial<Settings>) =>
      setSettings((before) => {
        const changed = { ...before, ...some };
        saveSettings(changed); // now, because the page may be closed before it is drawn
        return changed;
      }),
    [],
  );
  useEffect(() => {
    document.documentElement.lang = settings.language;
    document.documentElement.dataset["theme"] = settings.theme;
  }, [settings]);
  return [settings, changeSettings];
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

/** Return the service's description of an error or of the first invalid value, or a general text. */
export function errorText(error: unknown, words: CommonWords): string {
  if (!(error instanceof ProblemError)) return words.failed;
  if (error.code === OFFLINE) return words.notSent;
  const { detail, title, errors: [invalid] = [] } = error.problem;
  return detail ?? (invalid ? `${title}: ${invalid.detail}` : title);
}

export const PageContext = createContext<CommonContextValue | null>(null);

export function useCommonContext(): CommonContextValue {
  const value = useContext(PageContext);
  if (value === null) throw new Error("this component needs a PageContext.Provider around it");
  return value;
}

/** Return the context of the table. */
export const usePageContext = (): PageContextValue => useCommonContext() as PageContextValue;
