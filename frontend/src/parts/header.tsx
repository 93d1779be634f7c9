import { ChartNoAxesColumn, CircleUserRound, Languages, Moon, Puzzle, Sun, SunMoon, Trophy, Users } from "lucide";
import type { ComponentChildren } from "preact";
import { useCommonContext, usePageContext } from "../shared/context";
import { ONE_COLUMN, useMedia } from "../shared/device";
import { useOnline } from "../shared/online";
import { links } from "../shared/route";
import type { Theme } from "../shared/store";
import { Icon } from "./design/icon";
import { Menu } from "./design/menu";
import { chosenName } from "./player_link";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const THEME_ICON = { auto: SunMoon, light: Sun, dark: Moon };

/** Return whether an address belongs to a page. A single competition belongs to the list. */
const isAt = (here: string, address: string): boolean =>
  here.startsWith(address) || (address === links.competitions && here.startsWith(links.competition("")));

/**
 * The bar at the top: links to the pages, language and theme. Pages add their own content, which leaves room only for a
 * menu on small screens.
 */
export function Header({ children }: { children?: ComponentChildren }) {
  const { words } = usePageContext();
  const isSmall = useMedia(ONE_COLUMN);
  return (
    <header class="bar">
      <a href={links.home} class="home">
        {words.title}
      </a>
      {children}
      <span class="push" />
      {children && isSmall ? (
        <Menu label={words.menu}>
          <PageLinks />
          <Appearance isNamed />
        </Menu>
      ) : (
        <>
          <PageLinks isShort={!!children} />
          <Appearance />
        </>
      )}
    </header>
  );
}

/** `isShort`: there is room for the most important pages only. */
function PageLinks({ isShort = false }: { isShort?: boolean }) {
  const { words, me } = usePageContext();
  const pages = [
    [links.lobby, words.people.lobby, Users],
    ...(isShort ? [] : ([[links.puzzle(), words.puzzles.title, Puzzle]] as const)),
    [links.competitions, words.competitions.title, Trophy],
    [links.leaders(), words.people.leaders, ChartNoAxesColumn],
    [links.me, chosenName(me.player) ?? words.people.me, CircleUserRound],
  ] as const;
  const hash = location.hash;
  return (
    <nav class="nav-links" aria-label={words.people.pages}>
      {pages.map(([address, name, icon]) => (
        <a key={address} href={address} aria-current={isAt(hash, address) ? "page" : undefined}>
          <Icon icon={icon} />
          <span>{name}</span>
        </a>
      ))}
    </nav>
  );
}

/** Language and theme. `isNamed`: the buttons show icon and text. */
export function Appearance({ isNamed = false }: { isNamed?: boolean }) {
  const { words, settings, changeSettings } = useCommonContext();
  const { theme, language } = settings;
  const other = language === "en" ? "de" : "en";
  return (
    <div class="appearance">
      <button class="quiet" onClick={() => changeSettings({ language: other })} lang={other}>
        {isNamed && <Icon icon={Languages} />}
        {words.language}
      </button>
      <button
        class="quiet sign"
        onClick={() => changeSettings({ theme: NEXT[theme] })}
        aria-label={words.theme[theme]}
        title={words.theme[theme]}
      >
        <Icon icon={THEME_ICON[theme]} />
        {isNamed && words.theme[theme]}
      </button>
    </div>
  );
}

/** A banner for a lost connection. Requests are not queued. */
export function OfflineBanner() {
  const { words } = useCommonContext();
  const { isOnline } = useOnline();
  return (
    <div role="status" class="offline">
      {!isOnline && <p class="banner">{words.offline}</p>}
    </div>
  );
}
