/** Refusals of the service: problem documents (RFC 9457), as values and as errors. */
import type { components } from "./schema.d.ts";

/** A problem document. `code` is stable and for programs; `title` and `detail` are for people. */
export type Problem = components["schemas"]["Problem"];

/** A refusal as an error. */
export class ProblemError extends Error {
  readonly problem: Problem;
  /** Seconds until a retry makes sense, or null if the service gave none. */
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
 * Return the problem of a failed response. A response without a problem document, such as a proxy's page, gets the code
 * `http/<status>`.
 */
export function problemOf(error: unknown, response: Response): Problem {
  if (typeof error === "object" && error !== null && "code" in error && "status" in error) return error as Problem;
  const title = response.statusText || `The answer was ${response.status}`;
  const request_id = response.headers.get("X-Request-Id") ?? "";
  return { code: `http/${response.status}`, request_id, status: response.status, title, type: "about:blank" };
}

/** Return the seconds of `Retry-After` (a number or a date), or null. */
export function retryAfter(response: Response): number | null {
  const header = response.headers.get("Retry-After");
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** Return the data of a successful response (undefined for 204). Throw ProblemError for a refusal or a 304. */
export function unwrap<Data>(answer: {
  data?: Data | undefined;
  error?: unknown;
  response: Response;
}): NonNullable<Data> {
  if (!answer.response.ok)
    throw new ProblemError(problemOf(answer.error, answer.response), retryAfter(answer.response));
  return answer.data as NonNullable<Data>;
}
