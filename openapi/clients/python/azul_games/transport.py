"""When a request is sent again.

429: always, since nothing was done; 503 and a lost connection: where sending twice does no harm, which is what has no
effect or bears an Idempotency-Key. Not before Retry-After has passed, and not after the patience is at its end.
"""

from __future__ import annotations

import random

import httpx
from tenacity import RetryCallState, Retrying, stop_before_delay

from azul_games.errors import retry_after

REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}
LONGEST_PAUSE_S = 16.0


def pause_s(attempt: int) -> float:
    """Seconds to wait after so many attempts in vain: drawn, so that clients do not come back together."""
    return random.uniform(0.0, LONGEST_PAUSE_S / 2 ** max(0, 7 - attempt))


class Patient(httpx.BaseTransport):
    """A transport that asks again for up to `patience` seconds; 0: never."""

    def __init__(self, inner: httpx.BaseTransport, patience: float) -> None:
        self._inner = inner
        self._patience = patience

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The first answer that will do, or the last; httpx.TransportError where there was none at last."""
        repeatable = request.method in REPEATABLE or "Idempotency-Key" in request.headers

        def again(attempt: RetryCallState) -> bool:
            outcome = attempt.outcome
            if outcome is None or outcome.failed:
                return repeatable and outcome is not None and isinstance(outcome.exception(), httpx.TransportError)
            status = outcome.result().status_code
            return status == 429 or (status == 503 and repeatable)

        asking = Retrying(
            retry=again,
            wait=_wait,
            stop=stop_before_delay(self._patience),
            before_sleep=_close,
            retry_error_callback=lambda attempt: attempt.outcome and attempt.outcome.result(),
        )
        answer: httpx.Response = asking(self._inner.handle_request, request)
        return answer

    def close(self) -> None:
        """Close all connections."""
        self._inner.close()


def _answer(attempt: RetryCallState) -> httpx.Response | None:
    return None if attempt.outcome is None or attempt.outcome.failed else attempt.outcome.result()


def _wait(attempt: RetryCallState) -> float:
    answer = _answer(attempt)
    asked_for = retry_after(answer) if answer is not None else None
    return max(asked_for or 0.0, pause_s(attempt.attempt_number))


def _close(attempt: RetryCallState) -> None:
    if (answer := _answer(attempt)) is not None:
        answer.close()
