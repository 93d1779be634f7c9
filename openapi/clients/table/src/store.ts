/** What this browser remembers: the tokens of its games (nobody else has them), the name, how the page looks. */
import type { Schemas } from "azul-games-client";
import type { Language } from "./words";

export interface Kept {
  id: string;
  ruleset: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Tokens by seat: several where people share this device. */
  seats: Record<string, string>;
  host?: string;
  invite?: string;
  watch?: string;
}

export type Theme = "auto" | "light" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  name: string;
}

const GAMES = "azul-table-games";
const SETTINGS = "azul-table-settings";
const MOST_GAMES = 50;

function read<T>(key: string, otherwise: T): T {
  try {
    return { ...otherwise, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as T) };
  } catch {
    return otherwise; // storage is forbidden here, or holds something else
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a private window: the page works until it is closed
  }
}

let games: Record<string, Kept> = read(GAMES, {});

/** Newest first. */
export const allKept = (): Kept[] => Object.values(games).sort((one, other) => other.at - one.at);

export const kept = (id: string): Kept => games[id] ?? { id, ruleset: "", at: Date.now(), seats: {} };

export function keep(game: Kept): void {
  games = Object.fromEntries(
    [game, ...allKept().filter(({ id }) => id !== game.id)].slice(0, MOST_GAMES).map((each) => [each.id, each]),
  );
  write(GAMES, games);
}

export function forget(id: string): void {
  games = Object.fromEntries(Object.entries(games).filter(([each]) => each !== id));
  write(GAMES, games);
}

/** What a new game, or a claimed seat, told. */
export function keepTokens(game: Schemas["Game"], seats: Record<string, string>, others: Partial<Kept> = {}): void {
  const before = kept(game.id);
  keep({ ...before, ...others, ruleset: game.ruleset, at: Date.now(), seats: { ...before.seats, ...seats } });
}

/** The token that reads the game, best first; null where anybody may. */
export function reading({ seats, host, invite, watch }: Kept): string | null {
  return Object.values(seats)[0] ?? host ?? invite ?? watch ?? null;
}

export const loadSettings = (): Settings =>
  read(SETTINGS, { language: navigator.language.startsWith("de") ? "de" : "en", theme: "auto", name: "" });

export const saveSettings = (settings: Settings): void => write(SETTINGS, settings);
