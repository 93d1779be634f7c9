"""Retry requests.

After 429 all requests are retried, because the service did nothing. After 503 and lost connections, only repeatable
requests are: safe methods, PUT, DELETE, and requests with an Idempotency-Key. Retries wait for Retry-After, and end
after `patience` seconds.
"""

from __future__ import annotations

import random

import httpx
from tenacity import RetryCallState, Retrying, stop_before_delay

from azul_games.errors import retry_after

REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}
LONGEST_PAUSE_S = 16.0


def pause_s(attempt: int) -> float:
    """Return the seconds to wait after failed attempts. They are random, so that clients do not retry together."""
    return random.uniform(0.0, LONGEST_PAUSE_S / 2 ** max(0, 7 - attempt))


class Patient(httpx.BaseTransport):
    """A transport that retries for up to `patience` seconds; 0 disables retries."""

    def __init__(self, inner: httpx.BaseTransport, patience: float) -> None:
        self._inner = inner
        self._patience = patience

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the first final response, or the last one. Raise httpx.TransportError if the last attempt had none."""
        repeatable = request.method in REPEATABLE or "Idempotency-Key" in request.headers

        def should_retry(attempt: RetryCallState) -> bool:
            outcome = attempt.outcome
            if outcome is None or outcome.failed:
                return repeatable and outcome is not None and isinstance(outcome.exception(), httpx.TransportError)
            status = outcome.result().status_code
            return status == 429 or (status == 503 and repeatable)

        retrying = Retrying(
            retry=should_retry,
            wait=_wait,
            stop=stop_before_delay(self._patience),
            before_sleep=_close,
            retry_error_callback=lambda attempt: attempt.outcome and attempt.outcome.result(),
        )
        answer: httpx.Response = retrying(self._inner.handle_request, request)
        return answer

    def close(self) -> None:
        """Close all connections."""
        self._inner.close()


def _answer(attempt: RetryCallState) -> httpx.Response | None:
    return None if attempt.outcome is None or attempt.outcome.failed else attempt.outcome.result()


def _wait(attempt: RetryCallState) -> float:
    answer = _answer(attempt)
    requested_s = retry_after(answer) if answer is not None else None
    return max(requested_s or 0.0, pause_s(attempt.attempt_number))


def _close(attempt: RetryCallState) -> None:
    if (answer := _answer(attempt)) is not None:
        answer.close()
