"""Standings and tie-breaks, compared with results worked out by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from service.competitions.model import DRAWN, LOST, WON, Competition, Contest
from service.competitions.standings import arena_rows, swiss_rows
from tests.competitions.field import HOUR, PLAN, new_competition

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "competitions.md"
NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eve")


def with_games(competition: Competition, *games: tuple[int, tuple[int, ...], tuple[int, ...]]) -> Competition:
    """Return the competition with these games, each as (round, entrants, half points)."""
    contests = [
        Contest(f"g{number}", round_, who, number, halves, number) for number, (round_, who, halves) in enumerate(games)
    ]
    return replace(competition, contests=tuple(contests))


def test_the_worked_example_of_the_guide_is_reproduced() -> None:
    """Five players, three rounds: Ana, Ben, Cleo, Dora, Eve are 1 to 5."""
    competition = with_games(
        new_competition(PLAN, [1700, 1600, 1500, 1400, 1300]),
        *((1, (1, 3), (WON, LOST)), (1, (2, 4), (WON, LOST)), (1, (5,), (WON,))),
        *((2, (2, 1), (DRAWN, DRAWN)), (2, (5, 3), (LOST, WON)), (2, (4,), (WON,))),
        *((3, (1, 4), (WON, LOST)), (3, (5, 2), (LOST, WON)), (3, (3,), (WON,))),
    )
    table = re.findall(r"^\| (Ana|Ben|Cleo|Dora|Eve) \| (.*) \|$", GUIDE.read_text("utf-8"), re.MULTILINE)
    expected: list[tuple[float, ...]] = [
        (NAMES.index(name) + 1, *map(float, numbers.split(" | "))) for name, numbers in table
    ]
    assert 5 == len(expected)
    assert expected == [
        (row.entrant.number, row.score, row.buchholz_cut_1, row.buchholz, row.sonneborn_berger, row.wins)
        for row in swiss_rows(competition)
    ]


def test_ties_are_broken_by_the_direct_game_and_then_the_rating() -> None:
    """Player 1 has beaten 2, and 4 has beaten 3. In everything else both players of a pair are equal."""
    competition = with_games(
        new_competition(PLAN, [1500, 1900, 1800, 1400, 1500, 1600]),
        *((1, (1, 2), (WON, LOST)), (1, (4, 3), (WON, LOST))),
        *((2, (3, 1), (WON, LOST)), (2, (2, 4), (WON, LOST))),
        *((3, (3, 5), (LOST, WON)), (3, (4, 6), (LOST, WON))),
    )
    assert [4, 3, 1, 2, 6, 5] == [row.entrant.number for row in swiss_rows(competition)]
    drawn = with_games(new_competition(PLAN, [1500, 1900]), (1, (1, 2), (DRAWN, DRAWN)))
    assert [2, 1] == [row.entrant.number for row in swiss_rows(drawn)]
    once_each = with_games(new_competition(PLAN, [1500, 1600]), (1, (2, 1), (WON, LOST)), (2, (1, 2), (WON, LOST)))
    assert [2, 1] == [row.entrant.number for row in swiss_rows(once_each)]


def test_buchholz_decides_where_score_and_cut_are_equal() -> None:
    """Player 3 has lost to player 2, and player 2 has a point. Player 1 has a higher rating and no games."""
    competition = with_games(new_competition(PLAN, [1600, 1400, 1400]), (1, (3, 2), (LOST, WON)))
    assert [2, 3, 1] == [row.entrant.number for row in swiss_rows(competition)]


def test_buchholz_cut_1_removes_the_lowest_opponent() -> None:
    """Players 2 and 3 have a point each. The cut removes 2, the only opponent of 3; 2 has played 3 and 1."""
    competition = with_games(
        new_competition(PLAN, [1500, 1500, 1400]), (1, (2, 3), (LOST, WON)), (2, (2, 1), (WON, LOST))
    )
    assert [2, 3, 1] == [row.entrant.number for row in swiss_rows(competition)]
    assert [1, 0, 0] == [row.buchholz_cut_1 for row in swiss_rows(competition)]


def test_sonneborn_berger_decides_where_score_and_buchholz_are_equal() -> None:
    competition = with_games(
        new_competition(PLAN, [1500, 1400, 1500, 1500]),
        *((1, (1, 3), (DRAWN, DRAWN)), (1, (4, 2), (WON, LOST))),
        *((2, (1, 4), (WON, LOST)), (2, (2, 3), (DRAWN, DRAWN))),
    )
    assert [1, 3, 4, 2] == [row.entrant.number for row in swiss_rows(competition)]


def test_arena_doubles_points_after_two_wins_in_a_row() -> None:
    games = [(0, (1, 2), halves) for halves in ((WON, LOST), (WON, LOST), (WON, LOST), (DRAWN, DRAWN), (WON, LOST))]
    first, second = arena_rows(with_games(new_competition(HOUR, [1500, 1600]), *games))
    assert (1, 2 + 2 + 4 + 2 + 2, 5, 4, 1, 2000) == (
        *(first.entrant.number, first.score, first.played, first.wins, first.streak),
        first.performance,
    )
    assert (1, 0, 1100) == (second.score, second.streak, second.performance)


def test_games_of_an_arena_count_in_the_order_of_their_ends() -> None:
    """There are two wins, a loss and a win. The loss ends the streak although its game began last."""
    competition = with_games(
        new_competition(HOUR, [1500, 1600]), *[(0, (1, 2), halves) for halves in [(WON, LOST)] * 3 + [(LOST, WON)]]
    )
    ended = [replace(one, ended_at=at) for one, at in zip(competition.contests, (1, 2, 9, 5), strict=True)]
    first, _ = arena_rows(replace(competition, contests=tuple(ended)))
    assert (2 + 2 + 0 + 2, 1) == (first.score, first.streak)


def test_player_without_games_is_last_in_an_arena() -> None:
    rows = arena_rows(with_games(new_competition(HOUR, [1500, 1900, 1800]), (0, (1, 3), (LOST, WON))))
    assert [(3, 2000), (1, 1300), (2, None)] == [(row.entrant.number, row.performance) for row in rows]
