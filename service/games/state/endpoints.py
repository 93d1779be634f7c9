"""Opponents over HTTP: what was agreed about an endpoint that plays a seat, and what can go wrong with it.

It is asked for each decision. Where it does not answer in time, or not fitly, it is asked again, later and later; when
all attempts at a decision have failed, the seat falls to an AI for good, or loses, as was agreed. Each failure is an
event, so that everybody sees how the endpoint does.
"""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_S = 5.0  # an answer may take, in all
MAX_ATTEMPTS = 10
PAUSES_S = (1, 4, 15, 60)  # before it is asked again; the last from then on
NO_ANSWER = ("off", "url", "port", "name", "address", "unreachable", "tls", "late", "redirect", "large", "status")
FAILURES = (*NO_ANSWER, "unreadable", "illegal", "lost")
"""Why there was no decision: what the dialer says; an answer that names no action, or one that the rules forbid; and
`lost`: the process that asked died each time."""
FAILURE_DESCRIPTION = (
    "Why the endpoint made no decision: the URL may not be called (`off`, `url`, `port`, `address`), there was no "
    "response (`name`, `unreachable`, `tls`, `late`) or an unusable one (`redirect`, `large`, `status`, `unreadable`), "
    "the action was `illegal`, or the calling process died (`lost`)."
)


@dataclass(frozen=True)
class Endpoint:
    """An endpoint that plays a seat. Its URL and secret are shown to nobody. `attempts`: for each decision."""

    url: str
    secret: str
    timeout_s: float
    attempts: int
    on_failure: str


def pause_after(failures: int) -> int:
    """Seconds until it is asked again after so many failures in a row, at least 1."""
    return PAUSES_S[min(failures, len(PAUSES_S)) - 1]
