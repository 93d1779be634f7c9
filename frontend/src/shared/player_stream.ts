/** The stream of the player's games and challenges: one for each tab that the player has looked at recently. */
import { followPlayer, type Schemas } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import type { Me } from "./me";
import { useOnline } from "./online";

/** A hidden tab closes its stream after this time: a browser has six connections for all its tabs. */
const HIDDEN_MS = 60_000;

/** Return whether the tab is visible, or was so recently. */
function useAwake(): boolean {
  const [isAwake, setIsAwake] = useState(!document.hidden);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setIsAwake(false), HIDDEN_MS);
      else setIsAwake(true);
    };
    document.addEventListener("visibilitychange", update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, []);
  return isAwake;
}

/**
 * Follow the player's stream. Return whether it is connected. `hidden`: others do not see that the player is online.
 */
export function usePlayerStream(me: Me, hidden: boolean, onEvent: (event: Schemas["PlayerEvent"]) => unknown): boolean {
  const [isConnected, setIsConnected] = useState(false);
  const isAwake = useAwake();
  const { reconnects } = useOnline();
  useEffect(() => {
    if (me.token === null || !isAwake) return;
    const controller = new AbortController();
    const { signal } = controller;
    const listen = async () => {
      const options = { hidden, signal, onState: (state: string) => setIsConnected(state === "open") };
      for await (const event of followPlayer(await me.client(), options)) onEvent(event);
    };
    listen()
      .catch(() => undefined) // the page polls instead
      .finally(() => signal.aborted || setIsConnected(false));
    return () => {
      controller.abort();
      setIsConnected(false);
    };
  }, [me.token, hidden, isAwake, reconnects]);
  return isConnected;
}
