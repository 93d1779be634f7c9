"""Offers between the people of a game: a takeback, a pause, going on, a rematch.

An offer stands until all others who play have accepted it, one has declined it, whoever made it has withdrawn it, the
game has moved on, or a seat has changed hands. Where there is nobody to ask it is carried out at once. Each seat has
one offer at a time, and after a refusal may not repeat it before the game has moved on: nobody is to be pestered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

TAKEBACK, PAUSE, RESUME, REMATCH = "takeback", "pause", "resume", "rematch"
OFFERS = (TAKEBACK, PAUSE, RESUME, REMATCH)
LONGEST_PAUSE_S = 7 * 86_400


@dataclass(frozen=True)
class Offer:
    """An offer that waits for answers. `id`: the revision of the event that made it."""

    id: int
    kind: str
    seat: int
    accepted: tuple[int, ...] = ()
    to: int | None = None  # takeback: the revision whose position would come back
    across_draw: bool = False  # takeback: whether a draw would be undone
    seconds: int | None = None  # pause: the longest it lasts

    def accepted_by(self, seat: int) -> Self:
        """The offer with one more who accepts."""
        return replace(self, accepted=(*self.accepted, seat))
