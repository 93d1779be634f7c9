/** The page that the address names. The first page is always there; others are loaded when they are looked at. */
import { Home } from "./home/home";
import type { Route } from "./shared/route";
import { tabStore } from "./shared/store";

const GAME = () => import("./table/game");
const PEOPLE = () => import("./people_pages");
let game: Awaited<ReturnType<typeof GAME>> | undefined;
let people: Awaited<ReturnType<typeof PEOPLE>> | undefined;

const RELOADED = "azul-table-reloaded";
const SOON_MS = 20_000;

/** Until what shows the page is there. Where it cannot come, another version may be served by now: all is loaded anew. */
export async function load({ page }: Route): Promise<void> {
  try {
    if (page === "game") game ??= await GAME();
    else if (page !== "home") people ??= await PEOPLE();
  } catch (error) {
    const isNew = Date.now() - (tabStore.read<number>(RELOADED) ?? 0) > SOON_MS;
    if (navigator.onLine && isNew) {
      tabStore.write(RELOADED, Date.now());
      location.reload();
    }
    throw error;
  }
}

/** Whether nothing has to be loaded for it. */
export const isThere = ({ page }: Route): boolean => page === "home" || (page === "game" ? !!game : !!people);

export function Shown({ route, language }: { route: Route; language: string }) {
  if (route.page === "home") return <Home />;
  if (route.page === "game") return game ? <game.GamePage key={`${route.id} ${language}`} id={route.id} /> : null;
  if (!people) return null;
  switch (route.page) {
    case "lobby":
      return <people.Lobby />;
    case "me":
      return <people.Account />;
    case "leaders":
      return <people.Leaders key={`${route.ruleset} ${route.seats}`} ruleset={route.ruleset} seats={route.seats} />;
    case "player":
      return <people.ProfilePage key={route.id} id={route.id} />;
    case "competitions":
      return <people.CompetitionsPage />;
    case "competition":
      return <people.CompetitionPage key={route.id} id={route.id} />;
  }
}
