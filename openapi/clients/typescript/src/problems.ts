/** Refusals: problem documents (RFC 9457) as values, and as errors for those who would rather catch. */
import type { components } from "./schema.d.ts";

/** What the service refuses and why; `code` is for programs and never changes, `title` and `detail` are for people. */
export type Problem = components["schemas"]["Problem"];

/** A refusal that is thrown. */
export class ProblemError extends Error {
  readonly problem: Problem;
  /** Seconds after which it may be asked again; null where the service did not say. */
  readonly retryAfter: number | null;

  constructor(problem: Problem, retryAfter: number | null = null) {
    super(`${problem.code}: ${problem.detail ?? problem.title}`);
    this.name = "ProblemError";
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  get code(): string {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }
}

/**
 * What an answer that is no success says. What no problem document came with (a proxy's page, an empty 404) gets the
 * code `http/<status>`, which is none of the service's.
 */
export function problemOf(error: unknown, response: Response): Problem {
  if (typeof error === "object" && error !== null && "code" in error && "status" in error) return error as Problem;
  const title = response.statusText || `The answer was ${response.status}`;
  const request_id = response.headers.get("X-Request-Id") ?? "";
  return { code: `http/${response.status}`, request_id, status: response.status, title, type: "about:blank" };
}

/** Seconds that the answer asks to wait (`Retry-After`, a number or a date); null where it does not. */
export function retryAfter(response: Response): number | null {
  const header = response.headers.get("Retry-After");
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** The data of an answer of the client's, none of a 204; ProblemError where it was refused, or is a 304. */
export function unwrap<Data>(answer: {
  data?: Data | undefined;
  error?: unknown;
  response: Response;
}): NonNullable<Data> {
  if (!answer.response.ok)
    throw new ProblemError(problemOf(answer.error, answer.response), retryAfter(answer.response));
  return answer.data as NonNullable<Data>;
}
