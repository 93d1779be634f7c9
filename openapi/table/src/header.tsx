import type { ComponentChildren } from "preact";
import { useAround } from "./context";
import type { Theme } from "./store";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const SIGN: Record<Theme, string> = { auto: "◐", light: "☀", dark: "☾" };

/** The bar on top: the way home, what the page puts there, language and colours. */
export function Header({ children }: { children?: ComponentChildren }) {
  const { words, settings, change } = useAround();
  const { theme, language } = settings;
  return (
    <header class="bar">
      <a href="#/" class="home">
        {words.title}
      </a>
      {children}
      <span class="push" />
      <a href="docs">{words.apiDocs}</a>
      <button
        class="quiet"
        onClick={() => change({ language: language === "en" ? "de" : "en" })}
        lang={language === "en" ? "de" : "en"}
      >
        {words.language}
      </button>
      <button
        class="quiet"
        onClick={() => change({ theme: NEXT[theme] })}
        aria-label={words.theme[theme]}
        title={words.theme[theme]}
      >
        <span aria-hidden="true">{SIGN[theme]}</span>
      </button>
    </header>
  );
}
