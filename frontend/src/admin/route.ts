/** Sections of the admin page, and their addresses. */
import type { Role } from "./context";

/** Sections in the order of the navigation, and who may open each. */
export const SECTIONS = {
  reports: "moderator",
  players: "moderator",
  games: "admin",
  competitions: "admin",
  bots: "admin",
  processes: "admin",
  log: "moderator",
  staff: "admin",
  figures: "admin",
  notices: "admin",
  settings: "admin",
} as const satisfies Record<string, Role>;

export type Section = keyof typeof SECTIONS;

export interface AdminRoute {
  section: Section;
  /** Id of the report or player. */
  id: string | undefined;
}

export const sectionsFor = (role: Role): Section[] =>
  (Object.keys(SECTIONS) as Section[]).filter((section) => role === "admin" || SECTIONS[section] === role);

export const address = (section: Section, id?: string): string =>
  ["#", section, ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");

/** Return the route of a fragment. Sections that do not exist, or that the role may not open, lead to the reports. */
export function parseAdminRoute(hash: string, role: Role): AdminRoute {
  const [name, id] = hash.replace(/^#\/?/, "").split("/");
  const section = sectionsFor(role).find((each) => each === name);
  return { section: section ?? "reports", id: section && id ? decodeURIComponent(id) : undefined };
}
