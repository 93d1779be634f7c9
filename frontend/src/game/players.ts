/** Properties that the parts of a game's page share, and the names of its players. */
import type { Client } from "@azul-games/client";
import { seatNames } from "../parts/player_link";
import { bearerHeader } from "../shared/client";
import { storedGame } from "../shared/store";
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

/** Return whether the player has a seat. Anonymous seats have no player. */
export const isSeated = (game: Game, playerId: string | null): boolean =>
  playerId !== null && game.seats.some(({ player }) => player === playerId);

export const nameOf = (game: Game, seat: number, words: Words): string =>
  seatNames(game.seats, words)[seat] ?? words.seat(seat);

/** Return what the service's text says after the seat, to follow the player's name. */
export function textAfterSeat(text: string, seat: number, words: Words): string {
  const start = words.seat(seat);
  return text.startsWith(`${start} `) ? text.slice(start.length) : `: ${text}`;
}

export const winnersOf = (game: Game): number[] =>
  game.outcome?.seats.flatMap(({ won }, seat) => (won ? [seat] : [])) ?? [];

/** Return the parts of a request on a game that all its commands share. */
export const requestOf = (game: Game, seat: number) => ({
  params: { path: { game_id: game.id } },
  headers: bearerHeader(storedGame(game.id).seats[seat]),
  body: { revision: game.revision },
});
