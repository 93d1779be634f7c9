"""Offers between the people in a game: takeback, pause, resumption and rematch.

An offer is open until all other people have accepted it, one of them declines it, its author withdraws it, it lapses,
the position changes, or a seat changes hands. If nobody has to accept it, it takes effect at once. A seat has at most
one open offer, and cannot repeat a declined offer until the position changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

TAKEBACK, PAUSE, RESUME, REMATCH = "takeback", "pause", "resume", "rematch"
OFFERS = (TAKEBACK, PAUSE, RESUME, REMATCH)
LONGEST_PAUSE_S = 7 * 86_400
LIVE_OFFER_MS, SLOW_OFFER_MS = 300_000, 259_200_000
"""Lifetime of an offer in a game with a live clock, and in any other."""


@dataclass(frozen=True)
class Offer:
    """An open offer. `id`: the revision of its event."""

    id: int
    kind: str
    seat: int
    accepted: tuple[int, ...] = ()
    to: int | None = None  # takeback: the revision to restore
    across_draw: bool = False  # takeback: whether it undoes a draw
    seconds: int | None = None  # pause: its maximum length
    at: str | None = None  # RFC 3339; None in games of older versions

    def accepted_by(self, seat: int) -> Self:
        """Return the offer with the acceptance of a seat."""
        return replace(self, accepted=(*self.accepted, seat))
