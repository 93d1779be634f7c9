/** Routes. Browsers do not send the fragment to the service. */
export type Route =
  | { page: "home" }
  | { page: "lobby" }
  | { page: "me" }
  | { page: "leaders"; ruleset: string | undefined; seats: string | undefined }
  | { page: "player"; id: string }
  | { page: "competitions" }
  | { page: "competition"; id: string }
  | { page: "puzzles"; id: string | undefined }
  | { page: "mistakes"; id: string }
  | { page: "game"; id: string };

/** Addresses of the pages. */
export const links = {
  home: "#/",
  lobby: "#/lobby",
  me: "#/me",
  leaders: (...board: readonly string[]) => ["#/leaders", ...board].join("/"),
  player: (id: string) => `#/player/${id}`,
  competitions: "#/competitions",
  competition: (id: string) => `#/competition/${id}`,
  puzzle: (id?: string) => ["#/puzzles", ...(id ? [id] : [])].join("/"),
  game: (id: string) => `#/${id}`,
  mistakes: (id: string) => `#/${id}/mistakes`,
};

/** Return the route of a fragment. Without an id, `player` and `competition` lead to the page that lists them. */
export function parseRoute(hash: string): Route {
  const [first = "", second, third] = hash.replace(/^#\/?/, "").split("?", 1).join("").split("/");
  if (first === "lobby" || first === "me" || first === "competitions") return { page: first };
  if (first === "leaders") return { page: "leaders", ruleset: second, seats: third };
  if (first === "player" && second) return { page: "player", id: second };
  if (first === "player") return { page: "leaders", ruleset: undefined, seats: undefined };
  if (first === "competition") return second ? { page: "competition", id: second } : { page: "competitions" };
  if (first === "puzzles") return { page: "puzzles", id: second };
  if (!/^[\w-]+$/.test(first)) return { page: "home" };
  return { page: second === "mistakes" ? second : "game", id: first };
}
