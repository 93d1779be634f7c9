/** The seek or challenge that the player waits for, and the challenges that wait for them: known on every page. */
import type { Schemas } from "azul-games-client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PendingControls } from "./pending_request";

export interface Matchmaking {
  pendingRequest: PendingControls;
  /** Challenges that wait for the player's answer. */
  challenges: readonly Schemas["Challenge"][];
}

export const MatchmakingContext = createContext<Matchmaking | null>(null);

export function useMatchmaking(): Matchmaking {
  const matchmaking = useContext(MatchmakingContext);
  if (matchmaking === null) throw new Error("This part is in no page");
  return matchmaking;
}
