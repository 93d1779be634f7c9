"""Bounds of posted positions: play cannot exceed the limits, and positions of play are never refused."""

from __future__ import annotations

import pytest

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Ruleset
from tests.rulesets.offers import WITH_BOUNDS
from tests.rulesets.playing import errors, with_changes
from tests.rulesets.test_conformance import every_game, walk

# the highest score on an empty board that cannot exceed 999; in Azul 25 tiles of 10 points and 95 at the end
MOST = {
    "azul": 999 - 250 - 95,
    "summer-pavilion": 999 - 42 * 6 - 180,
    "queens-garden": 999 - 48 * (4 + 12) - 4 * 6 - 12,
}
SIDES = [
    pytest.param(ruleset, variant, id=f"{ruleset.id}-{variant}")
    for ruleset in WITH_BOUNDS.values()
    for variant in ruleset.variants
]


def opening_view(ruleset: Ruleset, variant: str) -> Json:
    """Return a position soon after the set-up in which a seat decides."""
    return next(ruleset.view(position) for position in walk(ruleset, variant, 2, 3) if position.status == "deciding")


@every_game
def test_every_position_of_a_played_game_can_be_posted(ruleset: Ruleset, variant: str, seats: int) -> None:
    positions = [*walk(ruleset, variant, seats, 150)]
    for position in [*positions[::4], positions[-1]]:
        assert position == ruleset.read_posted(ruleset.view(position))


@pytest.mark.parametrize(("ruleset", "variant"), SIDES)
def test_a_score_that_could_still_exceed_999_cannot_be_posted_but_can_be_read(ruleset: Ruleset, variant: str) -> None:
    """Games that began with such a score before the limit existed can still be read."""
    view = opening_view(ruleset, variant)
    fits, exceeds = (with_changes(view, seats__1__score=MOST[ruleset.id] + more) for more in (0, 1))
    assert fits == ruleset.view(ruleset.read_posted(fits))
    assert exceeds == ruleset.view(ruleset.read(exceeds))
    assert {"/seats/1/score"} == errors(ruleset.read_posted, exceeds).keys()


@pytest.mark.parametrize(("ruleset", "variant"), SIDES)
def test_a_finished_game_may_have_a_score_of_999(ruleset: Ruleset, variant: str) -> None:
    *_, last = walk(ruleset, variant, 2, 150)
    table_state = last.table_state()
    table_state.score[1] = 999
    assert {} == ruleset.wire.out_of_bounds(table_state)


@pytest.mark.parametrize("variant", RULESETS["azul"].variants)
def test_an_azul_round_number_that_could_still_overflow_cannot_be_posted_but_can_be_read(variant: str) -> None:
    """There are fifty free spaces on the walls, with four idle rounds before each tile and five at the end."""
    azul = RULESETS["azul"]
    fits, exceeds = (with_changes(opening_view(azul, variant), round=65_535 - 5 * 51 + more) for more in (0, 1))
    assert fits == azul.view(azul.read_posted(fits))
    assert exceeds == azul.view(azul.read(exceeds))
    assert {"/round"} == errors(azul.read_posted, exceeds).keys()
