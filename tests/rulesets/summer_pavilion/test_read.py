"""Reading a position: an impossible position is refused, with the field at fault.

Each case has one flaw in an otherwise possible position. Only the beginning of the pointer is fixed: if two places
contradict each other, an error may name either.
"""

from __future__ import annotations

import pytest

from service.rulesets.summer_pavilion import SUMMER_PAVILION
from tests.rulesets.playing import assert_refused_at, errors, play, with_changes
from tests.rulesets.summer_pavilion.build import (
    WINDOW,
    Json,
    board,
    keep,
    passer,
    place,
    read,
    state,
    table,
    view,
    waiting,
)

ACQUIRE = table(board(5, {"b": "b....."}, "rr"), board(3), factories=("", "bbyr"), centre="yy", to_decide=1, token=0)
PLAY = table(board(5, {"b": "b....."}, "rr"), passer(3, corners="gg"), board(8, hand="y"), seats=3, token=1)
OWING = table(board(5, WINDOW, "rr"), phase="take_bonus", bonus_owed=2)
REFILL = table(board(), passer(), board(), seats=3, phase="refill", to_decide=None, next_seat=2, supply="ppggooy")
DEAL = view(waiting(passer(7, corners="bb"), passer(), token=1, round_number=3))
OVER = view(play(state(board(30, {"b": "bbbbbb"}, "rr"), passer(9, corners="b"), round_number=6), keep("rr")))
START = view(SUMMER_PAVILION.start("grey", 3, None))
GREY = table(board(5, {"b": "rr....", "o": "ryb...", "c": "g....."}, "bb"), board(3), variant="grey")


IMPOSSIBLE: dict[str, tuple[Json, str | tuple[str, ...]]] = {
    # tiles
    "one tile too many": (with_changes(ACQUIRE, centre__yellow=3), ""),
    "one tile too few": (with_changes(ACQUIRE, centre__yellow=1), ""),
    "132 tiles, but not 22 of each colour": (with_changes(ACQUIRE, centre__yellow=1, centre__red=1), ""),
    "a tile too many in a hand": (with_changes(PLAY, seats__0__hand__red=3), ""),
    "a tile too many in a corner": (with_changes(PLAY, seats__1__corners__green=3), ""),
    "a tile too many on a star": (with_changes(PLAY, seats__0__stars__blue__1="blue"), ""),
    "a supply of eleven": (table(supply="ppggooyybrr"), "/supply"),
    "a factory of five": (table(factories=("", "bbyrr")), "/factories/1"),
    "a factory of three hundred": (with_changes(ACQUIRE, factories__1__blue=300), "/factories/1"),
    "a centre of three hundred": (with_changes(ACQUIRE, centre__yellow=300), ""),
    "a hand of three hundred": (with_changes(PLAY, seats__0__hand__red=300), ""),
    "a bag with a negative number of tiles": (with_changes(ACQUIRE, bag__red=-1), "/bag"),
    "a bag of a colour that does not exist": (with_changes(ACQUIRE, bag__white=1), "/bag"),
    "a zero that should be left out": (with_changes(ACQUIRE, centre__red=0), "/centre"),
    "five tiles in the corners": (table(board(), passer(corners="ggggg")), "/seats/1/corners"),
    "corners of a seat that has not passed": (table({**board(), "corners": {"green": 1}}), "/seats/0"),
    "a hand of a seat that has passed": (table(board(), {**board(hand="g"), "passed": True}), "/seats/1"),
    "a factory of three while tiles are left": (table(factories=("", "bbb")), "/factories/1"),
    "tiles in the centre and in every factory": (table(factories=("bbbb",) * 5, centre="y"), "/factories"),
    "a short supply in phase 1": (table(factories=("", "bbbb"), supply="ppg"), "/supply"),
    "a short supply in phase 2 while tiles are left": (table(supply="ppg"), "/supply"),
    "tiles in the corners after the end": (
        with_changes(OVER, seats__0__corners={"blue": 1}, tower={"red": 2}),
        "/seats/0/corners",
    ),
    "a tile outside the bag before the first deal": (
        with_changes(START, bag__red=21, supply={"red": 1}),
        ("/bag", "/supply"),
    ),
    # boards
    "a colour that the outer star does not take": (table(board(5, {"b": "r....."})), "/seats/0/stars/blue"),
    "a colour twice on the coloured centre star": (table(board(5, {"c": "r...r."})), "/seats/0/stars/centre"),
    "a grey star neither of one colour nor of different ones": (
        table(board(), board(5, {"b": "rrb..."}), variant="grey"),
        "/seats/1/stars/blue",
    ),
    "a grey star of different colours with one twice": (
        table(board(5, {"c": "pgob.b"}), variant="grey"),
        "/seats/0/stars/centre",
    ),
    "a star of five spaces": (with_changes(PLAY, seats__0__stars__red=[None] * 5), "/seats/0/stars/red"),
    "a star of seven spaces": (with_changes(PLAY, seats__0__stars__red=[None] * 7), "/seats/0/stars/red"),
    "a star that is missing": (with_changes(PLAY, seats__0__stars__red=...), "/seats/0/stars/red"),
    "an unknown star": (with_changes(PLAY, seats__0__stars__white=[None] * 6), "/seats/0/stars/white"),
    "a tile of a colour that does not exist": (
        with_changes(PLAY, seats__0__stars__red__2="white"),
        "/seats/0/stars/red",
    ),
    # scores
    "a score of 0": (with_changes(PLAY, seats__0__score=0), "/seats/0/score"),
    "a negative score": (with_changes(PLAY, seats__0__score=-1), "/seats/0/score"),
    "a score that is too large": (with_changes(PLAY, seats__0__score=10**9), "/seats/0/score"),
    "a score that is not an integer": (with_changes(PLAY, seats__0__score=1.5), "/seats/0/score"),
    "a penalty for leftovers before the end": (
        with_changes(PLAY, seats__0__leftover_penalty=1),
        "/seats/0/leftover_penalty",
    ),
    "a penalty for five leftovers": (with_changes(OVER, seats__0__leftover_penalty=5), "/seats/0/leftover_penalty"),
    "points before the first deal": (with_changes(START, seats__0__score=6), "/seats/0/score"),
    "a score at the end that lacks the bonuses": (with_changes(OVER, seats__0__score=13), "/seats/0/score"),
    # shape
    "a factory too many": (with_changes(ACQUIRE, factories=[*ACQUIRE["factories"], {}]), "/factories"),
    "a factory too few": (with_changes(ACQUIRE, factories=ACQUIRE["factories"][:4]), "/factories"),
    "the factories of two seats with three": (with_changes(ACQUIRE, seats=[*ACQUIRE["seats"], board()]), "/factories"),
    "a single seat": (with_changes(ACQUIRE, seats=ACQUIRE["seats"][:1]), "/seats"),
    "five seats": (with_changes(PLAY, seats=[*PLAY["seats"], board(), board()]), "/seats"),
    "an unknown phase": (with_changes(PLAY, phase="night"), "/phase"),
    "an unknown variant": (with_changes(PLAY, variant="blue"), "/variant"),
    "another ruleset": (with_changes(PLAY, ruleset="azul"), "/ruleset"),
    "an unknown field": (with_changes(PLAY, weather="fine"), "/weather"),
    "a missing field": (with_changes(PLAY, tower=...), "/tower"),
    # round and wild colour
    "a round 7": (with_changes(PLAY, round=7), "/round"),
    "a negative round": (with_changes(PLAY, round=-1), "/round"),
    "a round 0 that is played": (with_changes(PLAY, round=0, wild=None), ("/round", "/phase")),
    "a wild colour of another round": (with_changes(PLAY, wild="green"), ("/wild", "/round")),
    "no wild colour": (with_changes(PLAY, wild=None), ("/wild", "/round")),
    "a wild colour before the first deal": (with_changes(START, wild="purple"), ("/wild", "/round")),
    "a deal after round 6": (with_changes(DEAL, round=6, wild="red"), ("/round", "/phase")),
    "an end before round 6": (with_changes(OVER, round=5, wild="blue"), ("/round", "/phase")),
    # the seat to decide
    "a seat to decide that does not play": (with_changes(ACQUIRE, to_decide=2), "/to_decide"),
    "no seat to decide in phase 1": (with_changes(ACQUIRE, to_decide=None), "/to_decide"),
    "no seat to decide in phase 2": (with_changes(PLAY, to_decide=None), "/to_decide"),
    "no seat to decide about bonus tiles": (with_changes(OWING, to_decide=None), "/to_decide"),
    "a seat to decide while the supply is refilled": (with_changes(REFILL, to_decide=0), "/to_decide"),
    "a seat to decide between the rounds": (with_changes(DEAL, to_decide=0), "/to_decide"),
    "a seat to decide after the end": (with_changes(OVER, to_decide=0), "/to_decide"),
    "a seat to decide that has passed": (with_changes(PLAY, to_decide=1), ("/to_decide", "/seats/1")),
    "a seat that has passed and is owed bonus tiles": (
        with_changes(OWING, seats__0__passed=True, seats__0__hand={}, tower={"red": 2}),
        ("/to_decide", "/seats/0"),
    ),
    "a seat after the refill that does not play": (with_changes(REFILL, next_seat=3), "/next_seat"),
    "a seat after the refill that has passed": (with_changes(REFILL, next_seat=1), ("/next_seat", "/seats/1")),
    "no seat after the refill": (with_changes(REFILL, next_seat=None), "/next_seat"),
    "a seat after the refill in phase 2": (with_changes(PLAY, next_seat=2), "/next_seat"),
    "a next seat between the rounds": (with_changes(DEAL, next_seat=1), "/next_seat"),
    # bonus tiles
    "no bonus tile owed in the bonus phase": (with_changes(OWING, bonus_owed=0), "/bonus_owed"),
    "four bonus tiles owed": (with_changes(OWING, bonus_owed=4), "/bonus_owed"),
    "bonus tiles owed in phase 2": (with_changes(PLAY, bonus_owed=1), "/bonus_owed"),
    "bonus tiles owed in phase 1": (with_changes(ACQUIRE, bonus_owed=1), "/bonus_owed"),
    "more bonus tiles owed than the supply holds": (
        table(board(5, WINDOW), phase="take_bonus", bonus_owed=3, supply="yy", bag="", tower="", rest=1),
        ("/bonus_owed", "/supply"),
    ),
    "more bonus tiles owed than the board has earned": (table(phase="take_bonus", bonus_owed=1), "/bonus_owed"),
    # token and starter
    "a token with a seat before the first deal": (with_changes(START, start_token="seat_0"), "/start_token"),
    "a token with a seat that does not play": (with_changes(ACQUIRE, start_token="seat_2"), "/start_token"),
    "a token that is nowhere": (with_changes(ACQUIRE, start_token=None), "/start_token"),
    "a starter that does not play": (with_changes(ACQUIRE, start_seat=2), "/start_seat"),
    "no starter in a round that is played": (with_changes(ACQUIRE, start_seat=None), "/start_seat"),
    "no starter after the end": (with_changes(OVER, start_seat=None), "/start_seat"),
    # phases
    "phase 1 without a tile to acquire": (table(phase="acquire"), "/phase"),
    "phase 2 with tiles in the centre": (table(phase="play", centre="bb"), "/phase"),
    "bonus tiles with tiles in a factory": (
        table(board(5, WINDOW), phase="take_bonus", bonus_owed=1, factories=("gggg",)),
        "/phase",
    ),
    "a deal while tiles are on the table": (with_changes(ACQUIRE, phase="deal", to_decide=None), ("/phase", "/seats")),
    "a deal before all have passed": (with_changes(DEAL, seats__0__passed=False), ("/phase", "/seats/0")),
    "an end before all have passed": (with_changes(OVER, seats__1__passed=False), ("/phase", "/seats/1")),
    "a seat that has passed in phase 1": (with_changes(ACQUIRE, seats__1__passed=True), ("/phase", "/seats/1")),
    "a refill of a full supply": (table(phase="refill", to_decide=None, next_seat=1), ("/phase", "/supply")),
    "a refill with an empty bag and an empty tower": (
        table(phase="refill", to_decide=None, next_seat=1, supply="ppg", bag="", tower="", rest=0),
        ("/phase", "/supply", "/bag"),
    ),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_impossible_position_is_refused_with_a_pointer(case: str) -> None:
    position, pointers = IMPOSSIBLE[case]
    assert_refused_at(pointers, SUMMER_PAVILION, position)


POSSIBLE = {
    "phase 1": ACQUIRE,
    "phase 2": PLAY,
    "bonus tiles": OWING,
    "a refill": REFILL,
    "a deal": DEAL,
    "the end": OVER,
    "the start": START,
    "a start with a first seat": view(SUMMER_PAVILION.start("coloured", 4, 3)),
    "the grey side": GREY,
    "a full board": table(board(99, {"o": "oooooo", "c": "pgoybr"}), round_number=6),
    "a score of 300": table(board(300)),
    "a short supply with an empty bag and an empty tower": table(supply="ppg", bag="", tower="", rest=1),
}


@pytest.mark.parametrize("case", POSSIBLE)
def test_a_possible_position_round_trips_through_json(case: str) -> None:
    assert POSSIBLE[case] == view(read(POSSIBLE[case]))


def test_a_wrong_number_of_tiles_is_reported_with_its_colour() -> None:
    (text,) = errors(SUMMER_PAVILION.read, with_changes(ACQUIRE, centre__yellow=3)).values()
    assert "yellow" in text


def test_a_grey_star_read_from_json_equals_a_star_of_placed_tiles() -> None:
    placed = play(state(board(5, {"b": "r....."}, "rr"), variant="grey"), place("b2", "r"))
    assert placed == read(view(placed))
    assert read(view(placed)).to_bytes() == placed.to_bytes()
