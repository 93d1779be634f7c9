/** The player's pending request and received challenges, available on every page. */
import type { Schemas } from "@azul-games/client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PendingControls } from "./pending_request";

export interface Matchmaking {
  pendingRequest: PendingControls;
  /** Challenges that need the player's answer. */
  challenges: readonly Schemas["Challenge"][];
}

export const MatchmakingContext = createContext<Matchmaking | null>(null);

export function useMatchmaking(): Matchmaking {
  const matchmaking = useContext(MatchmakingContext);
  if (matchmaking === null) throw new Error("useMatchmaking needs a MatchmakingContext.Provider around the component");
  return matchmaking;
}
