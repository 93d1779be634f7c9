/** What this browser remembers: the tokens of its games (nobody else has them), the name, how the page looks. */
import { newKey, type Schemas } from "azul-games-client";
import type { Language } from "./words";

export interface StoredGame {
  id: string;
  ruleset: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Tokens by seat: several where people share this device. */
  seats: Record<string, string>;
  /** The revision at which each of them was given. */
  since: Record<string, number>;
  /** Whether somebody else has a seat now that was ours. */
  taken: boolean;
  host?: string;
  invite?: string;
  watch?: string;
}

export type Theme = "auto" | "light" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  name: string;
  /** Sent with every request where it is not empty. */
  apiKey: string;
  /** Whether it is heard whose turn it is, and what scores. */
  sound: boolean;
  /** Whether tiles are seen to travel, where the device does not ask for stillness. */
  motion: boolean;
  /** Whether others are not told who watches, only that somebody does. */
  unseen: boolean;
}

const GAMES = "azul-table-games";
const PLAYER = "azul-table-player";
const SETTINGS = "azul-table-settings";
const MAX_GAMES = 50;

/** Return what this browser keeps by a name; null: nothing, or nothing that can be read. */
export function read<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as T | null;
  } catch {
    return null; // storage is forbidden here, or holds something else
  }
}

/** Keep something in this browser, where it may. */
export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a private window: the page works until it is closed
  }
}

let games: Record<string, StoredGame> = read(GAMES) ?? {};

/** Before anything is changed: another tab may have kept something meanwhile. */
function reloadGames(): void {
  games = read(GAMES) ?? games;
}

/** Calls back where another tab has kept something; what it gives ends that. */
export const onGamesChanged = (callback: () => void): (() => void) =>
  onStorageEvent(GAMES, () => {
    reloadGames();
    callback();
  });

function onStorageEvent(name: string, callback: () => void): () => void {
  const listener = ({ key }: StorageEvent) => {
    if (key === name) callback();
  };
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}

/** Newest first. */
export const storedGames = (): StoredGame[] => Object.values(games).sort((one, other) => other.at - one.at);

export const storedGame = (id: string): StoredGame => ({
  ...{ id, ruleset: "", at: Date.now(), seats: {}, since: {}, taken: false },
  ...games[id],
});

/** Keeps what is told of a game, beside what was kept of it before. */
export function storeGame(id: string, changes: Partial<StoredGame>): void {
  reloadGames();
  const game = { ...storedGame(id), ...changes };
  games = Object.fromEntries(
    [game, ...storedGames().filter((each) => each.id !== id)].slice(0, MAX_GAMES).map((each) => [each.id, each]),
  );
  write(GAMES, games);
}

export function forgetGame(id: string): void {
  reloadGames();
  games = Object.fromEntries(Object.entries(games).filter(([each]) => each !== id));
  write(GAMES, games);
}

/** What a new game, or a claimed seat, told. */
export function storeTokens(
  game: Schemas["Game"],
  seats: Record<string, string>,
  others: Partial<StoredGame> = {},
): void {
  reloadGames();
  const before = storedGame(game.id);
  const newSeats = Object.keys(seats);
  storeGame(game.id, {
    ...others,
    ruleset: game.ruleset,
    at: Date.now(),
    seats: { ...before.seats, ...seats },
    since: { ...before.since, ...Object.fromEntries(newSeats.map((seat) => [seat, game.revision])) },
    taken: before.taken && newSeats.length === 0,
  });
}

/** The tokens of seats that are lost end; of those that were given since, none. */
export function forgetSeats(id: string, isLost: (seat: number, since: number) => boolean): void {
  reloadGames();
  const { seats, since } = storedGame(id);
  const remaining = Object.entries(seats).filter(([seat]) => !isLost(Number(seat), since[seat] ?? Infinity));
  if (remaining.length < Object.keys(seats).length)
    storeGame(id, { seats: Object.fromEntries(remaining), taken: true });
}

/** A token that is no longer ours opens no seat. */
export function forgetToken(token: string): void {
  reloadGames();
  for (const { id, seats } of storedGames()) {
    const remaining = Object.entries(seats).filter(([, each]) => each !== token);
    if (remaining.length < Object.keys(seats).length) storeGame(id, { seats: Object.fromEntries(remaining) });
  }
}

/** The tokens that may read the game; those first that outlast a seat which changes hands. */
export function readingTokens({ seats, host, invite, watch }: StoredGame): string[] {
  return [host, invite, watch, ...Object.values(seats)].filter((token) => token !== undefined);
}

export const loadSettings = (): Settings => ({
  ...{ language: navigator.language.startsWith("de") ? "de" : "en", theme: "auto", name: "" },
  ...{ apiKey: "", sound: true, motion: true, unseen: false },
  ...read<Settings>(SETTINGS),
});

export const saveSettings = (settings: Settings): void => write(SETTINGS, settings);

/** The player of this browser, by a token of theirs. */
export interface StoredPlayer {
  token: string;
  id: string;
}

let player = read<StoredPlayer>(PLAYER);

export const storedPlayer = (): StoredPlayer | null => player;

export function storePlayer(newPlayer: StoredPlayer | null): void {
  player = newPlayer;
  write(PLAYER, newPlayer);
}

/** Calls back where another tab has made a player, or left one; what it gives ends that. */
export const onPlayerChanged = (callback: () => void): (() => void) =>
  onStorageEvent(PLAYER, () => {
    player = read(PLAYER);
    callback();
  });

/** What belongs to this visit of this tab alone: it outlasts a reload, and a way to another site and back. */
export const tabStore = {
  read: <T>(name: string): T | null => {
    try {
      return JSON.parse(sessionStorage.getItem(name) ?? "null") as T | null;
    } catch {
      return null;
    }
  },
  write: (name: string, value: unknown): void => {
    try {
      sessionStorage.setItem(name, JSON.stringify(value));
    } catch {
      // as above
    }
  },
};

/** By which the service counts this tab once where it watches, whatever connections it has. */
export function viewerId(): string {
  const id = tabStore.read<string>("viewer") ?? newKey();
  tabStore.write("viewer", id);
  return id;
}
