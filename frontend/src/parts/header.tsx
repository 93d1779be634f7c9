import type { ComponentChildren } from "preact";
import { usePageContext } from "../shared/context";
import { links } from "../shared/route";
import type { Theme } from "../shared/store";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const SIGN: Record<Theme, string> = { auto: "◐", light: "☀", dark: "☾" };

/** Return whether an address belongs to a page. A single competition belongs to the list. */
const isAt = (here: string, address: string): boolean =>
  here.startsWith(address) || (address === links.competitions && here.startsWith(links.competition("")));

/** The bar at the top: links to the pages, language and theme. Pages add their own content. */
export function Header({ children }: { children?: ComponentChildren }) {
  const { words, settings, changeSettings, me } = usePageContext();
  const { theme, language } = settings;
  const pages: [string, string][] = [
    [links.lobby, words.people.lobby],
    [links.competitions, words.competitions.title],
    [links.leaders(), words.people.leaders],
    [links.me, me.player?.name ?? words.people.me],
  ];
  const hash = location.hash;
  return (
    <header class="bar">
      <a href={links.home} class="home">
        {words.title}
      </a>
      {children}
      <span class="push" />
      <nav class="ways" aria-label={words.people.pages}>
        {pages.map(([address, name]) => (
          <a key={address} href={address} aria-current={isAt(hash, address) ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <a href="docs">{words.apiDocs}</a>
      <button
        class="quiet"
        onClick={() => changeSettings({ language: language === "en" ? "de" : "en" })}
        lang={language === "en" ? "de" : "en"}
      >
        {words.language}
      </button>
      <button
        class="quiet"
        onClick={() => changeSettings({ theme: NEXT[theme] })}
        aria-label={words.theme[theme]}
        title={words.theme[theme]}
      >
        <span aria-hidden="true">{SIGN[theme]}</span>
      </button>
    </header>
  );
}
