/** Browser storage: tokens of games, the player and the settings. The service cannot recover the tokens. */
import { newKey, type Schemas } from "@azul-games/client";
import type { Language } from "./words";

export interface StoredGame {
  id: string;
  ruleset: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Tokens by seat. Several people may share this device. */
  seats: Record<string, string>;
  /** The revision at which each token was issued. */
  since: Record<string, number>;
  /** Whether somebody else took a seat of this browser. */
  taken: boolean;
  host?: string;
  invite?: string;
  watch?: string;
}

export type Theme = "auto" | "light" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  /** Whether pictures of the table have high contrast. */
  contrast: boolean;
  name: string;
  /** Sent with every request unless empty. */
  apiKey: string;
  /** Whether turns and scorings make a sound. */
  sound: boolean;
  /** Whether tiles are animated, unless the device prefers reduced motion. */
  motion: boolean;
  /** Whether a complete choice needs one more press before it is sent. */
  confirm: boolean;
  /** Whether the player watches games anonymously. */
  unseen: boolean;
}

const GAMES = "azul-table-games";
const PLAYER = "azul-table-player";
const SETTINGS = "azul-table-settings";
const MAX_GAMES = 50;

/** JSON values in a storage of the browser. */
const jsonStore = (storage: () => Storage) => ({
  /** Return a stored value, or null if it is missing or unreadable. */
  read: <T>(key: string): T | null => {
    try {
      return JSON.parse(storage().getItem(key) ?? "null") as T | null;
    } catch {
      return null; // storage is forbidden, or its content is invalid
    }
  },
  /** Store a value, if the browser allows it. */
  write: (key: string, value: unknown): void => {
    try {
      storage().setItem(key, JSON.stringify(value));
    } catch {
      // in a private window: the page works until it is closed
    }
  },
});

export const browserStore = jsonStore(() => localStorage);

/** Storage of this tab. It survives a reload and a visit to another site. */
export const tabStore = jsonStore(() => sessionStorage);

let games: Record<string, StoredGame> = browserStore.read(GAMES) ?? {};

/** Reload the games before a change: another tab may have stored some. */
function reloadGames(): void {
  games = browserStore.read(GAMES) ?? games;
}

/** Call back when another tab stores a game. Return a function that ends this. */
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

/** Return all stored games, newest first. */
export const storedGames = (): StoredGame[] => Object.values(games).sort((one, other) => other.at - one.at);

export const storedGame = (id: string): StoredGame => ({
  ...{ id, ruleset: "", at: Date.now(), seats: {}, since: {}, taken: false },
  ...games[id],
});

/** Merge changes into a stored game. */
export function storeGame(id: string, changes: Partial<StoredGame>): void {
  reloadGames();
  const game = { ...storedGame(id), ...changes };
  games = Object.fromEntries(
    [game, ...storedGames().filter((each) => each.id !== id)].slice(0, MAX_GAMES).map((each) => [each.id, each]),
  );
  browserStore.write(GAMES, games);
}

export function forgetGame(id: string): void {
  reloadGames();
  games = Object.fromEntries(Object.entries(games).filter(([each]) => each !== id));
  browserStore.write(GAMES, games);
}

/** Store the tokens of a new game or a claimed seat. */
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

/** Remove the tokens of lost seats. `isLost` gets the revision at which the token was issued. */
export function forgetSeats(id: string, isLost: (seat: number, since: number) => boolean): void {
  reloadGames();
  const { seats, since } = storedGame(id);
  const remaining = Object.entries(seats).filter(([seat]) => !isLost(Number(seat), since[seat] ?? Infinity));
  if (remaining.length < Object.keys(seats).length)
    storeGame(id, { seats: Object.fromEntries(remaining), taken: true });
}

/** Remove a player's token from all seats. */
export function forgetToken(token: string): void {
  reloadGames();
  for (const { id, seats } of storedGames()) {
    const remaining = Object.entries(seats).filter(([, each]) => each !== token);
    if (remaining.length < Object.keys(seats).length) storeGame(id, { seats: Object.fromEntries(remaining) });
  }
}

/** Return the tokens that may read a game. Tokens that survive a change of players come first. */
export function readingTokens({ seats, host, invite, watch }: StoredGame): string[] {
  return [host, invite, watch, ...Object.values(seats)].filter((token) => token !== undefined);
}

export const loadSettings = (): Settings => ({
  ...{ language: navigator.language.startsWith("de") ? "de" : "en", theme: "auto", contrast: false, name: "" },
  ...{ apiKey: "", sound: true, motion: true, confirm: false, unseen: false },
  ...browserStore.read<Settings>(SETTINGS),
});

/** Return the theme of pictures of the table. */
export const pictureTheme = ({ theme, contrast }: Settings): Theme | "contrast" => (contrast ? "contrast" : theme);

export const saveSettings = (settings: Settings): void => browserStore.write(SETTINGS, settings);

export interface StoredPlayer {
  token: string;
  id: string;
}

let player = browserStore.read<StoredPlayer>(PLAYER);

export const storedPlayer = (): StoredPlayer | null => player;

export function storePlayer(newPlayer: StoredPlayer | null): void {
  player = newPlayer;
  browserStore.write(PLAYER, newPlayer);
}

/** Call back when another tab stores or forgets the player. Return a function that ends this. */
export const onPlayerChanged = (callback: () => void): (() => void) =>
  onStorageEvent(PLAYER, () => {
    player = browserStore.read(PLAYER);
    callback();
  });

/** Return a random id of this tab. The service counts all its connections as one viewer. */
export function viewerId(): string {
  const id = tabStore.read<string>("viewer") ?? newKey();
  tabStore.write("viewer", id);
  return id;
}
