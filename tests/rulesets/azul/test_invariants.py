"""What holds in every position that legal play can reach, whoever plays how.

Random players rarely fill rows, floors or lines on purpose, so each game is played with a taste:
a preference for some destinations, followed unless the dice say otherwise. That reaches full rows, locked
walls, full floors, idle rounds and empty bags, which uniform play hardly ever does.
"""

from __future__ import annotations

from hypothesis import event, given

from service.rulesets.azul import AZUL
from tests.rulesets import playing
from tests.rulesets.azul.build import COLOURS, Json, colours_of
from tests.rulesets.playing import Game, Taste, over_many_games


def destination(action: Json) -> int:
    line = action["line"]
    return 5 if line == "floor" else int(line)


TASTES: dict[str, Taste] = {
    "none": lambda _action: 0,
    "short lines": destination,
    "long lines": lambda action: -destination(action) if destination(action) < 5 else 1,
    "the floor": lambda action: -destination(action),
    "the centre": lambda action: action.get("source") != "centre",
    "one colour": lambda action: COLOURS.index(action.get("colour", "blue")),
    "the left column": lambda action: action.get("column", 0),
}


games = playing.games(AZUL, TASTES, [400, 30, 1])


def scores_floors_and_lines_stay_within_their_bounds(shown: Json) -> None:
    for seat in shown["seats"]:
        assert seat["score"] >= 0
        assert len(seat["floor_line"]) <= 7
        for number, line in enumerate(seat["pattern_lines"]):
            assert number + 1 == line["capacity"] >= line["count"] >= 0
            assert (line["colour"] is None) == (line["count"] == 0)
            assert line["colour"] is None or line["colour"] not in seat["wall"][number]
    assert all(sum(factory.values()) <= 4 for factory in shown["factories"])
    assert shown["rounds_without_tile"] <= 5


def no_wall_holds_a_colour_twice_in_a_row_or_in_a_column(shown: Json) -> None:
    for seat in shown["seats"]:
        for run in (*seat["wall"], *zip(*seat["wall"], strict=True)):
            tiles = [tile for tile in run if tile is not None]
            assert len(set(tiles)) == len(tiles)


def there_is_one_token_and_it_lies_on_no_floor_but_its_holders(shown: Json) -> None:
    floors = [number for number, seat in enumerate(shown["seats"]) if "start_token" in seat["floor_line"]]
    assert floors in ([], [int(shown["start_token"].removeprefix("seat_"))] if floors else [])
    assert sum(seat["floor_line"].count("start_token") for seat in shown["seats"]) <= 1


def a_full_row_is_seen_only_in_wall_tiling_or_at_the_end(shown: Json) -> None:
    full = any(None not in row for seat in shown["seats"] for row in seat["wall"])
    assert not full or shown["phase"] in {"tile", "over"}


@over_many_games
@given(games)
def test_the_invariants_hold_in_every_position_which_is_read_as_it_is_shown(game: Game) -> None:
    for position in game:
        shown = AZUL.view(position)
        assert dict.fromkeys(COLOURS, 20) == colours_of(shown)
        scores_floors_and_lines_stay_within_their_bounds(shown)
        no_wall_holds_a_colour_twice_in_a_row_or_in_a_column(shown)
        there_is_one_token_and_it_lies_on_no_floor_but_its_holders(shown)
        a_full_row_is_seen_only_in_wall_tiling_or_at_the_end(shown)
        playing.is_read_as_it_is_shown(position, shown)


@over_many_games
@given(games)
def test_somebody_decides_and_can_or_chance_does_or_the_game_is_over(game: Game) -> None:
    last = playing.always_goes_on_until_it_is_over(game)
    if last.status == "over":
        event(f"ended: {AZUL.view(last)['reason_of_end']}")


@over_many_games
@given(games)
def test_points_told_by_the_effects_add_up_to_the_scores(game: Game) -> None:
    playing.tells_all_points_by_its_effects(game)
