/** Timeouts and retries. A changed network can leave requests without a response. */
import { ProblemError } from "@azul-games/client";

const RETRY_PAUSE_MS = 2000;
export const pauseBeforeRetry = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));

/** Timeout of requests that are answered at once. */
const TIMEOUT_MS = 12_000;

/** Seconds that the service waits for news in a long poll. */
export const LONG_POLL_S = 25;

const NEVER = new AbortController().signal;

/** Abort a request after a timeout, or with `signal`. */
export async function withTimeout<Result>(
  send: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal = NEVER,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener("abort", abort);
  const timer = setTimeout(abort, TIMEOUT_MS);
  try {
    return await send(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Retry a request until the service accepts or refuses it, or `signal` is aborted. */
export async function retryUntilAnswered<Result>(
  send: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (;;) {
    try {
      return await withTimeout(send, signal);
    } catch (error) {
      if (signal.aborted || error instanceof ProblemError) throw error;
    }
    await pauseBeforeRetry();
    signal.throwIfAborted();
  }
}
