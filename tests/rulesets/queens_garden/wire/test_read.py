"""Reading a position: an impossible position is refused, with the field at fault.

Each case has one flaw in an otherwise possible position. Only the beginning of the pointer is fixed: if two places
contradict each other, an error may name either.
"""

from __future__ import annotations

import copy

import pytest

from service.rulesets.queens_garden import QUEENS_GARDEN
from tests.rulesets.playing import assert_refused_at, errors, play, with_changes
from tests.rulesets.queens_garden.build import board, passer, read, state, table, view
from tests.rulesets.queens_garden.geometry import Space
from tests.rulesets.queens_garden.letters import Json, counts, hexagon, hexagons
from tests.rulesets.queens_garden.playing import leave

GARDEN: dict[Space, str] = {(1, 0): "b2", (4, 0): "y5", (0, 3): "k1"}
MINE = board(15, "b1 ^y3 **", GARDEN, {0: 0, 1: "down"})
PLAY = table(MINE, passer(9, "d1"), board(8), seats=3, top="b1 d2 y3 k4", beside=("p1 p2", "^l3", "k1"))
FILL = table(board(), passer(), board(), seats=3, phase="fill", next_seat=2, stack=5, beside=("p1 p2", "^l3"))
TURN = table(phase="turn", next_seat=1, top="b1", beside=("?", "k1"))
OVER = view(play(state(board(30, "b2 *"), passer(9), round_number=4, top="b1 b2", beside=("k1",)), leave()))
START = view(QUEENS_GARDEN.start("reverse", 3, None))
SEATED = view(QUEENS_GARDEN.start("standard", 4, 3))
NEW_ROUND = view(play(state(board(), passer(), top="b1", beside=("", "^k5")), leave()))
EMPTY = table(board(), seats=4, round_number=3, planted=True, bag="", stack=0)


def tile_at(space: list[int], name: str, *, printed: bool = False) -> Json:
    """Return a place of a garden."""
    return {"space": space, "hexagon": hexagon(name), "printed": printed}


def garden_position(garden: dict[Space, str], areas: dict[int, int | str] | None = None) -> Json:
    """Return a position with this garden."""
    return table(board(15, "", garden, areas))


def with_place(place: Json, number: int) -> Json:
    """Return PLAY with another place in the garden, whose tile comes from the bag."""
    position = copy.deepcopy(PLAY)
    position["seats"][0]["garden"].insert(number, place)
    if not place["printed"]:
        colour, pattern = place["hexagon"]["colour"], place["hexagon"]["pattern"]
        position["bag"][colour][pattern] -= 1
    return position


IMPOSSIBLE: dict[str, tuple[Json, str | tuple[str, ...]]] = {
    # tiles
    "one tile too many": (with_changes(PLAY, bag__dark_green__tree=3), ""),
    "one tile too few": (with_changes(PLAY, bag__dark_green__tree=1), ""),
    "108 tiles, but four of a hexagon": (with_changes(PLAY, bag__dark_green__tree=3, bag__dark_green__plant=2), ""),
    "a tile too many in a storage": (with_changes(PLAY, seats__1__tiles__dark_green__tree=2), ""),
    "a tile too many on the top": (with_changes(PLAY, display__top=hexagons("b1 d2 d2 y3")), ""),
    "a tile too many in a garden": (with_changes(PLAY, seats__0__garden__0__hexagon=hexagon("b3")), ""),
    "a negative number of tiles in the bag": (with_changes(PLAY, bag__blue__flower=-1), "/bag"),
    "300 tiles of one hexagon in the bag": (with_changes(PLAY, bag__blue__flower=300), ""),
    "a bag of a colour that does not exist": (with_changes(PLAY, bag__white={"tree": 1}), "/bag"),
    "a bag of a pattern that does not exist": (with_changes(PLAY, bag__blue__stone=1), "/bag"),
    "a zero that should be left out": (with_changes(PLAY, tower={"blue": {"tree": 0}}), "/tower"),
    # storages
    "thirteen tiles": (table(board(15, "b1 b1 b1 b2 b2 b2 b3 b3 b3 b4 b4 b4 b5")), "/seats/0"),
    "thirteen jokers": (table(board(15, "*" * 13)), "/seats/0"),
    "thirteen tiles and jokers": (table(board(15, "b1 b1 b1 b2 b2 b2 *******")), "/seats/0"),
    "three expansions": (table(board(), board(15, "^b1 ^b2 ^b3")), "/seats/1/expansions"),
    "a negative number of jokers": (with_changes(PLAY, seats__0__jokers=-1), "/seats/0/jokers"),
    "storage points before the end": (
        with_changes(PLAY, seats__0__storage_points=1),
        "/seats/0/storage_points",
    ),
    "more storage points than the storage is worth": (
        with_changes(OVER, seats__0__storage_points=5),
        "/seats/0/storage_points",
    ),
    "fewer storage points than the storage is worth": (
        with_changes(OVER, seats__0__storage_points=-5),
        "/seats/0/storage_points",
    ),
    # expansions
    "an expansion too many": (with_changes(PLAY, supply=PLAY["supply"] + 1), ("/supply", "")),
    "an expansion too few": (with_changes(PLAY, supply=PLAY["supply"] - 1), ("/supply", "")),
    "a negative supply": (with_changes(PLAY, supply=-1), "/supply"),
    "one stack too many for later rounds": (
        with_changes(PLAY, round_stacks=28, supply=PLAY["supply"] - 7),
        ("/round_stacks", "/supply"),
    ),
    "an expansion of the stacks in the supply": (
        with_changes(PLAY, round_stacks=20, supply=PLAY["supply"] + 1),
        "/round_stacks",
    ),
    "a face twice, in a storage and in the display": (with_changes(PLAY, seats__0__expansions=hexagons("l3")), ""),
    "a face twice in a storage": (
        with_changes(PLAY, seats__0__expansions=hexagons("y3 y3"), supply=PLAY["supply"] - 1),
        "/seats/0/expansions",
    ),
    "a face twice, in a garden and in a storage": (with_changes(PLAY, seats__0__expansions=hexagons("y5")), ""),
    "an unseen face that lies in the display": (
        with_changes(PLAY, unseen=sorted([*PLAY["unseen"], hexagon("l3")], key=str)),
        "/unseen",
    ),
    "an unseen face that lies in a garden": (with_changes(PLAY, unseen=[*PLAY["unseen"], hexagon("y5")]), "/unseen"),
    "an unseen face twice": (with_changes(PLAY, unseen=[*PLAY["unseen"], PLAY["unseen"][-1]]), "/unseen"),
    "fewer unseen faces than expansions that never turned": (with_changes(PLAY, unseen=PLAY["unseen"][:26]), "/unseen"),
    # gardens
    "a tile on an area without an expansion": (with_place(tile_at([0, -2], "d6"), 3), "/seats/0/garden"),
    "a tile on a pavilion": (with_place(tile_at([3, 0], "d6"), 2), "/seats/0/garden"),
    "a tile on the fountain": (with_place(tile_at([0, 0], "d6"), 0), "/seats/0/garden"),
    "a tile on a bench": (with_place(tile_at([1, 1], "d6"), 0), "/seats/0/garden"),
    "a tile beside the garden": (with_place(tile_at([9, 9], "d6"), 0), "/seats/0/garden"),
    "two tiles on one space": (with_place(tile_at([1, 0], "d6"), 1), "/seats/0/garden"),
    "a printed hexagon on the fountain board": (
        with_place(tile_at([-1, 0], "d6", printed=True), 1),
        "/seats/0/garden",
    ),
    "a second printed hexagon on one expansion": (
        with_place(tile_at([2, 0], "d6", printed=True), 1),
        "/seats/0/garden",
    ),
    "a printed hexagon on a bought expansion": (
        with_changes(PLAY, seats__0__areas__0={"face": "down"}),
        ("/seats/0/garden", "/seats/0/areas"),
    ),
    "a face-up expansion without its printed hexagon": (
        with_changes(PLAY, seats__0__garden=[PLAY["seats"][0]["garden"][0], PLAY["seats"][0]["garden"][2]]),
        ("/seats/0/garden", "/seats/0/areas", "/unseen"),
    ),
    "a face-up expansion with the wrong rotation": (
        with_changes(PLAY, seats__0__areas__0__rotation=1),
        ("/seats/0/garden", "/seats/0/areas"),
    ),
    "a rotation 6": (with_changes(PLAY, seats__0__areas__0__rotation=6), "/seats/0/areas/0"),
    "five areas": (with_changes(PLAY, seats__0__areas=[None] * 5), "/seats/0/areas"),
    "a face that is neither up nor down": (with_changes(PLAY, seats__0__areas__0={"face": "left"}), "/seats/0/areas/0"),
    "identical neighbours": (garden_position({(1, 0): "b2", (0, 1): "b2"}), "/seats/0/garden"),
    "a hexagon twice in a group of a colour": (
        garden_position({(1, 0): "b2", (0, 1): "b1", (-1, 1): "b2"}),
        "/seats/0/garden",
    ),
    "a hexagon twice in a group of a pattern": (
        garden_position({(1, 0): "b2", (0, 1): "y2", (-1, 1): "b2"}),
        "/seats/0/garden",
    ),
    "a printed hexagon twice in a group": (
        garden_position({(2, 0): "b2", (1, 0): "b1", (0, 1): "b2"}, {0: 3}),
        "/seats/0/garden",
    ),
    # display
    "a top of five tiles": (table(top="b1 b2 b3 b4 b5"), "/display/top"),
    "no tile on the top": (table(stack=3), ("/display", "/phase")),
    "tiles on the top of an empty stack": (
        with_changes(PLAY, display__stack=0, display__left=7, supply=PLAY["supply"] + 4),
        "/display",
    ),
    "tiles on the top before the fill": (table(phase="fill", next_seat=0, stack=5, top="b1"), ("/display", "/phase")),
    "more expansions in the stack than possible": (
        with_changes(PLAY, display__stack=5, supply=PLAY["supply"] - 1),
        "/display",
    ),
    "too few expansions removed from the stack": (
        with_changes(PLAY, display__left=2, display__stack=5, supply=PLAY["supply"] - 1),
        "/display",
    ),
    "an expansion beside with tiles and a face": (
        with_changes(PLAY, display__beside__0__face=hexagon("k6")),
        ("/display/beside/0", "/unseen"),
    ),
    "an expansion beside with neither tiles nor a face": (table(top="b1", beside=("?",)), ("/display", "/phase")),
    "an expansion beside with four tiles": (table(top="b1", beside=("k1 k2 k3 k4",)), "/display/beside/0"),
    "an expansion beside with five tiles": (table(top="b1", beside=("k1 k2 k3 k4 k5",)), "/display/beside/0"),
    "a number that has not left the stack": (with_changes(PLAY, display__beside__2__number=3), "/display/beside"),
    "a number twice": (with_changes(PLAY, display__beside__2__number=1), "/display/beside"),
    "a display number that is too large": (with_changes(PLAY, display__beside__2__number=8), "/display/beside"),
    # scores
    "a negative score": (with_changes(PLAY, seats__0__score=-1), "/seats/0/score"),
    "a score that is too large": (with_changes(PLAY, seats__0__score=10**9), "/seats/0/score"),
    "a score that is not an integer": (with_changes(PLAY, seats__0__score=1.5), "/seats/0/score"),
    # shape
    "a single seat": (with_changes(PLAY, seats=PLAY["seats"][:1]), ("/seats", "")),
    "five seats": (with_changes(PLAY, seats=[*PLAY["seats"], board(), board()]), ("/seats", "")),
    "an unknown phase": (with_changes(PLAY, phase="night"), "/phase"),
    "an unknown variant": (with_changes(PLAY, variant="blue"), "/variant"),
    "another ruleset": (with_changes(PLAY, ruleset="azul"), "/ruleset"),
    "an unknown field": (with_changes(PLAY, weather="fine"), "/weather"),
    "a missing field": (with_changes(PLAY, tower=...), "/tower"),
    "a missing field of a seat": (with_changes(PLAY, seats__1__jokers=...), "/seats/1/jokers"),
    # rounds
    "a round 0": (with_changes(PLAY, round=0), "/round"),
    "a round 5": (with_changes(PLAY, round=5), "/round"),
    "a round with the stacks of another": (with_changes(PLAY, round=2), ("/round", "/round_stacks")),
    "an end before round 4": (
        with_changes(OVER, round=3, round_stacks=5, supply=OVER["supply"] - 5),
        ("/round", "/phase"),
    ),
    # the seat to decide
    "a seat to decide that does not play": (with_changes(PLAY, to_decide=3), "/to_decide"),
    "no seat to decide": (with_changes(PLAY, to_decide=None), "/to_decide"),
    "a seat to decide that has passed": (with_changes(PLAY, to_decide=1), ("/to_decide", "/seats/1")),
    "a seat to decide before the fill": (with_changes(FILL, to_decide=0), "/to_decide"),
    "a seat to decide before the faces": (with_changes(TURN, to_decide=0), "/to_decide"),
    "a seat to decide after the end": (with_changes(OVER, to_decide=0), "/to_decide"),
    "a next seat in play": (with_changes(PLAY, next_seat=2), "/next_seat"),
    "a next seat after the end": (with_changes(OVER, next_seat=0), "/next_seat"),
    "no next seat after the fill": (with_changes(FILL, next_seat=None), "/next_seat"),
    "no next seat after the faces": (with_changes(TURN, next_seat=None), "/next_seat"),
    "a seat after the fill that has passed": (with_changes(FILL, next_seat=1), ("/next_seat", "/seats/1")),
    "a seat after the faces that does not play": (with_changes(TURN, next_seat=2), "/next_seat"),
    "a next seat before the first seat is drawn": (with_changes(START, next_seat=0), ("/next_seat", "/start_seat")),
    # marker and starter
    "no starter in a round that is played": (with_changes(PLAY, start_seat=None), "/start_seat"),
    "no starter after the end": (with_changes(OVER, start_seat=None), "/start_seat"),
    "no starter of a later round": (
        with_changes(NEW_ROUND, start_seat=None, next_seat=None),
        ("/start_seat", "/round", "/phase"),
    ),
    "a starter that does not play": (with_changes(PLAY, start_seat=3), "/start_seat"),
    "a marker with a seat that does not play": (with_changes(PLAY, marker="seat_3"), "/marker"),
    "a marker with a seat that has not passed": (with_changes(PLAY, marker="seat_0"), "/marker"),
    "a marker in the display after a pass": (with_changes(PLAY, marker="display"), "/marker"),
    "a marker with a seat before the first pass": (with_changes(TURN, marker="seat_0"), "/marker"),
    "a marker that is null": (with_changes(PLAY, marker=None), "/marker"),
    # phases
    "all have passed and the round goes on": (
        with_changes(PLAY, seats__0__passed=True, seats__2__passed=True),
        ("/to_decide", "/phase", "/seats"),
    ),
    "an end before all have passed": (with_changes(OVER, seats__0__passed=False), ("/phase", "/seats/0", "/marker")),
    "a fill without a stack": (
        with_changes(FILL, display__stack=0, display__left=7, supply=FILL["supply"] + 5),
        ("/phase", "/display"),
    ),
    "a fill without tiles in bag and tower": (
        with_changes(
            EMPTY,
            phase="fill",
            to_decide=None,
            next_seat=0,
            display__stack=8,
            display__left=0,
            supply=EMPTY["supply"] - 8,
        ),
        ("/phase", "/bag", "/display"),
    ),
    "a turn where nothing turns": (table(phase="turn", next_seat=1, top="b1", beside=("k1",)), ("/phase", "/display")),
    "a turn before the fill": (with_changes(TURN, display__top=[], bag__blue__tree=3), ("/phase", "/display")),
    "a first seat drawn in mid-game": (
        with_changes(FILL, start_seat=None, next_seat=None),
        ("/start_seat", "/next_seat", "/phase"),
    ),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_impossible_position_is_refused_with_a_pointer(case: str) -> None:
    position, pointers = IMPOSSIBLE[case]
    assert_refused_at(pointers, QUEENS_GARDEN, position)


POSSIBLE = {
    "play": PLAY,
    "a fill": FILL,
    "faces": TURN,
    "the end": OVER,
    "the start": START,
    "a start with a first seat": SEATED,
    "the set-up of a later round": NEW_ROUND,
    "an empty bag and an empty tower": EMPTY,
    "an old top without tiles while the next is filled": table(phase="fill", next_seat=1, stack=4, beside=("?",)),
    "a top of one tile": table(top="b1"),
    "an empty display": table(board(storage="b1")),
    "a full storage": table(board(15, "b1 b1 b1 b2 b2 b2 ****** ^k1 ^k2")),
    "the reverse side": table(MINE, board(3), variant="reverse", round_number=4),
    "a score of 400": table(board(400)),
    "a score of 0": table(board(0)),
    "identical hexagons apart": garden_position({(1, 0): "b2", (-1, 1): "b2", (0, -1): "b2"}),
    "a tile at the centre of a bought expansion": garden_position({(3, 0): "b2"}, {0: "down"}),
    "faces that were seen and came back": with_changes(PLAY, unseen=PLAY["unseen"][:30]),
}


@pytest.mark.parametrize("case", POSSIBLE)
def test_possible_position_is_read_and_shown_unchanged(case: str) -> None:
    assert POSSIBLE[case] == view(read(POSSIBLE[case]))


def test_wrong_number_of_tiles_is_reported_with_the_hexagon() -> None:
    actual = " ".join(errors(QUEENS_GARDEN.read, with_changes(PLAY, bag__dark_green__tree=3)).values())
    assert ("dark_green" in actual or "dark green" in actual, "tree" in actual) == (True, True)


def test_tile_counts_without_patterns_are_refused() -> None:
    assert "/bag/blue" in " ".join(errors(QUEENS_GARDEN.read, with_changes(PLAY, bag__blue=3)))


def test_tile_counts_omit_zeros_and_empty_colours() -> None:
    assert {"blue": {"tree": 2}, "yellow": {"plant": 1}} == counts("b1 b1 y5")
