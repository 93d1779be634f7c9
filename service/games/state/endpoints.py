"""Endpoints that play a seat over HTTP, and how their calls can fail.

An endpoint is called for each decision. Failed calls are retried with growing pauses. After the last attempt at a
decision, an AI takes the seat for good or the seat loses, as configured. Each failure is an event, so that the players
see the state of the endpoint.
"""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_S = 5.0  # maximum duration of a call
MAX_ATTEMPTS = 10
PAUSES_S = (1, 4, 15, 60)  # before the next attempts; the last value repeats
ENDPOINT_DISABLED = "endpoint_disabled"  # type of the notice to the owner of an endpoint, a webhook or a device
NO_ANSWER = ("off", "url", "port", "name", "address", "unreachable", "tls", "late", "redirect", "large", "status")
FAILURES = (*NO_ANSWER, "unreadable", "illegal", "lost")
"""Reasons for a failed call. Tests compare the texts below with this list."""
FAILURE_DESCRIPTION = (
    "Why the endpoint made no decision: the URL may not be called (`off`, `url`, `port`, `address`), there was no "
    "response (`name`, `unreachable`, `tls`, `late`) or an unusable one (`redirect`, `large`, `status`, `unreadable`), "
    "the action was `illegal`, or the calling process died (`lost`)."
)


@dataclass(frozen=True)
class Endpoint:
    """An endpoint that plays a seat. The API never returns its URL and secret. `attempts` are per decision."""

    url: str
    secret: str
    timeout_s: float
    attempts: int
    on_failure: str
    owner: str | None = None  # digest of who is responsible for its calls; None in games of older versions


def pause_after(failures: int) -> int:
    """Return the seconds until the next attempt after this many consecutive failures, at least 1."""
    return PAUSES_S[min(failures, len(PAUSES_S)) - 1]
