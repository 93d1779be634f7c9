/** This browser's player. The player is created when first needed; only this browser stores the token. */
import { type Client, type Problem, ProblemError, type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { createClient, type OnKeyRefused, unauthorizedHandler } from "./client";
import { useOnline } from "./online";
import { forgetToken, onPlayerChanged, type Settings, type StoredPlayer, storedPlayer, storePlayer } from "./store";

export type Player = Schemas["Player"];

export interface Me {
  /** Null if this browser has no player yet, or if the player is banned. */
  token: string | null;
  id: string | null;
  /** Null until the service has returned the player. */
  player: Player | null;
  /** What moderators have imposed on the player. Null until the service has returned it. */
  standing: Schemas["PlayerStanding"] | null;
  /** The refusal of a banned player, or null. */
  ban: Problem | null;
  /** Return a client of this player, and create the player if necessary. */
  client: () => Promise<Client>;
  /** Use another player after a sign-in. */
  accept: (token: string, player: Player) => void;
  /** Replace the player by a newer version from the service. */
  update: (player: Player) => void;
  /** Fetch the player and their standing. Forget the player if the service no longer knows the token. */
  reload: () => Promise<void>;
  /** Forget the player. */
  leave: () => void;
}

/** A browser without a player and without a service, for tests and the page of all components. */
export const NOBODY: Me = {
  token: null,
  id: null,
  player: null,
  standing: null,
  ban: null,
  client: () => Promise.reject(new Error("nobody")),
  accept: () => undefined,
  update: () => undefined,
  reload: () => Promise.resolve(),
  leave: () => undefined,
};

/** Two parts of the page that need a player at the same time share one request. */
let pendingPlayer: Promise<Schemas["CreatedPlayer"]> | null = null;

export function useMe(settings: Settings, onKeyRefused: OnKeyRefused): Me {
  const [stored, setStored] = useState<StoredPlayer | null>(storedPlayer);
  const [player, setPlayer] = useState<Player | null>(null);
  const [standing, setStanding] = useState<Me["standing"]>(null);
  const [ban, setBan] = useState<Problem | null>(null);
  const { language, apiKey, name } = settings;
  const { reconnects } = useOnline(); // a new stream does not say what has ended
  const token = ban ? null : (stored?.token ?? null);
  const show = (newPlayer: Player | null) => {
    setStored(storedPlayer());
    setPlayer(newPlayer);
    setStanding(null);
    setBan(null);
  };
  const accept = (newToken: string, newPlayer: Player) => {
    storePlayer({ token: newToken, id: newPlayer.id });
    show(newPlayer);
  };
  const leave = () => {
    const left = storedPlayer();
    if (left) forgetToken(left.token);
    storePlayer(null);
    show(null);
  };
  const clientAs = (bearer: string | null, onTokenUnknown?: () => void) =>
    createClient(bearer, settings, unauthorizedHandler(onKeyRefused, onTokenUnknown));
  const reload = async () => {
    const bearer = storedPlayer()?.token;
    if (!bearer) return;
    try {
      const own = unwrap(await clientAs(bearer).GET("/v1/me"));
      if (storedPlayer()?.token !== bearer) return;
      setPlayer(own);
      setStanding(own.standing);
      setBan(null);
    } catch (error) {
      if (!(error instanceof ProblemError) || storedPlayer()?.token !== bearer) return;
      if (error.code === "auth/banned") setBan(error.problem);
      else if (error.code === "auth/token_unknown") leave();
    }
  };
  const createPlayer = async () =>
    unwrap(await clientAs(null).POST("/v1/players", { body: { name: name.trim() || null } }));
  const client = async () => {
    const currentToken = token ?? storedPlayer()?.token; // another tab may have created one
    if (currentToken) return clientAs(currentToken, reload);
    pendingPlayer ??= createPlayer().finally(() => (pendingPlayer = null));
    const created = await pendingPlayer;
    accept(created.token, created.player);
    return clientAs(created.token, reload);
  };
  useEffect(() => onPlayerChanged(() => show(null)), []);
  useEffect(() => void reload(), [stored?.token, apiKey, reconnects]);
  return useMemo(
    () => ({
      ...{ token, id: stored?.id ?? null, player, standing, ban },
      ...{ client, accept, update: setPlayer, reload, leave },
    }),
    [token, player, standing, ban, language, apiKey, name],
  );
}
