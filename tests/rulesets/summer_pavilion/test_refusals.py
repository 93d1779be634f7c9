"""A position for every reason to refuse an action, and the order of reasons where two apply."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.rulesets.ruleset import Position
from service.rulesets.summer_pavilion import SUMMER_PAVILION
from tests.rulesets.playing import assert_every_reason_is_covered, assert_refused, errors, play, refusal
from tests.rulesets.summer_pavilion.build import (
    COLOURS,
    WINDOW,
    Json,
    acquire,
    board,
    keep,
    passer,
    place,
    state,
    take_bonus,
    waiting,
)


def acquiring() -> Position:
    return state(board(hand="bg"), factories=("bbpy", "", "pppp"), centre="rrp", token=1)


def playing() -> Position:
    """Coloured, purple is wild."""
    return state(board(5, {"b": "b.....", "c": "...b.."}, "bbbbgrpp"))


def grey() -> Position:
    """Return an orange star of red tiles and a red star of different ones."""
    return state(board(5, {"o": "rr....", "r": "rb...."}, "bbrrggp"), variant="grey")


def owing() -> Position:
    boards = (board(5, WINDOW, "bg"), board())
    return state(*boards, phase="take_bonus", bonus_owed=1, supply="rrgg", bag="", tower="", rest=1)


def refilling() -> Position:
    return state(phase="refill", to_decide=None, next_seat=1, supply="rrggyyp")


def finished_game() -> Position:
    return play(state(board(), passer(), round_number=6), keep())


REFUSED: dict[str, tuple[Callable[[], Position], Json, str]] = {
    "an acquire after the end": (finished_game, acquire(0, "b"), "game_over"),
    "a place after the end": (finished_game, place("b1", "b"), "game_over"),
    "a pass after the end": (finished_game, keep(), "game_over"),
    "a bonus tile after the end": (finished_game, take_bonus("b"), "game_over"),
    "anything before the first seat is drawn": (
        lambda: SUMMER_PAVILION.start("grey", 2, None),
        acquire(0, "b"),
        "drawing",
    ),
    "anything before the tiles are dealt": (
        lambda: SUMMER_PAVILION.start("coloured", 2, 0),
        keep(),
        "drawing",
    ),
    "anything between the rounds": (waiting, keep(), "drawing"),
    "anything before the supply is refilled": (refilling, take_bonus("r"), "drawing"),
    "an acquire in phase 2": (playing, acquire(0, "b"), "not_acquiring"),
    "an acquire while bonus tiles are owed": (owing, acquire(0, "b"), "take_bonus_first"),
    "a place while bonus tiles are owed": (owing, place("b1", "b"), "take_bonus_first"),
    "a pass while bonus tiles are owed": (owing, keep("bg"), "take_bonus_first"),
    "a place in phase 1": (acquiring, place("b1", "b"), "not_playing"),
    "a pass in phase 1": (acquiring, keep(), "not_playing"),
    "a bonus tile in phase 1": (acquiring, take_bonus("b"), "no_bonus_owed"),
    "a bonus tile that is not owed": (playing, take_bonus("b"), "no_bonus_owed"),
    "an empty factory": (acquiring, acquire(1, "b"), "source_empty"),
    "an empty centre": (lambda: state(factories=("bbbb",)), acquire("centre", "b"), "source_empty"),
    "a colour that is not in the factory": (acquiring, acquire(0, "r"), "colour_not_in_source"),
    "a colour that is not in the centre": (acquiring, acquire("centre", "b"), "colour_not_in_source"),
    "another colour of a factory with wild tiles only": (acquiring, acquire(2, "b"), "colour_not_in_source"),
    "the wild colour beside others in a factory": (acquiring, acquire(0, "p"), "wild_not_alone"),
    "the wild colour beside others in the centre": (acquiring, acquire("centre", "p"), "wild_not_alone"),
    "a space that is taken": (playing, place("b1", "b"), "space_taken"),
    "an outer star of another colour": (playing, place("b2", "g"), "star_takes_other_colour"),
    "a grey star of one colour": (grey, place("o3", "g"), "star_takes_other_colour"),
    "a colour that the centre star has": (playing, place("c2", "b"), "star_holds_colour"),
    "a colour that a grey star of six different ones has": (grey, place("r3", "b"), "star_holds_colour"),
    "a colour that the hand lacks": (playing, place("o1", "o"), "colour_not_in_hand"),
    "wilds for the wild colour": (playing, place("p2", "p", 1), "wild_needs_no_wilds"),
    "only wilds": (playing, place("b2", "b", 2), "too_many_wilds"),
    "more wilds than the space costs": (playing, place("b2", "b", 5), "too_many_wilds"),
    "too few tiles of the colour": (playing, place("b5", "b"), "not_enough_tiles"),
    "too few tiles of the colour beside the wilds": (playing, place("g4", "g", 1), "not_enough_tiles"),
    "too few tiles of the wild colour": (playing, place("p3", "p"), "not_enough_tiles"),
    "too few wilds": (playing, place("g4", "g", 3), "not_enough_wilds"),
    "a bonus tile that the supply lacks": (owing, take_bonus("b"), "colour_not_in_supply"),
    "keeping a colour that the hand lacks": (playing, keep("o"), "kept_not_in_hand"),
    "keeping more tiles of a colour than the hand has": (playing, keep("gg"), "kept_not_in_hand"),
}

# the first of two reasons in the order of the contract
BOTH: dict[str, tuple[Callable[[], Position], Json, str]] = {
    "the end before an empty source": (finished_game, acquire(0, "b"), "game_over"),
    "the draw before an action of the wrong phase": (refilling, acquire(0, "b"), "drawing"),
    "the phase before an empty source": (playing, acquire(1, "b"), "not_acquiring"),
    "the phase before a taken space": (
        lambda: state(board(5, {"b": "b....."}), factories=("bbbb",)),
        place("b1", "b"),
        "not_playing",
    ),
    "the owed bonus before the kept tiles": (owing, keep("oo"), "take_bonus_first"),
    "no bonus before the supply's colours": (lambda: state(supply="r" * 10), take_bonus("b"), "no_bonus_owed"),
    "an empty source before the wild colour": (acquiring, acquire(1, "p"), "source_empty"),
    "a missing colour before the wild that is not alone": (
        lambda: state(factories=("bbyr",)),
        acquire(0, "p"),
        "colour_not_in_source",
    ),
    "a taken space before the star's colour": (playing, place("b1", "g"), "space_taken"),
    "a taken space before the hand": (playing, place("b1", "o"), "space_taken"),
    "the star's colour before the hand": (playing, place("b2", "o"), "star_takes_other_colour"),
    "a grey star's colour before the hand": (grey, place("o3", "y"), "star_takes_other_colour"),
    "the colour a star holds before the hand": (
        lambda: state(board(5, {"c": "o....."}, "b")),
        place("c2", "o"),
        "star_holds_colour",
    ),
    "the colour a star holds before the price": (playing, place("c6", "b", 1), "star_holds_colour"),
    "the hand before wilds for the wild colour": (
        lambda: state(board(hand="b")),
        place("p2", "p", 1),
        "colour_not_in_hand",
    ),
    "the hand before only wilds": (playing, place("o1", "o", 5), "colour_not_in_hand"),
    "wilds for the wild colour before too many of them": (playing, place("p1", "p", 3), "wild_needs_no_wilds"),
    "wilds for the wild colour before too few tiles": (playing, place("p6", "p", 1), "wild_needs_no_wilds"),
    "only wilds before too few wilds": (playing, place("g4", "g", 4), "too_many_wilds"),
    "too few tiles before too few wilds": (
        lambda: state(board(hand="gp")),
        place("g6", "g", 4),
        "not_enough_tiles",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_illegal_action_is_refused_with_its_reason(case: str) -> None:
    build, action, expected = REFUSED[case]
    assert_refused(build(), SUMMER_PAVILION.wire.encode(action), expected)


@pytest.mark.parametrize("case", BOTH)
def test_the_first_of_two_reasons_is_reported(case: str) -> None:
    build, action, expected = BOTH[case]
    assert expected == refusal(build(), action)


def test_every_reason_has_a_test_case() -> None:
    assert_every_reason_is_covered((reason for _, _, reason in REFUSED.values()), SUMMER_PAVILION)


@pytest.mark.parametrize(("seats", "missing"), [(2, 5), (2, 8), (3, 7)])
def test_a_factory_that_does_not_exist_with_this_number_of_seats_is_refused(seats: int, missing: int) -> None:
    position = state(seats=seats, factories=("bbyr", "ggoo"))
    assert refusal(position, acquire(missing, "b")) in {"source_empty", "unknown_action"}


@pytest.mark.parametrize(
    ("action", "pointer"),
    [
        ({**place("b1", "b"), "slot": 0}, "/slot"),
        ({**place("b1", "b"), "slot": 7}, "/slot"),
        ({**place("b1", "b"), "wilds": 6}, "/wilds"),
        ({**place("b1", "b"), "wilds": -1}, "/wilds"),
        ({**place("b1", "b"), "star": "white"}, "/star"),
        ({**place("b1", "b"), "colour": "white"}, "/colour"),
        ({**acquire(0, "b"), "source": "factory_9"}, "/source"),
        ({**acquire(0, "b"), "source": "supply"}, "/source"),
        ({"type": "summer-pavilion.acquire", "source": "centre"}, "/colour"),
        ({"type": "summer-pavilion.take_bonus", "colour": "centre"}, "/colour"),
        ({"type": "summer-pavilion.pass"}, "/keep"),
        ({"type": "summer-pavilion.pass", "keep": {"blue": 0}}, "/keep/blue"),
        ({"type": "summer-pavilion.pass", "keep": {"white": 1}}, "/keep/white"),
        ({"type": "summer-pavilion.pass", "keep": {"blue": 3, "red": 2}}, "/keep"),
        ({"type": "summer-pavilion.pass", "keep": {}, "why": "tired"}, "/why"),
    ],
)
def test_an_invalid_action_is_refused_with_a_pointer(action: Json, pointer: str) -> None:
    assert {pointer} == errors(SUMMER_PAVILION.wire.encode, action).keys()


def test_every_action_number_encodes_exactly_one_action() -> None:
    names = [SUMMER_PAVILION.wire.decode(number) for number in range(1788)]
    assert list(range(1788)) == [SUMMER_PAVILION.wire.encode(action) for action in names]
    assert (59, acquire("centre", "r")) == (SUMMER_PAVILION.wire.encode(acquire("centre", "r")), names[59])
    first = {"type": "summer-pavilion.place", "star": "orange", "slot": 1, "colour": COLOURS[0], "wilds": 0}
    assert [60, 1572] == [SUMMER_PAVILION.wire.encode(action) for action in (first, take_bonus("p"))]
    assert first == names[60]
