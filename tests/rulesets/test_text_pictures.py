"""The text pictures of all rulesets: what holds whatever lies on the table."""

from __future__ import annotations

import pytest

from service.rulesets.ruleset import Ruleset
from tests.rulesets.offers import WITH_TEXT_PICTURE
from tests.rulesets.playing import Game
from tests.rulesets.tiny import TINY
from tests.sampling import one_in

MOST_CHARACTERS = 100
GAMES = [
    (ruleset, variant, seats)
    for ruleset in WITH_TEXT_PICTURE.values()
    for variant in ruleset.variants
    for seats in ruleset.seat_counts
]


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(4, GAMES))
def test_every_table_fits_a_terminal_and_every_action_changes_it(ruleset: Ruleset, variant: str, seats: int) -> None:
    game = Game(ruleset, {"any": lambda _: 0}, 1, variant, seats, seed=seats, taste="any", steps=10_000)
    before = ""
    for position in game:
        drawn = str(position)
        *lines, empty, notation = drawn.split("\n")
        assert ("", position.notation) == (empty, notation)
        assert [] == [line for line in lines if len(line) > MOST_CHARACTERS or line != line.rstrip()]
        assert all(f"Seat {seat}: " in drawn for seat in range(1, seats + 1))
        assert game.taken is None or before != drawn
        before = drawn
    assert "over" in before.split("\n")[0]


def test_a_position_of_a_ruleset_without_a_text_picture_is_named() -> None:
    position = TINY.start(TINY.variants[0], 2, 0)
    assert f"{position!r}\n\n{position.notation}" == str(position)
