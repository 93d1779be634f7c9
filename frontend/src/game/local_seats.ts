/**
 * What this browser's tokens are good for: by which the game is read, and which seats are its own, until the log tells of
 * somebody who came after. The seats of its player are, wherever they were taken.
 */
import { type Client, type Schemas, unwrap } from "azul-games-client";
import { useEffect, useReducer, useState } from "preact/hooks";
import { usePageContext } from "../shared/context";
import { forgetSeats, storeTokens, storedGame, onGamesChanged, readingTokens } from "../shared/store";
import { arrivals, type Live } from "./live";

export interface Claiming {
  /** Makes a seat ours; one at a time. */
  claim: (body: Schemas["ClaimSeatRequest"], headers?: Record<string, string>) => Promise<void>;
  claiming: boolean;
}

export interface Own extends Claiming {
  seats: readonly number[];
}

/** The token that reads the game; `next` where it does not, until there is none. One that is forgotten is left. */
export function useReader(id: string): { token: string | null; next: () => void } {
  const { me } = usePageContext();
  const tokens = [...readingTokens(storedGame(id)), ...(me.token === null ? [] : [me.token])];
  const [token, readBy] = useState(tokens[0] ?? null);
  const next = () => {
    if (token !== null) readBy(tokens[tokens.indexOf(token) + 1] ?? null);
  };
  const forgotten = token !== null && !tokens.includes(token);
  useEffect(() => {
    if (forgotten) next();
  }, [forgotten]);
  return { token, next };
}

export interface Shown {
  /** A seat's token, else the player's, else the one that reads the game. */
  token: string | null;
  /** What reads the game, where the player may do so by that alone. */
  reader: string | undefined;
  /** The token follows nothing any more: false where there was no other than the one that reads the game. */
  giveUp: () => boolean;
}

/** By which token the game is followed, so that others see who does. */
export function useShown(id: string, reader: string | null): Shown {
  const { me } = usePageContext();
  const [refused, refuse] = useState<readonly (string | null)[]>([]);
  const seat = Object.values(storedGame(id).seats)[0] ?? null;
  const own = [seat, me.token].find((token) => token !== null && !refused.includes(token)) ?? reader;
  const giveUp = () => {
    refuse((before) => [...before, own]);
    return own !== reader;
  };
  return { token: own, reader: own !== reader && own !== seat ? (reader ?? undefined) : undefined, giveUp };
}

export function useOwn(client: Client, id: string, { game, events }: Live): Own {
  const { me } = usePageContext();
  const [claiming, setClaiming] = useState(false);
  const [, lookAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => onGamesChanged(() => lookAgain(undefined)), []);
  const players = game?.seats.flatMap(({ player }, seat) => (player !== null && player === me.id ? [seat] : [])) ?? [];
  useEffect(() => {
    if (game === null || me.token === null) return;
    const unkept = players.filter((seat) => !(seat in storedGame(id).seats));
    if (unkept.length === 0) return;
    storeTokens(game, Object.fromEntries(unkept.map((seat) => [seat, me.token as string])));
    lookAgain(undefined);
  }); // also after one was lost and taken back
  const isLost = (seat: number, since: number) => arrivals(events, seat).some(({ revision }) => revision > since);
  const { seats, since } = storedGame(id);
  const held = Object.keys(seats).map(Number);
  const lost = held.filter((seat) => isLost(seat, since[seat] ?? Infinity));
  useEffect(() => {
    if (claiming || lost.length === 0) return; // it may be we who claimed it: the answer is still on its way
    forgetSeats(id, isLost);
    lookAgain(undefined);
  });
  return {
    seats: held.filter((seat) => !lost.includes(seat) && game?.seats[seat]?.kind === "player"),
    claiming,
    claim: async (body, headers = {}) => {
      setClaiming(true);
      try {
        const params = { path: { game_id: id } };
        const given = unwrap(await client.POST("/v1/games/{game_id}/seats", { params, headers, body }));
        storeTokens(given.game, given.token ? { [given.seat]: given.token } : {});
      } finally {
        setClaiming(false);
      }
    },
  };
}
