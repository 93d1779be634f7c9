/** The player of this browser: made when first needed, kept as a token that nobody else has. */
import { type Client, type Schemas, unwrap } from "azul-games-client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { clientOf, heard, type KeyRefused } from "./client";
import { forgetToken, keepPlayer, type KeptPlayer, keptPlayer, onPlayerElsewhere, type Settings } from "./store";

export type Player = Schemas["Player"];

export interface Me {
  /** Null: this browser has no player yet. */
  token: string | null;
  id: string | null;
  /** As the service knows them; null until it has said so. */
  player: Player | null;
  /** The way to the service as this player, who is made where there is none. */
  client: () => Promise<Client>;
  /** Somebody has signed in here. */
  accept: (token: string, player: Player) => void;
  /** What the service says of the player now. */
  update: (player: Player) => void;
  /** The token is no longer good, or no longer wanted. */
  leave: () => void;
}

/** Two parts of the page that need a player at once get the same one. */
let making: Promise<Schemas["CreatedPlayer"]> | null = null;

export function useMe(settings: Settings, keyRefused: KeyRefused): Me {
  const [kept, setKept] = useState<KeptPlayer | null>(keptPlayer);
  const [player, setPlayer] = useState<Player | null>(null);
  const { language, apiKey, name } = settings;
  const token = kept?.token ?? null;
  const accept = (given: string, whose: Player) => {
    const { id } = whose;
    keepPlayer({ token: given, id });
    setPlayer(whose);
    setKept({ token: given, id });
  };
  const leave = () => {
    if (token !== null) forgetToken(token);
    keepPlayer(null);
    setKept(null);
    setPlayer(null);
  };
  const as = (whose: string | null) => clientOf(whose, settings, heard(keyRefused, whose === null ? undefined : leave));
  const make = async () => unwrap(await as(null).POST("/v1/players", { body: { name: name.trim() || null } }));
  const client = async () => {
    const here = token ?? keptPlayer()?.token; // another tab may have been faster
    if (here) return as(here);
    making ??= make().finally(() => (making = null));
    const made = await making;
    accept(made.token, made.player);
    return as(made.token);
  };
  useEffect(() => onPlayerElsewhere(() => setKept(keptPlayer())), []);
  useEffect(() => {
    if (token === null || player?.id === kept?.id) return;
    as(token)
      .GET("/v1/me")
      .then((answer) => setPlayer(unwrap(answer)))
      .catch(() => undefined);
  }, [token, apiKey]);
  return useMemo(
    () => ({ token, id: kept?.id ?? null, player, client, accept, update: setPlayer, leave }),
    [token, player, language, apiKey, name],
  );
}
