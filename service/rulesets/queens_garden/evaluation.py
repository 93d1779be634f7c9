"""What a Queen's Garden position is worth to each seat: the points it may expect to have at the end."""

from __future__ import annotations

from service.rulesets.kernel import Floats, Record
from service.rulesets.queens_garden.state import rule


@rule
def estimate(game: Record, points: Floats) -> None:
    """The score as it stands."""
    for seat in range(game.seats):
        points[seat] = game.score[seat]
