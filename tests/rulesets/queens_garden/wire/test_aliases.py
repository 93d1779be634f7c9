"""Aliases: if a colour and a pattern take the same pieces, the colour is listed, and the pattern is legal too."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from service.rulesets.kernel import DRAWING, OVER, Record, generator
from service.rulesets.queens_garden import QUEENS_GARDEN
from tests.rulesets.playing import effects, legal, play, refusal, sort_actions
from tests.rulesets.queens_garden.build import board, state
from tests.rulesets.queens_garden.letters import STACK_OF, VARIANTS, Json
from tests.rulesets.queens_garden.playing import acquire, storage

GAMES = 4  # of each variant and number of seats


def named_pairs(pairs: dict[int, int]) -> list[tuple[Json, Json]]:
    """Aliases with what is listed for them."""
    name = QUEENS_GARDEN.wire.decode
    return [(name(alias), name(listed)) for alias, listed in sorted(pairs.items())]


# Definition


def test_only_hexagon_of_its_colour_and_pattern_is_listed_by_colour() -> None:
    before = state(top="b1 b1 y4", beside=("k4",))
    expected = [
        acquire("b", "t:b1"),
        acquire("y", "t:y4"),
        acquire("k", "0:k4"),
        acquire("4", "t:y4 0:k4"),
    ]
    assert sort_actions(expected) == legal(before, "acquire")
    assert [(acquire("1", "t:b1"), acquire("b", "t:b1"))] == named_pairs(before.aliases())


def test_colour_and_pattern_are_listed_if_the_pattern_takes_more_pieces() -> None:
    before = state(top="b1 y1 y3")
    assert acquire("b", "t:b1") in legal(before, "acquire")
    assert acquire("1", "t:b1 t:y1") in legal(before, "acquire")


def test_colour_and_pattern_are_listed_if_the_colour_takes_more_pieces() -> None:
    before = state(top="b1 b3 y3")
    assert acquire("1", "t:b1") in legal(before, "acquire")
    assert acquire("b", "t:b1 t:b3") in legal(before, "acquire")


def test_each_place_with_the_hexagon_is_listed_once_by_colour() -> None:
    before = state(top="b2 d1 y3 k4", beside=("b2 k1", "^b2"))
    words = ["t:b2", "0:b2", "1^b2"]
    assert sort_actions(acquire("b", word) for word in words) == [
        each for each in legal(before, "acquire") if each["value"] in ("blue", "bird")
    ]
    assert sort_actions(acquire("2", word) for word in words) == sort_actions(
        alias for alias, listed in named_pairs(before.aliases()) if listed["value"] == "blue"
    )


def test_only_expansion_of_its_colour_and_pattern_is_listed_by_colour() -> None:
    before = state(board(storage="*" * 12), top="y1 y2 k3", beside=("^p5",))
    assert [acquire("p", "0^p5")] == legal(before, "acquire")
    assert [(acquire("5", "0^p5"), acquire("p", "0^p5"))] == named_pairs(before.aliases())


def test_several_hexagons_may_each_have_an_alias() -> None:
    before = state(top="b1 d2 y3 k4")
    assert sort_actions(acquire(mark, f"t:{mark}{value}") for mark, value in zip("bdyk", "1234", strict=True)) == legal(
        before, "acquire"
    )
    assert 4 == len(before.aliases())


def test_tile_that_does_not_fit_has_no_alias_and_is_refused_by_colour_and_pattern() -> None:
    before = state(board(storage="*" * 12), top="b1 b1 y4", beside=("k4",))
    assert {} == before.aliases()
    assert ["no_room_for_tiles"] * 2 == [refusal(before, acquire(mark, "t:b1")) for mark in "b1"]


def test_aliases_are_empty_while_a_draw_is_pending() -> None:
    waits = play(state(top="b1 d2 y3 k4"), acquire("b", "t:b1"))
    assert ("drawing", {}) == (waits.status, waits.aliases())


# Results of an alias


def test_alias_is_legal_and_has_the_same_result_as_the_listed_action() -> None:
    before = state(top="b1 b1 y4", beside=("k4",))
    by_colour, by_pattern = acquire("b", "t:b1"), acquire("1", "t:b1")
    assert (None, None) == (refusal(before, by_colour), refusal(before, by_pattern))
    assert play(before, by_colour) == play(before, by_pattern)
    assert "b1" == storage(play(before, by_pattern))


def test_effects_of_an_alias_name_the_pattern() -> None:
    """The effects are equal except for the acquisition, which has the name of the action."""
    before = state(top="b1 b1 y4", beside=("k4",))
    by_colour, by_pattern = effects(before, acquire("b", "t:b1")), effects(before, acquire("1", "t:b1"))
    assert by_colour[1:] == by_pattern[1:]
    assert {**by_colour[0], "by": "pattern", "value": "tree"} == by_pattern[0]


def test_alias_is_encoded_with_a_fixed_number() -> None:
    """Logs and records hold them."""
    number = 1 << 3 | 0 << 4 | 1 << 7  # acquire, by pattern, tree; of blue the tile on the top
    assert number == QUEENS_GARDEN.wire.encode(acquire("1", "t:b1"))
    assert acquire("1", "t:b1") == QUEENS_GARDEN.wire.decode(number)


def test_alias_is_converted_to_the_listed_action() -> None:
    before = state(top="b1 b1 y4", beside=("k4",))
    numbers = [
        QUEENS_GARDEN.wire.encode(acquire(*asked)) for asked in (("1", "t:b1"), ("b", "t:b1"), ("4", "t:y4 0:k4"))
    ]
    assert [numbers[1], numbers[1], numbers[2]] == [before.as_listed(number) for number in numbers]


# The choices


def test_choices_list_an_alias_with_its_colour() -> None:
    choices = state(top="b1 b1 y4", beside=("k4",)).choices() or {}
    assert [
        ("colour", "blue", "tree"),
        ("colour", "yellow", None),
        ("colour", "dark_purple", None),
        ("pattern", "flower", None),
    ] == [(each["by"], each["value"], each["alias"]) for each in choices["acquire"]]


# In games


def records(variant: str, seats: int) -> Iterator[Record]:
    """Yield each position of some random games in which a seat decides, always in the same record."""
    rules, out = QUEENS_GARDEN.rules, np.empty(QUEENS_GARDEN.max_drawn, np.int64)
    rng = generator(bytes([seats, 7]) * 16)
    for _ in range(GAMES):
        table_state = QUEENS_GARDEN.start(variant, seats, None).table_state()
        while table_state["status"] != OVER:
            if table_state["status"] == DRAWING:
                rules.resolve_draw(table_state, out[: rules.sample(table_state, rng, out)])
                continue
            yield table_state
            rules.apply(table_state, rules.random_action(table_state, rng))


def acquisitions(rule: str, table_state: Record, out: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    """Those that a rule lists."""
    results = out[: getattr(QUEENS_GARDEN.rules, rule)(table_state, out)]
    return [int(action) for action in results[results & 7 == 0]]


def pieces_of(action: int) -> tuple[str, ...]:
    """Return the pieces of an acquisition."""
    return tuple(sorted(str(piece) for piece in QUEENS_GARDEN.wire.decode(action)["pieces"]))


@pytest.mark.parametrize("seats", STACK_OF)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("rule", ["legal_actions", "candidates"])
def test_no_two_listed_acquisitions_take_the_same_pieces(rule: str, variant: str, seats: int) -> None:
    out = np.empty(QUEENS_GARDEN.max_actions, np.int64)
    met = 0
    for table_state in records(variant, seats):
        taken = [pieces_of(action) for action in acquisitions(rule, table_state, out)]
        assert len(set(taken)) == len(taken)
        met += bool(taken)
    assert met > 100
