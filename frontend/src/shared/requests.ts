/** Answers that do not come: connections break, and a network that changed leaves requests without an end. */
import { ProblemError } from "azul-games-client";

/** Before what has failed is tried again. */
const RETRY_PAUSE_MS = 2000;
export const pauseBeforeRetry = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));

/** After that a request that should be answered at once is given up. */
const TIMEOUT_MS = 12_000;

/** How long the service waits for news before it says that there are none. */
export const LONG_POLL_S = 25;

const NEVER = new AbortController().signal;

/** What is asked ends in time: with an answer, or an error. */
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

/** Asks again until there is an answer, or a refusal, or `ending`. */
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
