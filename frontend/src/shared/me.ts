/** This browser's player. The player is created when first needed; only this browser stores the token. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { createClient, type OnKeyRefused, unauthorizedHandler } from "./client";
import { forgetToken, onPlayerChanged, type Settings, type StoredPlayer, storedPlayer, storePlayer } from "./store";

export type Player = Schemas["Player"];

export interface Me {
  /** Null if this browser has no player yet. */
  token: string | null;
  id: string | null;
  /** Null until the service has returned the player. */
  player: Player | null;
  /** Return a client of this player, and create the player if necessary. */
  client: () => Promise<Client>;
  /** Use another player after a sign-in. */
  accept: (token: string, player: Player) => void;
  /** Replace the player by a newer version from the service. */
  update: (player: Player) => void;
  /** Forget the player. */
  leave: () => void;
}

/** Two parts of the page that need a player at the same time share one request. */
let pendingPlayer: Promise<Schemas["CreatedPlayer"]> | null = null;

export function useMe(settings: Settings, onKeyRefused: OnKeyRefused): Me {
  const [stored, setStored] = useState<StoredPlayer | null>(storedPlayer);
  const [player, setPlayer] = useState<Player | null>(null);
  const { language, apiKey, name } = settings;
  const token = stored?.token ?? null;
  const accept = (newToken: string, newPlayer: Player) => {
    const { id } = newPlayer;
    storePlayer({ token: newToken, id });
    setPlayer(newPlayer);
    setStored({ token: newToken, id });
  };
  const leave = () => {
    if (token !== null) forgetToken(token);
    storePlayer(null);
    setStored(null);
    setPlayer(null);
  };
  const clientAs = (bearer: string | null) =>
    createClient(bearer, settings, unauthorizedHandler(onKeyRefused, bearer === null ? undefined : leave));
  const createPlayer = async () =>
    unwrap(await clientAs(null).POST("/v1/players", { body: { name: name.trim() || null } }));
  const client = async () => {
    const currentToken = token ?? storedPlayer()?.token; // another tab may have created one
    if (currentToken) return clientAs(currentToken);
    pendingPlayer ??= createPlayer().finally(() => (pendingPlayer = null));
    const created = await pendingPlayer;
    accept(created.token, created.player);
    return clientAs(created.token);
  };
  useEffect(() => onPlayerChanged(() => setStored(storedPlayer())), []);
  useEffect(() => {
    if (token === null || player?.id === stored?.id) return;
    clientAs(token)
      .GET("/v1/me")
      .then((answer) => setPlayer(unwrap(answer)))
      .catch(() => undefined);
  }, [token, apiKey]);
  return useMemo(
    () => ({ token, id: stored?.id ?? null, player, client, accept, update: setPlayer, leave }),
    [token, player, language, apiKey, name],
  );
}
