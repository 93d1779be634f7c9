/** The page for a route. The start page is part of the main chunk; other pages are loaded when first opened. */
import { Home } from "./home/home";
import type { Route } from "./shared/route";
import { tabStore } from "./shared/store";

const importGame = () => import("./table/game");
const importPeople = () => import("./people_pages");
const importPuzzles = () => import("./puzzle_pages");
let game: Awaited<ReturnType<typeof importGame>> | undefined;
let people: PeoplePages | undefined;
let puzzles: Awaited<ReturnType<typeof importPuzzles>> | undefined;

export type PeoplePages = Awaited<ReturnType<typeof importPeople>>;
export const loadedPeople = (): PeoplePages | null => people ?? null;
export const loadPeople = async (): Promise<PeoplePages> => (people ??= await importPeople());

const RELOADED_KEY = "azul-table-reloaded";
const RELOAD_PAUSE_MS = 20_000;

/** Load the chunk of a page. If that fails, the service may run a newer version, so reload the page once. */
export async function loadPage({ page }: Route): Promise<void> {
  try {
    if (page === "game") game ??= await importGame();
    else if (isPuzzle(page)) puzzles ??= await importPuzzles();
    else if (page !== "home") await loadPeople();
  } catch (error) {
    const isAllowed = Date.now() - (tabStore.read<number>(RELOADED_KEY) ?? 0) > RELOAD_PAUSE_MS;
    if (navigator.onLine && isAllowed) {
      tabStore.write(RELOADED_KEY, Date.now());
      location.reload();
    }
    throw error;
  }
}

const isPuzzle = (page: Route["page"]): boolean => page === "puzzles" || page === "mistakes";

/** Return whether the page can be rendered without loading a chunk. */
export const isLoaded = ({ page }: Route): boolean =>
  page === "home" || !!(page === "game" ? game : isPuzzle(page) ? puzzles : people);

export function Router({ route, language }: { route: Route; language: string }) {
  if (route.page === "home") return <Home />;
  if (route.page === "game") return game ? <game.GamePage key={`${route.id} ${language}`} id={route.id} /> : null;
  if (route.page === "puzzles")
    return puzzles ? <puzzles.PuzzlePage key={`${route.id} ${language}`} id={route.id} /> : null;
  if (route.page === "mistakes")
    return puzzles ? <puzzles.MistakesPage key={`${route.id} ${language}`} id={route.id} /> : null;
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
