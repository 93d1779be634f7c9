/** Polling while the page is visible, and clocks. */
import { useEffect, useReducer } from "preact/hooks";

/**
 * Run `poll` now and again after each pause, while the page is visible. Errors are ignored until the next run. Without
 * a pause (null), run it once, and whenever the page becomes visible. Return a function that polls at once.
 */
export function usePolling(
  poll: (signal: AbortSignal) => Promise<unknown>,
  pauseMs: number | null,
  dependencies: readonly unknown[],
): () => void {
  const [restarts, restart] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let controller = new AbortController();
    const run = async (signal: AbortSignal) => {
      await poll(signal).catch(() => undefined);
      if (!signal.aborted && pauseMs !== null) timer = setTimeout(() => run(signal), pauseMs);
    };
    const stop = () => {
      clearTimeout(timer);
      controller.abort();
    };
    const update = () => {
      stop();
      if (document.hidden) return;
      controller = new AbortController();
      run(controller.signal);
    };
    update();
    document.addEventListener("visibilitychange", update);
    addEventListener("online", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      removeEventListener("online", update);
      stop();
    };
  }, [restarts, ...dependencies]);
  return () => restart(undefined);
}

/** Render the component again every `ms` milliseconds. */
export function useTick(ms: number): void {
  const [, tick] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => tick(undefined), ms);
    return () => clearInterval(timer);
  }, []);
}

/** Return the seconds since a time, and update them every second. */
export function useElapsed(since: number): number {
  useTick(1000);
  return Math.max(0, (Date.now() - since) / 1000);
}
