/**
 * Seats and tokens of this browser in one game. A seat is local until the log contains a later player for it. Seats of
 * the signed-in player are local on every device.
 */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useReducer, useState } from "preact/hooks";
import { usePageContext } from "../shared/context";
import { forgetSeats, onGamesChanged, readingTokens, storedGame, storeTokens } from "../shared/store";
import { arrivals, type LiveGame } from "./live";

export interface SeatClaiming {
  /** Claim a seat for this browser. */
  claim: (body: Schemas["ClaimSeatRequest"], headers?: Record<string, string>) => Promise<void>;
  isClaiming: boolean;
}

export interface LocalSeats extends SeatClaiming {
  seats: readonly number[];
}

/** Return the token that can read the game. `tryNextToken` selects the next stored token, in the end null. */
export function useReadingToken(id: string): { token: string | null; tryNextToken: () => void } {
  const { me } = usePageContext();
  const tokens = [...readingTokens(storedGame(id)), ...(me.token === null ? [] : [me.token])];
  const [token, setToken] = useState(tokens[0] ?? null);
  const tryNextToken = () => {
    if (token !== null) setToken(tokens[tokens.indexOf(token) + 1] ?? null);
  };
  const isForgotten = token !== null && !tokens.includes(token);
  useEffect(() => {
    if (isForgotten) tryNextToken();
  }, [isForgotten]);
  return { token, tryNextToken };
}

export interface StreamToken {
  /** A seat's token, the player's token, or the reading token. */
  token: string | null;
  /** The reading token, if the player's own token cannot read the game. */
  reader: string | undefined;
  /**
   * Stop using a refused token. `wasPlaying`: the page has shown the game, which it cannot find now. Return false if
   * only the reading token was left.
   */
  dropToken: (wasPlaying: boolean) => boolean;
}

/** Return the token for the stream. Other viewers see its owner as present. */
export function useStreamToken(id: string, reader: string | null): StreamToken {
  const { me } = usePageContext();
  const [refused, setRefused] = useState<readonly (string | null)[]>([]);
  const seat = Object.values(storedGame(id).seats)[0] ?? null;
  const current = [seat, me.token].find((token) => token !== null && !refused.includes(token)) ?? reader;
  const dropToken = (wasPlaying: boolean) => {
    // The stream of a private game ends before it reports that somebody else has taken its reader's only seat.
    if (wasPlaying && current === seat) forgetSeats(id, (number) => storedGame(id).seats[number] === seat);
    setRefused((before) => [...before, current]);
    return current !== reader;
  };
  return {
    token: current,
    reader: current !== reader && current !== seat ? (reader ?? undefined) : undefined,
    dropToken,
  };
}

export function useLocalSeats(client: Client, id: string, { game, events }: LiveGame): LocalSeats {
  const { me } = usePageContext();
  const [isClaiming, setIsClaiming] = useState(false);
  const [, refresh] = useReducer((times: number) => times + 1, 0);
  useEffect(() => onGamesChanged(() => refresh(undefined)), []);
  const players = game?.seats.flatMap(({ player }, seat) => (player !== null && player === me.id ? [seat] : [])) ?? [];
  useEffect(() => {
    if (game === null || me.token === null) return;
    const unstored = players.filter((seat) => !(seat in storedGame(id).seats));
    if (unstored.length === 0) return;
    storeTokens(game, Object.fromEntries(unstored.map((seat) => [seat, me.token as string])));
    refresh(undefined);
  }); // runs after every render, because a seat may be lost and taken back
  const isLost = (seat: number, since: number) => arrivals(events, seat).some(({ revision }) => revision > since);
  const { seats, since } = storedGame(id);
  const stored = Object.keys(seats).map(Number);
  const lost = stored.filter((seat) => isLost(seat, since[seat] ?? Infinity));
  useEffect(() => {
    // While a claim is sent, its event may arrive before its response.
    if (isClaiming || lost.length === 0) return;
    forgetSeats(id, isLost);
    refresh(undefined);
  });
  return {
    seats: stored.filter((seat) => !lost.includes(seat) && game?.seats[seat]?.kind === "player"),
    isClaiming,
    claim: async (body, headers = {}) => {
      setIsClaiming(true);
      try {
        const params = { path: { game_id: id } };
        const claimed = unwrap(await client.POST("/v1/games/{game_id}/seats", { params, headers, body }));
        storeTokens(claimed.game, claimed.token ? { [claimed.seat]: claimed.token } : {});
      } finally {
        setIsClaiming(false);
      }
    },
  };
}
