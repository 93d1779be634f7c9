"""Reading a position: an impossible position is refused, with the field at fault.

Each case has one flaw in an otherwise possible position. Only the beginning of the pointer is fixed: an error of a
doubled colour may name its first or its second space.
"""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.azul import AZUL
from tests.rulesets.azul.build import CLOSE, Json, board, closing, read, table, view
from tests.rulesets.playing import assert_refused_at, errors, play, with_changes


def drafting(*boards: Json, **named: Any) -> Json:
    return table(*boards, **{"factories": ("", "bbyr", "kkww"), "centre": "yy", "to_decide": 1, **named})


def tiling(*boards: Json, **named: Any) -> Json:
    return table(*boards, **{"variant": "grey", "phase": "tile", **named})


BASE = drafting(board(5, lines={1: "b", 2: "rr"}, wall={0: "b...."}, floor="Tk"), board(3))
GREY = tiling(board(5, lines={0: "b", 1: "rr"}, floor="Tk"), board(3, lines={2: "yyy"}))

IMPOSSIBLE: dict[str, tuple[Json, str]] = {
    "a wrong column on the printed wall": (
        drafting(board(wall={1: "..b.."})),
        "/seats/0/wall/1/2",
    ),
    "a colour twice in a row of the printed wall": (drafting(board(wall={1: ".b.b."})), "/seats/0/wall/1/3"),
    "a colour twice in a row of the free wall": (
        drafting(board(wall={3: "b...b"}), variant="grey"),
        "/seats/0/wall/3",
    ),
    "a colour twice in a column of the free wall": (
        drafting(board(), board(wall={1: "..r..", 4: "..r.."}), variant="grey"),
        "/seats/1/wall/",
    ),
    "a pattern line over its capacity": (
        drafting(board(), board(lines={2: "rrrr"})),
        "/seats/1/pattern_lines/2",
    ),
    "a pattern line with tiles and no colour": (
        with_changes(BASE, seats__0__pattern_lines__1__colour=None),
        "/seats/0/pattern_lines/1",
    ),
    "a pattern line with a colour and no tiles": (
        with_changes(BASE, seats__1__pattern_lines__3__colour="red"),
        "/seats/1/pattern_lines/3",
    ),
    "a pattern line with a negative number of tiles": (
        with_changes(BASE, seats__0__pattern_lines__1__count=-1),
        "/seats/0/pattern_lines/1",
    ),
    "a wrong capacity": (
        with_changes(BASE, seats__0__pattern_lines__1__capacity=3),
        "/seats/0/pattern_lines/1/capacity",
    ),
    "a line whose colour its wall row holds": (
        drafting(board(lines={1: "b"}, wall={1: ".b..."})),
        "/seats/0/pattern_lines/1",
    ),
    "a line whose colour its row of the free wall holds": (
        drafting(board(lines={1: "b"}, wall={1: "....b"}), variant="grey"),
        "/seats/0/pattern_lines/1",
    ),
    "a missing pattern line": (
        with_changes(BASE, seats__0__pattern_lines=BASE["seats"][0]["pattern_lines"][:4]),
        "/seats/0/pattern_lines",
    ),
    "a wall of four rows": (with_changes(BASE, seats__1__wall=BASE["seats"][1]["wall"][:4]), "/seats/1/wall"),
    "a wall row of six spaces": (with_changes(BASE, seats__1__wall__2=[None] * 6), "/seats/1/wall"),
    "a floor of eight pieces": (drafting(board(floor="bbbbyyyy")), "/seats/0/floor_line"),
    "two tokens on one floor": (drafting(board(floor="TkT")), "/seats/0/floor_line"),
    "two tokens on two floors": (drafting(board(floor="T"), board(floor="T")), "/seats/1/floor_line"),
    "a token on a floor and in the centre": (
        with_changes(BASE, start_token="centre"),
        "/seats/0/floor_line",
    ),
    "a token on another floor than its holder's": (
        with_changes(BASE, start_token="seat_1"),
        "/seats/",
    ),
    "a holder without the token on a floor that had space": (drafting(token=0), "/seats/0/floor_line"),
    "a token with a seat that does not play": (with_changes(BASE, start_token="seat_2"), "/start_token"),
    "one tile too many": (with_changes(BASE, centre__yellow=3), ""),
    "one tile too few": (with_changes(BASE, centre__yellow=1), ""),
    "a hundred tiles, but not twenty of each": (
        with_changes(BASE, centre__yellow=1, factories__1__blue=3),
        "",
    ),
    "a factory of five": (drafting(factories=("", "bbyrr")), "/factories/1"),
    "a factory of three hundred": (with_changes(BASE, factories__1__blue=300), "/factories/1"),
    "a centre of three hundred": (with_changes(BASE, centre__yellow=300), ""),
    "a bag with a negative number of tiles": (with_changes(BASE, bag__red=-1), "/bag"),
    "a bag of a colour that does not exist": (with_changes(BASE, bag__green=1), "/bag"),
    "a factory too many": (
        with_changes(BASE, factories=[*BASE["factories"], {}]),
        "/factories",
    ),
    "a factory too few": (with_changes(BASE, factories=BASE["factories"][:4]), "/factories"),
    "the factories of two seats with three": (
        with_changes(BASE, seats=[*BASE["seats"], board()]),
        "/factories",
    ),
    "a single seat": (with_changes(BASE, seats=BASE["seats"][:1]), "/seats"),
    "five seats": (with_changes(BASE, seats=[*BASE["seats"], board(), board(), board()]), "/seats"),
    "a seat to decide that does not play": (with_changes(BASE, to_decide=2), "/to_decide"),
    "no seat to decide while tiles are drafted": (with_changes(BASE, to_decide=None), "/to_decide"),
    "a starter that does not play": (with_changes(BASE, start_seat=2), "/start_seat"),
    "a negative score": (with_changes(BASE, seats__0__score=-1), "/seats/0/score"),
    "a score that is too large": (with_changes(BASE, seats__0__score=10**9), "/seats/0/score"),
    "a score that is not an integer": (with_changes(BASE, seats__0__score=1.5), "/seats/0/score"),
    "a negative round": (with_changes(BASE, round=-1), "/round"),
    "a round 0 in which tiles are drafted": (with_changes(BASE, round=0), "/round"),
    "five rounds without a tile without ending the game": (
        with_changes(BASE, rounds_without_tile=5),
        "/rounds_without_tile",
    ),
    "walls that gained a tile while tiles are drafted": (
        with_changes(BASE, wall_gained_tile=True),
        "/wall_gained_tile",
    ),
    "an unknown phase": (with_changes(BASE, phase="night"), "/phase"),
    "an unknown variant": (with_changes(BASE, variant="blue"), "/variant"),
    "another ruleset": (with_changes(BASE, ruleset="chess"), "/ruleset"),
    "an unknown field": (with_changes(BASE, weather="fine"), "/weather"),
    "a missing field": (with_changes(BASE, box_lid=...), "/box_lid"),
    "drafting without tiles on the table": (drafting(factories=(), centre=""), "/phase"),
    "tiling with tiles on the table": (with_changes(BASE, phase="tile"), "/phase"),
    "a draw while tiles are on the table": (
        with_changes(BASE, phase="draw", to_decide=None),
        "/phase",
    ),
    "a choice on the printed wall": (with_changes(GREY, variant="coloured"), "/phase"),
    "tiling without a complete line": (tiling(board(lines={1: "r"})), "/to_decide"),
    "tiling a line that has no column": (
        tiling(board(lines={3: "rrrr"}, wall={1: "..r..", 3: "by.kw"})),
        "/to_decide",
    ),
    "tiling after a seat that has not tiled": (
        with_changes(GREY, to_decide=1, start_token="seat_0"),
        "/seats/0/pattern_lines",
    ),
    "tiling after a seat that has not paid for its floor": (
        tiling(board(floor="Tk"), board(lines={2: "yyy"}), to_decide=1),
        "/seats/0/floor_line",
    ),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_impossible_position_is_refused_with_a_pointer(case: str) -> None:
    position, pointer = IMPOSSIBLE[case]
    assert_refused_at(pointer, AZUL, position)


@pytest.mark.parametrize(
    "position",
    [BASE, GREY, tiling(board(), board(lines={2: "yyy"}), to_decide=1, token=0)],
    ids=["drafting", "tiling", "the second seat tiles"],
)
def test_the_positions_without_flaws_can_be_read(position: Json) -> None:
    assert position == view(read(position))


def test_flaws_of_several_seats_are_reported_together() -> None:
    actual = errors(AZUL.read, drafting(board(wall={1: "..b.."}), board(wall={0: "..b.."})))
    assert {"/seats/0/wall/1/2", "/seats/1/wall/0/2"} <= set(actual)


def test_a_wrong_number_of_tiles_is_reported_with_its_colour() -> None:
    (text,) = errors(AZUL.read, with_changes(BASE, centre__yellow=3)).values()
    assert "yellow" in text


def test_a_token_holder_with_a_full_floor_needs_no_token_on_it() -> None:
    position = drafting(board(floor="bbbbyyr"), token=0)
    assert "seat_0" == view(read(position))["start_token"]


def test_a_game_can_have_more_than_255_rounds() -> None:
    """Four walls can gain 80 tiles without a full row, and each may come after four idle rounds."""
    waiting = play(closing(seats=4, round_number=255), CLOSE)
    after = waiting.resolve_draw(tuple([0] * 16 + [1] * 16 + [2] * 4))
    assert 256 == view(after)["round"]
