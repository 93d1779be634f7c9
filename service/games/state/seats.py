"""Seats of a game."""

from __future__ import annotations

from dataclasses import dataclass

PLAYER, OPEN_SEAT, AI, HTTP = "player", "open", "ai", "http"
SEAT_KINDS = (PLAYER, OPEN_SEAT, AI, HTTP)
ACTIVE, AWAY, RESIGNED, TIMED_OUT, FAILED = "active", "away", "resigned", "timed_out", "failed"
SEAT_STATUSES = (ACTIVE, AWAY, RESIGNED, TIMED_OUT, FAILED)
OUT = (RESIGNED, TIMED_OUT, FAILED)
SEAT = "seat:"
"""Prefix of the role of a seat's holder: `seat:<number>`."""


@dataclass(frozen=True)
class Seat:
    """A place in a game. `kind`: `player` (held by a person), `open` (can be claimed), `ai` or `http` (an endpoint).

    `status` is `away` if the person ran out of time or the endpoint failed; an AI plays until the seat is claimed. With
    `resigned`, `timed_out` and `failed`, an AI plays to the end and the seat ranks last.
    """

    kind: str
    name: str | None = None
    level: str | None = None  # level of the AI; for `http`, of the AI that plays after a failure
    player: str | None = None  # id of the player; None if the seat belongs to no account
    status: str = ACTIVE
    away_at: str | None = None  # RFC 3339: since when the status is `away`
    failures: int = 0  # consecutive failed calls of the endpoint
    failure: str | None = None  # the latest of them, one of endpoints.FAILURES
    rule: str | None = None  # the rule that the endpoint's action violated
    retry_at: str | None = None  # RFC 3339: time of the next call

    @property
    def is_person(self) -> bool:
        """Whether a person decides for the seat now."""
        return self.kind == PLAYER and self.status == ACTIVE

    @property
    def is_called(self) -> bool:
        """Whether an endpoint decides for the seat now."""
        return self.kind == HTTP and self.status == ACTIVE

    @property
    def is_out(self) -> bool:
        """Whether the seat can no longer win."""
        return self.status in OUT
