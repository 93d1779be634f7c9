/** Answers that do not come: connections break, and a network that changed leaves requests without an end. */
import { ProblemError } from "azul-games-client";

/** Before what has failed is tried again. */
const AGAIN_MS = 2000;
export const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));

/** After that a request that should be answered at once is given up. */
const LATE_MS = 12_000;

/** How long the service waits for news before it says that there are none. */
export const WAIT_S = 25;

const NEVER = new AbortController().signal;

/** What is asked ends in time: with an answer, or an error. */
export async function inTime<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  ending: AbortSignal = NEVER,
): Promise<Answer> {
  const asking = new AbortController();
  const end = () => asking.abort();
  ending.addEventListener("abort", end);
  const timer = setTimeout(end, LATE_MS);
  try {
    return await ask(asking.signal);
  } finally {
    clearTimeout(timer);
    ending.removeEventListener("abort", end);
  }
}

/** Asks again until there is an answer, or a refusal, or `ending`. */
export async function untilAnswered<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  ending: AbortSignal,
): Promise<Answer> {
  for (;;) {
    try {
      return await inTime(ask, ending);
    } catch (error) {
      if (ending.aborted || error instanceof ProblemError) throw error;
    }
    await aMoment();
    ending.throwIfAborted();
  }
}
