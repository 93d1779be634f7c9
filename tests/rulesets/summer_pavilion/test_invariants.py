"""What holds in every position that legal play can reach, whoever plays how.

Uniform play passes early and fills few stars, so each game is played with a taste: a preference for some actions,
followed unless the dice say otherwise. That reaches surrounded features, short supplies, full stars and large hands.
"""

from __future__ import annotations

import pytest
from hypothesis import event, given

from service.rulesets.summer_pavilion import SUMMER_PAVILION
from tests.rulesets import playing
from tests.rulesets.playing import Game, Taste, over_many_games
from tests.rulesets.summer_pavilion.build import COLOURS, Json, board, colours_of, on, size, table, view, waiting
from tests.rulesets.summer_pavilion.invariants import faults, faults_of_record

TASTES: dict[str, Taste] = {
    "none": lambda _action: 0,
    "never pass": lambda action: action["type"] == "summer-pavilion.pass",
    "cheap spaces": lambda action: action.get("slot", 9),
    "dear spaces": lambda action: -action.get("slot", 0),
    "one star after the other": lambda action: hash_of(action.get("star", "~")),
    "keep nothing": lambda action: size(action["keep"]) if action["type"] == "summer-pavilion.pass" else 0,
    "keep all, pass at once": lambda action: (
        -size(action["keep"]) - 1 if action["type"] == "summer-pavilion.pass" else 0
    ),
    "the centre": lambda action: "centre" not in action.values(),
    "one colour": lambda action: COLOURS.index(action.get("colour", "red")),
    "many wilds": lambda action: -action.get("wilds", -1),
}


def hash_of(star: str) -> int:
    return sum(map(ord, star))


games = playing.games(SUMMER_PAVILION, TASTES, [700, 60, 1])


@over_many_games
@given(games)
def test_the_invariants_hold_in_every_position_which_is_read_as_it_is_shown(game: Game) -> None:
    """There are 22 tiles of each colour, and six rounds that follow each other."""
    earlier = 0
    for position in game:
        shown = view(position)
        assert ([], []) == (faults(shown), faults_of_record(position.table_state()))
        assert dict.fromkeys(COLOURS, 22) == colours_of(shown)
        assert shown["round"] in {earlier, earlier + 1}
        assert shown["round"] <= 6
        earlier = shown["round"]
        playing.is_read_as_it_is_shown(position, shown)


@over_many_games
@given(games)
def test_somebody_decides_and_can_or_chance_does_or_the_game_is_over(game: Game) -> None:
    last = playing.always_goes_on_until_it_is_over(game)
    event(last.status)


@over_many_games
@given(games)
def test_points_told_by_the_effects_add_up_to_the_scores(game: Game) -> None:
    playing.tells_all_points_by_its_effects(game)


FAULTY: dict[str, Json] = {
    "a tile too many": {**table(), "centre": {"blue": 1}},
    "a score of 0": table(board(0)),
    "a supply of eleven": table(supply="ppggooyybbb"),
    "a factory of five": table(factories=("bbbgg",)),
    "an unlawful star": table(board(5, {"b": "r....."})),
    "an unlawful grey star": table(board(5, {"b": "rrb..."}), variant="grey"),
    "a centre star with a colour twice": table(board(5, {"c": "r.r..."})),
    "five tiles in the corners": table(board(), board(corners="ggggg")),
    "a short supply": table(supply="pp"),
    "a bonus that nobody is asked for": table(bonus_owed=1),
}


@pytest.mark.parametrize("case", FAULTY)
def test_the_invariants_find(case: str) -> None:
    assert faults(FAULTY[case])


def test_the_invariants_find_nothing_where_nothing_is_wrong() -> None:
    for position in (on(), on(factories=("bbbb",)), waiting(), SUMMER_PAVILION.start("grey", 4, None)):
        assert ([], []) == (faults(view(position)), faults_of_record(position.table_state()))


@pytest.mark.parametrize("name", ["bag", "tower", "supply", "bonus_owed", "round_number", "passed"])
def test_the_invariants_of_the_record_find_a_changed(name: str) -> None:
    table_state = on().table_state()
    table_state[name] = table_state[name] + 7
    assert faults_of_record(table_state)
