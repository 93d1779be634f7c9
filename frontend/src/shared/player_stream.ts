/**
 * The stream of the player's games, challenges and standing.
 *
 * A browser may have only six connections for all its tabs, so one tab has the stream and passes the events on. Locks
 * need https; without them, each tab has a stream.
 */
import { followPlayer, type Schemas } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import type { Me } from "./me";
import { useOnline } from "./online";

/** A hidden tab closes its stream after this time. */
const HIDDEN_MS = 60_000;
const NAME = "azul-table-events";

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

async function inOneTab(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if ("locks" in navigator) await navigator.locks.request(NAME, { signal }, run);
  else await run();
}

/**
 * Receive the events of the player's stream. Return whether this tab is connected to it. `hidden`: others do not see
 * that the player is online.
 */
export function usePlayerStream(me: Me, hidden: boolean, onEvent: (event: Schemas["PlayerEvent"]) => unknown): boolean {
  const [isConnected, setIsConnected] = useState(false);
  const isAwake = useAwake();
  const { reconnects } = useOnline();
  useEffect(() => {
    if (me.token === null || !isAwake) return;
    const controller = new AbortController();
    const { signal } = controller;
    const tabs = new BroadcastChannel(NAME);
    tabs.onmessage = ({ data }) => onEvent(data);
    const listen = async () => {
      const options = { hidden, signal, onState: (state: string) => setIsConnected(state === "open") };
      for await (const event of followPlayer(await me.client(), options)) {
        onEvent(event);
        tabs.postMessage(event);
      }
    };
    inOneTab(signal, listen)
      .catch(() => undefined) // the page polls instead
      .finally(() => signal.aborted || setIsConnected(false));
    return () => {
      controller.abort();
      tabs.close();
      setIsConnected(false);
    };
  }, [me.token, hidden, isAwake, reconnects]);
  return isConnected;
}
