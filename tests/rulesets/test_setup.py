"""Who plays what, and who begins: the same in all rulesets."""

from __future__ import annotations

import pytest

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import IllegalDraw
from tests.rulesets.playing import deal

SIDES = {
    "azul": ("coloured", "grey"),
    "summer-pavilion": ("coloured", "grey"),
    "queens-garden": ("standard", "reverse"),
}
every_ruleset = pytest.mark.parametrize("name", SIDES)
every_number = pytest.mark.parametrize("seats", [2, 3, 4])


@every_ruleset
def test_a_ruleset_is_played_in_two_variants_by_two_to_four_seats(name: str) -> None:
    ruleset = RULESETS[name]
    assert (name, SIDES[name], (2, 3, 4)) == (ruleset.id, tuple(ruleset.variants), tuple(ruleset.seat_counts))


@every_ruleset
@every_number
def test_a_given_first_seat_moves_first(name: str, seats: int) -> None:
    ruleset = RULESETS[name]
    for first in range(seats):
        start = ruleset.start(SIDES[name][0], seats, first)
        assert ("drawing", None, first) == (start.status, start.seat, ruleset.view(start)["start_seat"])
        dealt = deal(start)
        assert ("deciding", first, first) == (dealt.status, dealt.seat, ruleset.view(dealt)["start_seat"])


@every_ruleset
@every_number
def test_without_a_given_first_seat_it_is_drawn_before_the_tiles(name: str, seats: int) -> None:
    ruleset, drawn = RULESETS[name], (seats - 1,)
    start = ruleset.start(SIDES[name][1], seats, None)
    assert ruleset.view(start)["start_seat"] is None
    assert {"type": f"{name}.first_seat", "seat": seats - 1} == ruleset.wire.name_draw(start.table_state(), drawn)
    assert [{"type": f"{name}.first_seat_drawn", "seat": seats - 1}] == start.effects_of_draw(drawn)
    seated = start.resolve_draw(drawn)
    assert ("drawing", seats - 1) == (seated.status, ruleset.view(seated)["start_seat"])
    assert seats - 1 == deal(seated).seat


@every_ruleset
@every_number
def test_a_drawn_first_seat_is_any_seat_at_the_table_and_no_other(name: str, seats: int) -> None:
    start, draws = RULESETS[name].start(SIDES[name][1], seats, None), generator(bytes(range(32)))
    assert {(seat,) for seat in range(seats)} == {start.sample(draws) for _ in range(200)}
    for outside in (-1, seats):
        with pytest.raises(IllegalDraw):
            start.resolve_draw((outside,))
