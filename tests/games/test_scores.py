"""Shares of wins, and how sure they are."""

from __future__ import annotations

import pytest

from service.games.scores import wilson


@pytest.mark.parametrize(
    ("share", "count", "low", "high"),
    [
        (0.0, 0, 0.0, 1.0),
        (1.0, 1, 0.2065, 1.0),
        (0.0, 1, 0.0, 0.7935),
        (0.5, 2, 0.0945, 0.9055),
        (0.5, 10, 0.2366, 0.7634),
        (0.75, 100, 0.6570, 0.8245),
    ],
)
def test_the_interval_is_wilsons(share: float, count: int, low: float, high: float) -> None:
    assert (low, high) == pytest.approx(wilson(share, count), abs=5e-5)
