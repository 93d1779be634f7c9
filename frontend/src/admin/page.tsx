/** The page after signing in: navigation, and the section of the address. */
import {
  Bot,
  ChartColumn,
  Cpu,
  Flag,
  Gamepad2,
  type IconNode,
  KeyRound,
  LogOut,
  Megaphone,
  ScrollText,
  Settings as SettingsIcon,
  Trophy,
  Users,
} from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/design/icon";
import { Menu } from "../parts/design/menu";
import { Appearance } from "../parts/header";
import { ONE_COLUMN, useMedia } from "../shared/device";
import { useAdmin } from "./context";
import { PlayerPage } from "./people/player";
import { Players } from "./people/players";
import { ReportPage } from "./people/report";
import { Reports } from "./people/reports";
import { address, type AdminRoute, parseAdminRoute, type Section, sectionsFor } from "./route";
import { Bots } from "./service/bots";
import { Competitions } from "./service/competitions";
import { Games } from "./service/games";
import { AuditLog } from "./service/log";
import { Figures } from "./service/figures";
import { Notices } from "./service/notices";
import { Processes } from "./service/processes";
import { Settings } from "./service/settings";
import { StaffPage } from "./service/staff";

const ICONS: Record<Section, IconNode> = {
  reports: Flag,
  players: Users,
  games: Gamepad2,
  competitions: Trophy,
  bots: Bot,
  processes: Cpu,
  log: ScrollText,
  staff: KeyRound,
  figures: ChartColumn,
  notices: Megaphone,
  settings: SettingsIcon,
};

export function AdminPage({ signOut }: { signOut: () => void }) {
  const { words, role } = useAdmin();
  const route = useAdminRoute();
  const isSmall = useMedia(ONE_COLUMN);
  const leave = (
    <button class="quiet" onClick={signOut}>
      <Icon icon={LogOut} />
      {words.signOut}
    </button>
  );
  return (
    <>
      <header class="bar">
        <a class="home" href={address("reports")}>
          {words.title}
        </a>
        <span class="push" />
        {isSmall ? (
          <Menu label={words.menu}>
            <Navigation current={route.section} />
            <Appearance isNamed />
            {leave}
          </Menu>
        ) : (
          <>
            <span class="note">{words.roles[role]}</span>
            <Appearance />
            {leave}
          </>
        )}
      </header>
      <div class="admin">
        {!isSmall && <Navigation current={route.section} />}
        <main>
          <Content key={`${route.section} ${route.id}`} route={route} />
        </main>
      </div>
    </>
  );
}

/** Return the route of the address. After a change, the focus moves to the heading, so that it is announced. */
function useAdminRoute(): AdminRoute {
  const { role, words } = useAdmin();
  const [route, setRoute] = useState(() => parseAdminRoute(location.hash, role));
  const isFirst = useRef(true);
  useEffect(() => {
    const follow = () => setRoute(parseAdminRoute(location.hash, role));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [role]);
  useEffect(() => {
    document.title = `${words.sections[route.section]} – ${words.title}`;
    if (!isFirst.current) {
      scrollTo(0, 0);
      document.querySelector<HTMLElement>("main h1")?.focus();
      document.querySelector<HTMLElement>(".menu:popover-open")?.hidePopover();
    }
    isFirst.current = false;
  }, [route, words]);
  return route;
}

function Navigation({ current }: { current: Section }) {
  const { words, role } = useAdmin();
  return (
    <nav class="nav-links" aria-label={words.sectionsLabel}>
      {sectionsFor(role).map((section) => (
        <a key={section} href={address(section)} aria-current={section === current ? "page" : undefined}>
          <Icon icon={ICONS[section]} />
          <span>{words.sections[section]}</span>
        </a>
      ))}
    </nav>
  );
}

function Content({ route: { section, id } }: { route: AdminRoute }) {
  switch (section) {
    case "reports":
      return id === undefined ? <Reports /> : <ReportPage id={id} />;
    case "players":
      return id === undefined ? <Players /> : <PlayerPage id={id} />;
    case "games":
      return <Games />;
    case "competitions":
      return <Competitions />;
    case "bots":
      return <Bots />;
    case "processes":
      return <Processes />;
    case "log":
      return <AuditLog />;
    case "staff":
      return <StaffPage />;
    case "figures":
      return <Figures />;
    case "notices":
      return <Notices />;
    case "settings":
      return <Settings />;
  }
}
