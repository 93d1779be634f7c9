"""A seat at a game: who sits there, and whether they still play."""

from __future__ import annotations

from dataclasses import dataclass

PLAYER, OPEN_SEAT, AI = "player", "open", "ai"
ACTIVE, AWAY, RESIGNED, TIMED_OUT = "active", "away", "resigned", "timed_out"
SEAT_STATUSES = (ACTIVE, AWAY, RESIGNED, TIMED_OUT)
OUT = (RESIGNED, TIMED_OUT)


@dataclass(frozen=True)
class Seat:
    """A place at the game. `kind`: `player` (a person holds it), `open` (may be claimed), `ai`.

    `status`: `away`: its person ran out of time, an AI plays until the seat is claimed; `resigned` and `timed_out`:
    an AI plays to the end, and the seat ranks last.
    """

    kind: str
    name: str | None = None
    level: str | None = None  # of an AI
    player: str | None = None  # id of the player whose seat it is; None where a token of the game is all there is
    status: str = ACTIVE
    away_at: str | None = None  # RFC 3339: since when it is away

    @property
    def is_person(self) -> bool:
        """Whether a person decides here now."""
        return self.kind == PLAYER and self.status == ACTIVE

    @property
    def is_out(self) -> bool:
        """Whether it can no longer win."""
        return self.status in OUT
