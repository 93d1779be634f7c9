/**
 * Retries of requests.
 *
 * 429 is always retried. 503 and lost connections are retried if the request has no effect or has an Idempotency-Key. A
 * retry waits for `Retry-After`, and `patience` limits the total time.
 */
import { retryAfter } from "./problems.ts";

type Send = (request: Request) => Promise<Response>;

const FIRST_WAIT_S = 0.25;
const MAX_WAIT_S = 15;

/** The media type of streams. They are not retried here; follow.ts resumes them. */
export const NDJSON = "application/x-ndjson";

/** Return the seconds before a retry (`attempt` starts at 0). They double, with jitter to spread clients. */
export function backoff(attempt: number): number {
  return Math.min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** Wait for some seconds. Reject with the signal's reason when it fires. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    }, 1000 * seconds);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}

function isRepeatable(request: Request): boolean {
  return ["GET", "HEAD", "PUT", "DELETE"].includes(request.method) || request.headers.has("Idempotency-Key");
}

/** Return a fetch function that retries for up to `patience` seconds. */
export function withRetries(send: Send, patience: number): Send {
  return async (request) => {
    if (request.headers.get("Accept") === NDJSON) return send(request);
    const end = Date.now() + 1000 * patience;
    for (let attempt = 0; ; attempt++) {
      const result = await send(request.clone()).catch((error: unknown) => ({ error }));
      const isLost = "error" in result;
      const shouldRetry = isLost || result.status === 503 ? isRepeatable(request) : result.status === 429;
      const wait = Math.max(isLost ? 0 : (retryAfter(result) ?? 0), backoff(attempt));
      if (!shouldRetry || request.signal.aborted || Date.now() + 1000 * wait > end) {
        if (isLost) throw result.error;
        return result;
      }
      if (!isLost) await result.body?.cancel();
      await sleep(wait, request.signal);
    }
  };
}
