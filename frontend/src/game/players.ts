/** What the parts of a game's page are given, and what its people are called. */
import type { Client } from "azul-games-client";
import type { Words } from "../shared/words";
import type { Game } from "./live";

export interface PlayingProps {
  client: Client;
  game: Game;
  /** This browser's seats. */
  seats: readonly number[];
  /** Waits for an answer, and says why where it is no. */
  reportErrors: (ask: Promise<unknown>) => Promise<unknown>;
}

export interface ViewingProps {
  /** Shows the table as it was at a revision; null: as it is. */
  viewRevision: (revision: number | null) => void;
}

/** Whether a seat's person decides for it; else an AI does. */
export const isActive = (game: Game, seat: number): boolean => game.seats[seat]?.status === "active";

export const nameOf = (game: Game, seat: number, words: Words): string => {
  const { name, level, kind } = game.seats[seat] ?? {};
  return name ?? (kind === "ai" && level ? words.ai(level) : words.seat(seat));
};

export const winnersOf = (game: Game): number[] =>
  game.outcome?.seats.flatMap(({ won }, seat) => (won ? [seat] : [])) ?? [];
