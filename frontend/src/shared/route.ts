/** Routes. Browsers do not send the fragment to the service. */
export type Route =
  | { page: "home" }
  | { page: "lobby" }
  | { page: "me" }
  | { page: "leaders"; ruleset: string | undefined; seats: string | undefined }
  | { page: "player"; id: string }
  | { page: "competitions" }
  | { page: "competition"; id: string }
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
  game: (id: string) => `#/${id}`,
};

/** Return the route of a fragment. Without an id, `player` and `competition` lead to the page that lists them. */
export function parseRoute(hash: string): Route {
  const [first = "", second, third] = hash.replace(/^#\/?/, "").split("?", 1).join("").split("/");
  if (first === "lobby" || first === "me" || first === "competitions") return { page: first };
  if (first === "leaders") return { page: "leaders", ruleset: second, seats: third };
  if (first === "player" && second) return { page: "player", id: second };
  if (first === "player") return { page: "leaders", ruleset: undefined, seats: undefined };
  if (first === "competition") return second ? { page: "competition", id: second } : { page: "competitions" };
  return /^[\w-]+$/.test(first) ? { page: "game", id: first } : { page: "home" };
}
