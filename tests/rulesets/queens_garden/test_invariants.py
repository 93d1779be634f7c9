"""What holds in every position that legal play can reach, whoever plays how.

Uniform play passes early and places little, so each game is played with a taste: a preference for some actions,
followed unless the dice say otherwise. That reaches completed elements, large groups, full storages, empty bags.
"""

from __future__ import annotations

import pytest
from hypothesis import event, given

from service.rulesets.queens_garden import QUEENS_GARDEN
from tests.rulesets import playing
from tests.rulesets.playing import Game, Taste, over_many_games, short_type
from tests.rulesets.queens_garden.build import board, gone, on, table, tiles_on, view
from tests.rulesets.queens_garden.invariants import faults, faults_of_record
from tests.rulesets.queens_garden.letters import HEXAGONS, Json, hexagons

FEW = 12  # of very many legal actions so many are looked at
SOME = 7  # what takes long is asked of every seventh position
KINDS = ("place_tile", "place_expansion", "buy_expansion", "acquire", "pass")


def discards(action: Json) -> int:
    return (
        len(action["discard"]["tiles"]) + len(action["discard"]["expansions"])
        if action["type"] == "queens-garden.pass"
        else 0
    )


def rank(*kinds: str) -> Taste:
    """These types first, in this order, the others after them."""
    order = [*kinds, *(kind for kind in KINDS if kind not in kinds)]
    return lambda action: order.index(short_type(action))


TASTES: dict[str, Taste] = {
    "none": lambda _action: 0,
    "never pass": lambda action: action["type"] == "queens-garden.pass",
    "place": rank("place_tile", "place_expansion", "acquire"),
    "expansions first": rank("place_expansion", "buy_expansion", "acquire", "place_tile"),
    "acquire all": lambda action: -len(action.get("pieces", [])),
    "acquire little": lambda action: len(action.get("pieces", range(9))),
    "discard all": lambda action: -discards(action),
    "pay with jokers": lambda action: -action.get("payment", {"jokers": -1})["jokers"],
    "pay without jokers": lambda action: action.get("payment", {"jokers": 9})["jokers"],
    "around the fountain": lambda action: sum(map(abs, action.get("space", [9, 9]))),
    "expansions of the display": lambda action: -str(action).count("'expansion'"),
}


games = playing.games(QUEENS_GARDEN, TASTES, [900, 60, 1], FEW)


@over_many_games
@given(games)
def test_the_invariants_hold_in_every_position_which_is_read_as_it_is_shown(game: Game) -> None:
    """There are three tiles of each hexagon, and four rounds that follow each other.

    A face that was seen is never unseen again, and a garden never loses a hexagon.
    """
    earlier, unseen, gardens = 1, hexagons(" ".join(HEXAGONS)), list[Json]()
    for number, position in enumerate(game):
        shown = view(position)
        assert ([], []) == (faults(shown), faults_of_record(position.table_state()))
        assert sorted([*HEXAGONS] * 3) == sorted(tiles_on(shown))
        assert earlier <= shown["round"] <= min(4, earlier + 1)
        assert [] == [face for face in shown["unseen"] if face not in unseen]
        earlier, unseen, before = shown["round"], shown["unseen"], gardens
        gardens = [seat["garden"] for seat in shown["seats"]]
        for old, new in zip(before, gardens, strict=False):
            assert [] == [place for place in old if place not in new]
        if number % SOME == 0:
            playing.is_read_as_it_is_shown(position, shown)


@over_many_games
@given(games)
def test_somebody_decides_and_can_or_chance_does_or_the_game_is_over(game: Game) -> None:
    last = playing.always_goes_on_until_it_is_over(game, SOME)
    event(last.status)


@over_many_games
@given(games)
def test_points_told_by_the_effects_add_up_to_the_scores(game: Game) -> None:
    playing.tells_all_points_by_its_effects(game)


FAULTY: dict[str, Json] = {
    "a tile too many": {**table(), "tower": {"blue": {"tree": 1}}},
    "an expansion too many": {**table(), "supply": 36},
    "a face twice": table(board(15, "^b1"), board(15, "^b1")),
    "an unseen face that is seen": {**table(board(15, "^b1")), "unseen": hexagons(" ".join(HEXAGONS))},
    "too few unseen faces": {**table(), "unseen": []},
    "a negative score": table(board(-1)),
    "thirteen jokers": table(board(15, "*" * 13)),
    "three expansions": table(board(15, "^b1 ^b2 ^b3")),
    "a tile without a board": table(board(15, "", {(3, 0): "b1"})),
    "a printed hexagon that is missing": table(board(15, "", {}, {0: 0})),
    "identical neighbours": table(board(15, "", {(1, 0): "b1", (0, 1): "b1"})),
    "a group with a hexagon twice": table(board(15, "", {(1, 0): "b1", (0, 1): "b2", (-1, 1): "b1"})),
    "a top of five tiles": table(top="b1 b2 b3 b4 b5"),
    "a stack without a top": table(stack=3),
    "a face to be drawn": table(top="b1", beside=("?",)),
    "a marker that nobody took": table(marker=0),
    "a mover that has passed": table(gone()),
    "a next seat in play": table(next_seat=1),
}


@pytest.mark.parametrize("case", FAULTY)
def test_the_invariants_find(case: str) -> None:
    assert faults(FAULTY[case])


def test_the_invariants_find_nothing_where_nothing_is_wrong() -> None:
    boards = (board(9, "b1 ^b2 **", {(1, 0): "b3", (4, 0): "k2"}, {0: 0, 1: "down"}), gone())
    positions_there = (
        on(),
        on(*boards, top="b1 b2", beside=("k1", "", "^l4")),
        on(phase="turn", next_seat=0, top="b1", beside=("?",)),
        on(phase="fill", next_seat=0, stack=4, beside=("?",)),
        QUEENS_GARDEN.start("reverse", 4, None),
    )
    for position in positions_there:
        assert ([], []) == (faults(view(position)), faults_of_record(position.table_state()))


@pytest.mark.parametrize(
    "name",
    ["bag", "tower", "supply", "unseen", "faces", "lies", "beside", "left_stack", "stack", "round_number", "passed"],
)
def test_the_invariants_of_the_record_find_a_changed(name: str) -> None:
    table_state = on(board(9, "b1 ^b2 **"), gone(), top="b1 b2", beside=("k1", "", "^l4")).table_state()
    table_state[name] = table_state[name] ^ 7
    assert faults_of_record(table_state)


@pytest.mark.parametrize("name", ["open_spaces", "colours", "patterns", "held", "expansions", "tiles", "tile_count"])
def test_the_invariants_of_the_record_find_in_a_board_a_changed(name: str) -> None:
    table_state = on(board(9, "b1 ^b2 **", {(1, 0): "b3"}), gone()).table_state()
    table_state.boards[0][name] = table_state.boards[0][name] ^ 7
    assert faults_of_record(table_state)
