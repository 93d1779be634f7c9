/** Asking again and again, while somebody looks. */
import { useEffect, useReducer } from "preact/hooks";

/**
 * Runs `ask` now and again some milliseconds after each end, while the page is visible; what it throws is left to the
 * next time. What it gives has it begin anew at once.
 */
export function usePolling(
  ask: (signal: AbortSignal) => Promise<unknown>,
  pauseMs: number,
  hangsOn: readonly unknown[],
): () => void {
  const [times, again] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ending = new AbortController();
    const run = async (signal: AbortSignal) => {
      await ask(signal).catch(() => undefined);
      if (!signal.aborted) timer = setTimeout(() => run(signal), pauseMs);
    };
    const stop = () => {
      clearTimeout(timer);
      ending.abort();
    };
    const follow = () => {
      stop();
      if (document.hidden) return;
      ending = new AbortController();
      run(ending.signal);
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    addEventListener("online", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      removeEventListener("online", follow);
      stop();
    };
  }, [times, ...hangsOn]);
  return () => again(undefined);
}

/** Seconds since a moment, as they pass. */
export function useElapsed(since: number): number {
  const [, tick] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => tick(undefined), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, (Date.now() - since) / 1000);
}
