"""A seat at a game: who sits there, and whether they still play."""

from __future__ import annotations

from dataclasses import dataclass

PLAYER, OPEN_SEAT, AI, HTTP = "player", "open", "ai", "http"
SEAT_KINDS = (PLAYER, OPEN_SEAT, AI, HTTP)
ACTIVE, AWAY, RESIGNED, TIMED_OUT, FAILED = "active", "away", "resigned", "timed_out", "failed"
SEAT_STATUSES = (ACTIVE, AWAY, RESIGNED, TIMED_OUT, FAILED)
OUT = (RESIGNED, TIMED_OUT, FAILED)
SEAT = "seat:"
"""How the role begins of whoever plays a seat: `seat:<number>`."""


@dataclass(frozen=True)
class Seat:
    """A place at the game. `kind`: `player` (a person holds it), `open` (may be claimed), `ai`, `http` (an endpoint).

    `status`: `away`: its person ran out of time, or its endpoint failed, and an AI plays until the seat is claimed;
    `resigned`, `timed_out` and `failed`: an AI plays to the end, and the seat ranks last.
    """

    kind: str
    name: str | None = None
    level: str | None = None  # of an AI; of an endpoint's seat, of the AI that plays when it has failed
    player: str | None = None  # id of the player whose seat it is; None where a token of the game is all there is
    status: str = ACTIVE
    away_at: str | None = None  # RFC 3339: since when it is away
    failures: int = 0  # of its endpoint, in a row
    failure: str | None = None  # the last of them; one of endpoints.FAILURES
    rule: str | None = None  # why the rules forbade what it answered
    retry_at: str | None = None  # RFC 3339: when it is asked again

    @property
    def is_person(self) -> bool:
        """Whether a person decides here now."""
        return self.kind == PLAYER and self.status == ACTIVE

    @property
    def is_called(self) -> bool:
        """Whether an endpoint decides here now."""
        return self.kind == HTTP and self.status == ACTIVE

    @property
    def is_out(self) -> bool:
        """Whether it can no longer win."""
        return self.status in OUT
