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


@over_many_games
@given(games)
def test_there_are_20_tiles_of_each_colour_after_every_action_and_every_draw(
    game: Game,
) -> None:
    for position in game:
        assert dict.fromkeys(COLOURS, 20) == colours_of(AZUL.view(position))


@over_many_games
@given(games)
def test_scores_floors_and_lines_stay_within_their_bounds(game: Game) -> None:
    for position in game:
        shown = AZUL.view(position)
        for seat in shown["seats"]:
            assert seat["score"] >= 0
            assert len(seat["floor_line"]) <= 7
            for number, line in enumerate(seat["pattern_lines"]):
                assert number + 1 == line["capacity"] >= line["count"] >= 0
                assert (line["colour"] is None) == (line["count"] == 0)
                assert line["colour"] is None or line["colour"] not in seat["wall"][number]
        assert all(sum(factory.values()) <= 4 for factory in shown["factories"])
        assert shown["rounds_without_tile"] <= 5


@over_many_games
@given(games)
def test_no_wall_holds_a_colour_twice_in_a_row_or_in_a_column(game: Game) -> None:
    for position in game:
        for seat in AZUL.view(position)["seats"]:
            for run in (*seat["wall"], *zip(*seat["wall"], strict=True)):
                tiles = [tile for tile in run if tile is not None]
                assert len(set(tiles)) == len(tiles)


@over_many_games
@given(games)
def test_there_is_one_token_and_it_lies_on_no_floor_but_its_holders(game: Game) -> None:
    for position in game:
        shown = AZUL.view(position)
        floors = [number for number, seat in enumerate(shown["seats"]) if "start_token" in seat["floor_line"]]
        assert floors in ([], [int(shown["start_token"].removeprefix("seat_"))] if floors else [])
        assert sum(seat["floor_line"].count("start_token") for seat in shown["seats"]) <= 1


@over_many_games
@given(games)
def test_what_is_shown_is_read_as_the_same_position(game: Game) -> None:
    playing.reads_back_what_it_shows(game)


@over_many_games
@given(games)
def test_somebody_decides_and_can_or_chance_does_or_the_game_is_over(game: Game) -> None:
    last = playing.always_goes_on_until_it_is_over(game)
    if last.status == "over":
        event(f"ended: {AZUL.view(last)['reason_of_end']}")


@over_many_games
@given(games)
def test_a_full_row_is_seen_only_in_wall_tiling_or_at_the_end(game: Game) -> None:
    for position in game:
        shown = AZUL.view(position)
        full = any(None not in row for seat in shown["seats"] for row in seat["wall"])
        assert not full or shown["phase"] in {"tile", "over"}


@over_many_games
@given(games)
def test_points_told_by_the_effects_add_up_to_the_scores(game: Game) -> None:
    playing.tells_all_points_by_its_effects(game)
