"""The cost of a hexagon: its value in different hexagons of one colour or one pattern, or jokers."""

from __future__ import annotations

import itertools

import pytest

from tests.rulesets.playing import effects_of_type, legal, play, refusal
from tests.rulesets.queens_garden.build import board, state
from tests.rulesets.queens_garden.letters import ORDER, Json, payment
from tests.rulesets.queens_garden.playing import expand, place, storage, supply, tower

HERE = (1, 0)
every_value = pytest.mark.parametrize("value", range(1, 7))


def paying(held: str, placed: str, paid: str) -> str | None:
    """Return the reason why the tile cannot be placed with this payment, or None."""
    return refusal(state(board(storage=held)), place(placed, HERE, paid))


def payments_for(held: str, placed: str) -> list[Json]:
    """Return the payments for placing the tile on one space."""
    actions = legal(state(board(storage=held)), "place_tile")
    own = place(placed, HERE)
    return [each["payment"] for each in actions if (each["hexagon"], each["space"]) == (own["hexagon"], own["space"])]


def other_blues(value: int) -> list[str]:
    """Return the blue hexagons of the other values."""
    return [f"b{other}" for other in range(1, 7) if other != value]


def as_payments(*lines: str) -> list[Json]:
    return sorted((payment(line) for line in lines), key=str)


# Number of pieces


@every_value
@pytest.mark.parametrize("by", ["colour", "pattern"])
def test_hexagon_costs_its_value_minus_one_in_hexagons_of_its_colour_or_pattern(value: int, by: str) -> None:
    """[pay.exact]"""
    others = [f"{letter}{value}" for letter in ORDER[1:]] if by == "pattern" else other_blues(value)
    before = state(board(storage=" ".join([f"b{value}", *others])))
    paid = others[: value - 1]
    after = play(before, place(f"b{value}", HERE, " ".join(paid)))
    assert (" ".join(others[value - 1 :]), " ".join(paid)) == (storage(after), tower(after))


@every_value
def test_payment_with_the_wrong_number_of_pieces_is_refused(value: int) -> None:
    """[pay.exact] exactly value - 1 further pieces."""
    held, others = "b1 b2 b3 b4 b5 b6 *****", other_blues(value)
    answers = {paying(held, f"b{value}", " ".join(others[:number])) for number in range(6) if number != value - 1}
    assert {"payment_number"} == answers


def test_placing_a_tree_needs_no_payment() -> None:
    """[pay.tree]"""
    before = state(board(storage="b1 b2 d1 *"))
    after = play(before, place("b1", HERE))
    assert ("b2 d1 *", "", [payment("")]) == (storage(after), tower(after), payments_for("b1 b2 d1 *", "b1"))


# Which


def test_the_pieces_of_a_payment_share_one_colour_or_one_pattern() -> None:
    held = "b3 b1 b2 d3 y3 b6"
    expected = as_payments("b1 b2", "b1 b6", "b2 b6", "d3 y3")
    assert expected == payments_for(held, "b3")


def test_paid_pieces_must_share_the_colour_or_pattern_of_the_placed_tile() -> None:
    assert "payment_mixed" == paying("b3 d3 d4", "b3", "d3 d4")


# Jokers


@pytest.mark.parametrize("jokers", range(6))
def test_jokers_may_replace_any_number_of_paid_pieces(jokers: int) -> None:
    """[pay.exact] all of them if wished."""
    before = state(board(storage="b1 b2 b3 b4 b5 b6 *****"))
    paid = " ".join(f"b{value}" for value in range(1, 6 - jokers))
    after = play(before, place("b6", HERE, paid + "*" * jokers))
    left = " ".join([*(f"b{value}" for value in range(6 - jokers, 6)), *(["*" * (5 - jokers)] if jokers < 5 else [])])
    assert (left, paid) == (storage(after), tower(after))


def test_hexagons_paid_with_jokers_must_still_share_a_colour_or_pattern() -> None:
    held = "b4 b1 b2 d4 y4 d1 **"
    assert ["payment_mixed", "payment_mixed", None, None] == [
        paying(held, "b4", line) for line in ("b1 d4 *", "d1 **", "b1 b2 *", "d4 **")
    ]


def test_joker_cannot_be_placed_as_a_hexagon() -> None:
    """A joker is never placed."""
    assert "tile_not_in_storage" == paying("*****", "b2", "*")
    assert [] == legal(state(board(storage="*****")), "place_tile")


def test_every_mix_of_tiles_expansions_and_jokers_is_a_separate_payment() -> None:
    held = "b3 b1 b2 d3 ^b1 ^y3 **"
    real = ["b1 b2", "b2 ^b1", "d3 ^y3"]
    mixed = ["b1 *", "b2 *", "^b1 *", "d3 *", "^y3 *"]
    assert as_payments(*real, *mixed, "**") == payments_for(held, "b3")


def test_equal_tiles_in_the_storage_are_one_payment() -> None:
    assert as_payments("b1") == payments_for("b2 b2 b1 b1 b1", "b2")


def test_tile_and_expansion_with_the_same_hexagon_are_two_payments() -> None:
    assert as_payments("b1", "^b1") == payments_for("b2 b1 ^b1", "b2")


def test_payments_of_a_flower_combine_all_other_blue_hexagons_and_jokers() -> None:
    others = ["b1", "b2", "b3", "b5", "b6"]
    expected = [
        " ".join([*chosen, "*" * (3 - len(chosen))])
        for number in range(1, 4)
        for chosen in itertools.combinations(others, number)
    ]
    assert as_payments(*expected) == payments_for("b4 b1 b2 b3 b5 b6 **", "b4")


# Owning it


def test_pieces_of_other_seats_cannot_be_paid() -> None:
    before = state(board(storage="b2"), board(storage="b1 *"))
    assert ["payment_not_in_storage"] * 2 == [refusal(before, place("b2", HERE, line)) for line in ("b1", "*")]


# Destinations of paid pieces


def test_paid_tiles_go_to_the_tower_and_paid_expansions_under_the_supply() -> None:
    """[pay.with_expansion]"""
    before = state(board(storage="b4 b1 ^b2 ** d1"))
    after = play(before, place("b4", HERE, "b1 ^b2 *"))
    assert ("d1 *", "b1", supply(before) + 1) == (storage(after), tower(after), supply(after))


def test_paid_expansion_counts_as_its_hexagon() -> None:
    """[pay.with_expansion]"""
    assert [None, "payment_mixed"] == [paying("b2 ^b5", "b2", "^b5"), paying("b2 ^d5", "b2", "^d5")]


def test_two_expansions_may_be_paid_together() -> None:
    before = state(board(storage="b3 ^b2 ^b6"))
    after = play(before, place("b3", HERE, "^b2 ^b6"))
    assert ("", supply(before) + 2) == (storage(after), supply(after))


def test_placed_tile_effect_contains_the_payment() -> None:
    before = state(board(storage="b4 b1 ^b2 ** d1"))
    (effect,) = effects_of_type(before, place("b4", HERE, "b1 ^b2 *"), "tile_placed")
    expected = place("b4", HERE, "b1 ^b2 *")
    assert {"seat": 0, **{name: expected[name] for name in ("hexagon", "space", "payment")}} == effect


def test_paid_pieces_may_be_listed_in_any_order() -> None:
    before = state(board(storage="b4 b1 b2 b3"))
    action = place("b4", HERE, "b1 b2 b3")
    turned = {**action, "payment": {**action["payment"], "tiles": action["payment"]["tiles"][::-1]}}
    assert play(before, action) == play(before, turned)


# Expansions are paid alike


@every_value
def test_an_expansion_costs_the_value_of_its_hexagon(value: int) -> None:
    others = other_blues(value)
    before = state(board(storage=" ".join([f"^b{value}", *others])))
    after = play(before, expand(f"b{value}", 0, 0, " ".join(others[: value - 1])))
    assert (" ".join(others[value - 1 :]), supply(before)) == (storage(after), supply(after))


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        ("b1 b2", None),
        ("d3 y3", None),
        ("b1 ^b5", None),
        ("*b1", None),
        ("**", None),
        ("b1 d3", "payment_mixed"),
        ("b1 b1", "payment_repeats"),
        ("b3 b1", "payment_repeats"),
        ("b1", "payment_number"),
        ("b1 b2 *", "payment_number"),
        ("b1 b4", "payment_not_in_storage"),
        ("***", "payment_number"),
    ],
)
def test_an_expansion_is_paid_like_a_tile(paid: str, expected: str | None) -> None:
    before = state(board(storage="^b3 b1 b1 b2 b3 d3 y3 ^b5 **"))
    assert expected == refusal(before, expand("b3", 0, 0, paid))
