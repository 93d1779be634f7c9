/**
 * When a request is sent again.
 *
 * 429: always, since nothing was done; 503 and a lost connection: where sending twice does no harm, which is what has
 * no effect or bears an Idempotency-Key. Not before `Retry-After` has passed, and not after `patience` has.
 */
import { retryAfter } from "./problems.ts";

type Send = (request: Request) => Promise<Response>;

const FIRST_WAIT_S = 0.25;
const MAX_WAIT_S = 15;

/** Media type of the streams, which are never sent again here: whoever follows one knows how to go on (follow.ts). */
export const NDJSON = "application/x-ndjson";

/** Seconds before attempt number `attempt` (from 0): they double, and are drawn so that clients do not come together. */
export function backoff(attempt: number): number {
  return Math.min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** Resolves after so many seconds; rejects with the signal's reason as soon as it fires. */
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

/** The same fetch, which asks again for up to `patience` seconds. */
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
