"""A position for every reason to refuse an action, and the order of reasons where two apply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.rulesets.queens_garden import QUEENS_GARDEN
from service.rulesets.ruleset import InconsistentStateError, Position
from tests.rulesets.playing import assert_every_reason_is_covered, assert_refused, errors, play, refusal
from tests.rulesets.queens_garden.build import board, passer, state
from tests.rulesets.queens_garden.geometry import Space
from tests.rulesets.queens_garden.letters import Json
from tests.rulesets.queens_garden.playing import acquire, buy, expand, leave, place

HERE = (1, 0)


def acquiring() -> Position:
    """Return a position in which a tile and an expansion still fit into the storage."""
    return state(board(storage="d5 ^d6 **********"), top="b1 b2 y3 k4", beside=("b2 p5", "^y4", "^y5"))


def placing() -> Position:
    """Return a garden with blue bird, blue tree and yellow tree on the fountain, a pavilion and an empty expansion."""
    own: dict[Space, str] = {(1, 0): "b2", (0, 1): "b1", (1, -1): "y1", (4, 0): "k6"}
    return state(board(15, "b2 b3 b4 d3 y3 b1 ^b5 ^k2 **", own, {0: 0, 1: "down"}))


def poor() -> Position:
    return state(board(5, "^b1"))


def sold_out() -> Position:
    """Return a position of four seats with an empty supply."""
    areas = [{0: "down", 1: "down", 2: "down"}, {0: "down", 1: "down", 2: "down"}, {0: "down", 1: "down"}]
    boards = [board(15, "", None, each) for each in areas]
    return state(*boards, board(5, "^k5 ^k6", None, {0: "down"}), top="b1", beside=("",) * 7, to_decide=3)


def filling() -> Position:
    return state(phase="fill", next_seat=1, stack=4, beside=("b1",))


def turning() -> Position:
    return state(phase="turn", next_seat=1, top="b1", beside=("?",))


def finished_game() -> Position:
    return play(state(board(), passer(), round_number=4), leave())


def undrawn_first_seat() -> Position:
    return QUEENS_GARDEN.start("reverse", 2, None)


REFUSED: dict[str, tuple[Callable[[], Position], Json, str]] = {
    "an acquire after the end": (finished_game, acquire("b", "t:b1"), "game_over"),
    "a tile after the end": (finished_game, place("b1", HERE), "game_over"),
    "an expansion after the end": (finished_game, expand("b1", 0, 0), "game_over"),
    "a purchase after the end": (finished_game, buy(0), "game_over"),
    "a pass after the end": (finished_game, leave(), "game_over"),
    "anything before the first seat is drawn": (undrawn_first_seat, leave(), "drawing"),
    "anything before the stack is filled": (filling, acquire("b", "0:b1"), "drawing"),
    "anything before the faces are drawn": (turning, buy(0), "drawing"),
    "a colour that is not in the display": (acquiring, acquire("l", "t:l1"), "nothing_matches"),
    "a pattern that is not in the display": (acquiring, acquire("6", "t:k6"), "nothing_matches"),
    "any colour of an empty display": (placing, acquire("b", "t:b1"), "nothing_matches"),
    "a tile that is not on the top": (acquiring, acquire("b", "t:b1 t:b3"), "piece_not_there"),
    "a tile that lies elsewhere": (acquiring, acquire("b", "0:b1 t:b2"), "piece_not_there"),
    "a tile of a number that is not there": (acquiring, acquire("b", "t:b1 5:b2"), "piece_not_there"),
    "an expansion with another hexagon": (acquiring, acquire("k", "1^k4"), "piece_not_there"),
    "a face-up expansion as a tile": (acquiring, acquire("4", "1:y4 t:k4"), "piece_not_there"),
    "a matching tree that is left": (acquiring, acquire("b", "t:b2"), "pieces_incomplete"),
    "a matching expansion that is left": (acquiring, acquire("y", "t:y3 1^y4"), "pieces_incomplete"),
    "a hexagon from two places": (acquiring, acquire("b", "t:b1 t:b2 0:b2"), "pieces_repeat"),
    "a piece of another colour": (acquiring, acquire("b", "t:b1 t:b2 t:y3"), "piece_does_not_match"),
    "a piece of another pattern": (acquiring, acquire("3", "t:y3 t:k4"), "piece_does_not_match"),
    "more tiles than fit": (acquiring, acquire("b", "t:b1 t:b2"), "no_room_for_tiles"),
    "more expansions than fit": (acquiring, acquire("y", "t:y3 1^y4 2^y5"), "no_room_for_expansions"),
    "a tile that is not in the storage": (placing, place("k1", (-1, 0)), "tile_not_in_storage"),
    "a tile that is stored as an expansion only": (placing, place("b5", (-1, 0), "b1 b2 **"), "tile_not_in_storage"),
    "a space of a free area": (placing, place("b1", (-2, 0)), "no_board_there"),
    "a pavilion": (placing, place("b1", (3, 0)), "no_board_there"),
    "a space with a tile": (placing, place("b1", HERE), "space_taken"),
    "a space with a printed hexagon": (placing, place("b1", (4, 0)), "space_taken"),
    "an expansion that is not in the storage": (placing, expand("k1", 2, 0), "expansion_not_in_storage"),
    "an expansion that is stored as a tile only": (placing, expand("b1", 2, 0), "expansion_not_in_storage"),
    "an expansion on a face-up one": (placing, expand("k2", 0, 0, "*"), "area_taken"),
    "an expansion on a bought one": (placing, expand("k2", 1, 0, "*"), "area_taken"),
    "a purchase for a taken area": (placing, buy(1), "area_taken"),
    "colour and pattern mixed": (placing, place("b3", (-1, 0), "b1 d3"), "payment_mixed"),
    "an expansion paid with colour and pattern mixed": (placing, expand("k2", 2, 0, "d3"), "payment_mixed"),
    "identical hexagons in a payment": (placing, place("b3", (-1, 0), "b1 b1"), "payment_repeats"),
    "an expansion paid with its own hexagon": (placing, expand("k2", 2, 0, "k2"), "payment_repeats"),
    "too few pieces": (placing, place("b3", (-1, 0), "b1"), "payment_number"),
    "too many pieces": (placing, place("b1", (-1, 0), "*"), "payment_number"),
    "too few pieces for an expansion": (placing, expand("b5", 2, 0, "b1 b2 b3"), "payment_number"),
    "pieces that the storage lacks": (placing, place("b3", (-1, 0), "b1 b6"), "payment_not_in_storage"),
    "expansions that the storage lacks": (placing, place("b3", (-1, 0), "b1 ^b2"), "payment_not_in_storage"),
    "jokers that the storage lacks": (placing, place("b4", (-1, 0), "***"), "payment_not_in_storage"),
    "jokers that the storage lacks for an expansion": (placing, expand("b5", 2, 0, "****"), "payment_not_in_storage"),
    "a tile beside a different hexagon": (placing, place("d3", (-1, 1), "**"), "neighbours_differ"),
    "an expansion beside a different hexagon": (
        lambda: state(board(15, "^b1", {(1, 0): "y5"})),
        expand("b1", 0, 3),
        "neighbours_differ",
    ),
    "a hexagon twice in a group": (placing, place("b2", (-1, 1), "*"), "group_repeats_hexagon"),
    "an expansion's hexagon twice in a group": (
        lambda: state(board(15, "^b1", {(1, 0): "b1"})),
        expand("b1", 0, 3),
        "group_repeats_hexagon",
    ),
    "a purchase from an empty supply": (sold_out, buy(5), "supply_empty"),
    "a purchase without 6 points": (poor, buy(0), "too_few_points"),
    "a discard that the storage lacks": (placing, leave("k6"), "discard_not_in_storage"),
    "a discard of more tiles than stored": (placing, leave("b1 b1"), "discard_not_in_storage"),
    "a discarded expansion that the storage lacks": (placing, leave("^b1"), "discard_not_in_storage"),
}

# the first of two reasons in the order of the contract
BOTH: dict[str, tuple[Callable[[], Position], Json, str]] = {
    "the end before a missing colour": (finished_game, acquire("l", "t:l1"), "game_over"),
    "the end before an impossible payment": (finished_game, place("b3", HERE, "b1 d3"), "game_over"),
    "the draw before a missing colour": (filling, acquire("l", "t:l1"), "drawing"),
    "the draw before pieces that do not match": (filling, acquire("l", "t:b1"), "drawing"),
    "a missing piece before the same piece left elsewhere": (acquiring, acquire("p", "t:p5"), "piece_not_there"),
    "no matching piece before a missing piece": (acquiring, acquire("l", "7:l1"), "nothing_matches"),
    "a missing piece before one that is left": (acquiring, acquire("b", "t:b5"), "piece_not_there"),
    "a piece that is left before no room": (acquiring, acquire("b", "t:b1"), "pieces_incomplete"),
    "a missing piece before no room": (acquiring, acquire("b", "t:b1 t:b2 t:b3"), "piece_not_there"),
    "a repeated hexagon before one that does not match": (acquiring, acquire("b", "t:y3 1:y3"), "pieces_repeat"),
    "no room for tiles before no room for expansions": (
        lambda: state(board(storage="^d6 ************"), top="y1", beside=("^y4", "^y5")),
        acquire("y", "t:y1 0^y4 1^y5"),
        "no_room_for_tiles",
    ),
    "a missing tile before a missing board": (placing, place("k1", (-2, 0)), "tile_not_in_storage"),
    "a missing tile before a taken space": (placing, place("k1", HERE), "tile_not_in_storage"),
    "a missing board before an unpaid tile": (placing, place("b4", (-2, 0), "***"), "no_board_there"),
    "a taken space before an unpaid tile": (placing, place("b4", HERE, "***"), "space_taken"),
    "a missing payment before neighbours": (placing, place("b4", (-1, 0), "***"), "payment_not_in_storage"),
    "a missing payment before a group": (placing, place("b2", (-1, 1), "b6"), "payment_not_in_storage"),
    "a mixed payment before a repeated piece": (placing, place("b3", HERE, "d1 d1"), "payment_mixed"),
    "a repeated piece before their number": (placing, place("b3", HERE, "b1 b1 b1"), "payment_repeats"),
    "a mixed payment before a missing tile": (placing, place("k3", HERE, "k1 d3"), "payment_mixed"),
    "a wrong number before a missing board": (placing, place("b3", (-2, 0)), "payment_number"),
    "a missing expansion before a taken area": (placing, expand("k1", 0, 0), "expansion_not_in_storage"),
    "a taken area before an unpaid expansion": (placing, expand("b5", 0, 0, "****"), "area_taken"),
    "a taken area before an empty supply": (sold_out, buy(0), "area_taken"),
    "an empty supply before too few points": (sold_out, buy(1), "supply_empty"),
    "a taken area before too few points": (lambda: state(board(5, areas={0: "down"})), buy(0), "area_taken"),
}

# actions that are wrong in every position
NAMED: dict[str, tuple[Json, str]] = {
    "a hexagon from two places": (acquire("b", "t:b1 0:b1"), "pieces_repeat"),
    "a tile and an expansion with one hexagon": (acquire("4", "t:y4 1^y4"), "pieces_repeat"),
    "a hexagon twice from one place": (acquire("l", "t:l1 t:l1"), "pieces_repeat"),
    "another colour": (acquire("b", "t:y1"), "piece_does_not_match"),
    "another pattern": (acquire("2", "0^y1"), "piece_does_not_match"),
    "a mixed payment for a tile": (place("k3", HERE, "k1 d3"), "payment_mixed"),
    "a tile paid with neither its colour nor its pattern": (place("k2", HERE, "d3"), "payment_mixed"),
    "a mixed payment for an expansion": (expand("k3", 2, 0, "^k1 d3"), "payment_mixed"),
    "a tile paid with equal tiles": (place("k3", HERE, "k1 k1"), "payment_repeats"),
    "a tile paid with its equal": (place("k2", HERE, "^k2"), "payment_repeats"),
    "an expansion paid with equal pieces": (expand("k3", 2, 0, "k1 ^k1"), "payment_repeats"),
    "a tile paid with its equal and another of its pattern": (place("k3", HERE, "k3 y3"), "payment_repeats"),
    "a tile paid with too little": (place("k6", HERE, "k1 ***"), "payment_number"),
    "a tile paid with too much": (place("k1", HERE, "k2"), "payment_number"),
    "an expansion paid with jokers only, too many": (expand("k2", 2, 0, "**"), "payment_number"),
}
DECIDING = [acquiring, placing, poor, sold_out]


@pytest.mark.parametrize("case", REFUSED)
def test_action_is_refused_with_its_reason(case: str) -> None:
    build, action, expected = REFUSED[case]
    assert_refused(build(), QUEENS_GARDEN.wire.encode(action), expected)


@pytest.mark.parametrize("case", BOTH)
def test_first_of_two_reasons_is_reported(case: str) -> None:
    build, action, expected = BOTH[case]
    assert expected == refusal(build(), action)


@pytest.mark.parametrize("case", NAMED)
@pytest.mark.parametrize("build", DECIDING)
def test_flaw_in_the_action_itself_is_reported_in_every_position(build: Callable[[], Position], case: str) -> None:
    action, expected = NAMED[case]
    assert expected == refusal(build(), action)


@pytest.mark.parametrize("case", NAMED)
def test_order_of_pieces_does_not_change_the_reason(case: str) -> None:
    action, expected = NAMED[case]
    assert expected == refusal(placing(), reversed_lists(action))


def reversed_lists(json: Any) -> Any:
    """Return the same with every list of objects reversed."""
    if isinstance(json, dict):
        return {name: reversed_lists(value) for name, value in json.items()}
    return (
        [reversed_lists(each) for each in json[::-1]]
        if isinstance(json, list) and json and isinstance(json[0], dict)
        else json
    )


@pytest.mark.parametrize("case", NAMED)
@pytest.mark.parametrize(
    ("build", "expected"), [(finished_game, "game_over"), (filling, "drawing"), (turning, "drawing")]
)
def test_finished_game_or_pending_draw_is_reported_first(
    build: Callable[[], Position], expected: str, case: str
) -> None:
    assert expected == refusal(build(), NAMED[case][0])


def test_every_refusal_reason_has_a_test_case() -> None:
    assert_every_reason_is_covered((reason for _, _, reason in REFUSED.values()), QUEENS_GARDEN)


@pytest.mark.parametrize("build", [*DECIDING, finished_game, filling])
@pytest.mark.parametrize("number", [-1, -(2**63), 6, 7, 2**63 - 1, 5 | 200 << 3])
def test_number_without_an_action_is_refused_as_unknown_action(build: Callable[[], Position], number: int) -> None:
    assert_refused(build(), number, "unknown_action")


WRONG_COLOUR = {"colour": "white", "pattern": "tree"}


@pytest.mark.parametrize(
    ("action", "pointer"),
    [
        ({**place("b1", HERE), "space": [9, 9]}, "/space"),
        ({**place("b1", HERE), "space": [1]}, "/space"),
        ({**place("b1", HERE), "space": [1, 0, 0]}, "/space"),
        ({**place("b1", HERE), "space": "fountain"}, "/space"),
        ({**place("b1", HERE), "hexagon": WRONG_COLOUR}, "/hexagon/colour"),
        ({**place("b1", HERE), "payment": {"tiles": [], "expansions": [], "jokers": -1}}, "/payment/jokers"),
        (
            {**place("b1", HERE), "payment": {"tiles": [WRONG_COLOUR], "expansions": [], "jokers": 0}},
            "/payment/tiles/0",
        ),
        ({**place("b1", HERE), "payment": {"tiles": []}}, "/payment/"),
        ({"type": "queens-garden.place_tile", "hexagon": WRONG_COLOUR, "space": [1, 0]}, "/payment"),
        ({**expand("b1", 0, 0), "area": 6}, "/area"),
        ({**expand("b1", 0, 0), "area": -1}, "/area"),
        ({**expand("b1", 0, 0), "rotation": 6}, "/rotation"),
        ({**buy(0), "area": None}, "/area"),
        ({**buy(0), "rotation": 0}, "/rotation"),
        ({**acquire("b", "t:b1"), "value": "tree"}, "/value"),
        ({**acquire("1", "t:b1"), "value": "blue"}, "/value"),
        ({**acquire("b", "t:b1"), "by": "value"}, "/by"),
        ({**acquire("b", "t:b1"), "pieces": [{**acquire("b", "t:b1")["pieces"][0], "from": "beside_8"}]}, "/pieces/0"),
        ({**acquire("b", "t:b1"), "pieces": [{**acquire("b", "t:b1")["pieces"][0], "kind": "joker"}]}, "/pieces/0"),
        ({"type": "queens-garden.acquire", "by": "colour", "value": "blue"}, "/pieces"),
        ({"type": "queens-garden.pass"}, "/discard"),
        ({"type": "queens-garden.pass", "discard": {"tiles": [WRONG_COLOUR], "expansions": []}}, "/discard/tiles/0"),
        ({"type": "queens-garden.pass", "discard": {"tiles": [], "expansions": [], "jokers": 1}}, "/discard/jokers"),
        ({**leave(), "why": "tired"}, "/why"),
    ],
)
def test_malformed_action_is_rejected_with_a_pointer_to_the_field(action: Json, pointer: str) -> None:
    results = errors(QUEENS_GARDEN.wire.encode, action)
    assert [] != [where for where in results if where.startswith(pointer)], results


def test_top_of_an_empty_stack_cannot_be_taken_as_an_expansion() -> None:
    """The top has no number. It must not be confused with a tile on the last expansion beside the stack."""
    position = state(seats=4, stack=0, beside=[""] * 7 + ["b2 b3"])
    action = acquire("b", "t^b2 7:b3")
    try:
        answer = refusal(position, action)
    except InconsistentStateError as error:
        answer = " ".join(error.errors)
    assert answer is not None
    assert answer.startswith(("/pieces/0", "piece_not_there"))
