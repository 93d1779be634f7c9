/** The acts of moderators on players: which ones a player's standing allows, and what each needs. */
import type { Schemas } from "../context";

export type ModeratedPlayer = Schemas["ModeratedPlayer"];
export type PlayerDetails = Schemas["PlayerDetails"];
export type Act = Schemas["ModeratorActRequest"]["act"];

interface Needs {
  /** Whether the player sees a reason, which is therefore required. */
  reason?: true;
  /** Whether the act ends: always, or only if somebody chooses an end. */
  end?: "required" | "optional";
}

export const NEEDS: Record<Act, Needs> = {
  warn: { reason: true },
  mute: { reason: true, end: "required" },
  exclude_from_rated: { reason: true, end: "required" },
  ban: { reason: true, end: "optional" },
  remove_name: {},
  remove_handle: {},
  withdraw_warning: {},
  unmute: {},
  readmit_to_rated: {},
  unban: {},
};

/** Acts that nobody can reverse in the same way. */
export const IS_DANGEROUS: ReadonlySet<Act> = new Set(["ban", "remove_name", "remove_handle"]);

/** Return the acts that would change something, first new measures, then reversals. `now`: ms since 1970. */
export function possibleActs(
  { player, standing, ban }: ModeratedPlayer,
  now: number,
): { acts: Act[]; reversals: Act[] } {
  const isAhead = (end: string | null) => end !== null && Date.parse(end) > now;
  const offered: [Act, boolean][] = [
    ["warn", true],
    ["mute", true],
    ["exclude_from_rated", true],
    ["remove_name", player.name !== null],
    ["remove_handle", player.handle !== null],
    ["ban", true],
  ];
  const reversible: [Act, boolean][] = [
    ["withdraw_warning", standing.warning !== null],
    ["unmute", isAhead(standing.muted_until)],
    ["readmit_to_rated", isAhead(standing.unrated_until)],
    ["unban", ban !== null],
  ];
  const chosen = (list: [Act, boolean][]) => list.filter(([, isPossible]) => isPossible).map(([act]) => act);
  return { acts: chosen(offered), reversals: chosen(reversible) };
}

/** Periods that the dialog offers, in days. */
export const PERIODS = [1, 3, 7, 30, 365] as const;

const DAY_MS = 86_400_000;

/** Return the end of a period from now, as the service expects it. */
export const endOf = (days: number, now: number): string => new Date(now + days * DAY_MS).toISOString();
