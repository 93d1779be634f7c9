/** Properties that the parts of a game's page share, and the names of its players. */
import type { Client } from "@azul-games/client";
import type { Words } from "../shared/words";
import type { Game } from "./live";

export interface PlayingProps {
  client: Client;
  game: Game;
  seats: readonly number[];
  /** Await a request and show its error as a toast. */
  reportErrors: (request: Promise<unknown>) => Promise<unknown>;
}

export interface ViewingProps {
  /** Show the table at an earlier revision, or the current one for null. */
  viewRevision: (revision: number | null) => void;
}

/** Return whether the seat's player decides. An AI decides for players who are away. */
export const isActive = (game: Game, seat: number): boolean => game.seats[seat]?.status === "active";

export const nameOf = (game: Game, seat: number, words: Words): string => {
  const { name, level, kind } = game.seats[seat] ?? {};
  return name ?? (kind === "ai" && level ? words.ai(level) : words.seat(seat));
};

export const winnersOf = (game: Game): number[] =>
  game.outcome?.seats.flatMap(({ won }, seat) => (won ? [seat] : [])) ?? [];
