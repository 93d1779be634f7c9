"""Tournaments: matches and standings from the results of games, with ties."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.levels import LEVELS
from service.storage.work.queue import BACKGROUND
from service.usecases.base.context import Caller, Context
from service.usecases.games.creating import NewEndpoint
from service.usecases.work import background, tournaments
from service.usecases.work.tournaments import Challenger, TournamentRequest, wilson


def played_tournament(context: Context, levels: tuple[str, ...], seats: int, *ranks: list[int]) -> dict[str, Any]:
    """Play a tournament of one deal whose games end with these ranks."""
    task = tournaments.create(context, Caller(), TournamentRequest("azul", "coloured", seats, levels, 1))
    for number, game_ranks in enumerate(ranks):
        game = {"at": task["expires_at"], "moves": [], "scores": [7 * rank for rank in game_ranks], "ranks": game_ranks}
        tournaments.add_result(context, task["id"], number, game, task["games"])
    state = tournaments.get(context, task["id"], None, 0)
    assert state is not None
    return state


def match(tournament: dict[str, Any]) -> float:
    """Return the wins of the first participant of the only match."""
    (only,) = tournament["matches"]
    return float(only["wins"])


def standings(tournament: dict[str, Any]) -> dict[str, float]:
    """Return the wins of each participant over all matches."""
    return {standing["participant"]: standing["wins"] for standing in tournament["standings"]}


@pytest.mark.parametrize(
    ("ranks", "first", "second"),
    [
        ([1, 1], 0.5, 0.5),
        ([1, 1, 3], 0.5, 0.5),
        ([3, 1, 1], 0.0, 1.0),  # both are the second's
        ([1, 1, 1], 0.3333, 0.6667),
        ([1, 1, 3, 3], 0.5, 0.5),
    ],
)
def test_the_winners_of_a_game_share_the_win(context: Context, ranks: list[int], first: float, second: float) -> None:
    actual = played_tournament(context, ("greedy", "random"), len(ranks), ranks)
    assert (first, {"greedy": first, "random": second}) == (match(actual), standings(actual))


def test_a_draw_counts_half_a_game(context: Context) -> None:
    """In the second game of the deal the participants swap seats."""
    actual = played_tournament(context, ("greedy", "random"), 2, [1, 1], [1, 2])
    assert (0.25, {"greedy": 0.25, "random": 0.75}) == (match(actual), standings(actual))


def test_shares_of_draws_add_up_over_the_matches_of_a_participant(context: Context) -> None:
    """The pairs are 1-2, 1-3 and 2-3, each twice."""
    actual = played_tournament(
        context, ("random", "greedy", "planner"), 2, [1, 1], [1, 1], [1, 2], [1, 1], [2, 1], [1, 1]
    )
    assert [0.5, 0.75, 0.25] == [seen["wins"] for seen in actual["matches"]]
    assert {"random": 0.625, "greedy": 0.375, "planner": 0.5} == standings(actual)


@pytest.mark.parametrize("deals", [1, 100, 1000])
def test_each_game_of_a_tournament_is_a_piece_of_work(context: Context, deals: int) -> None:
    task = tournaments.create(context, Caller(), TournamentRequest("azul", "coloured", 2, ("greedy", "random"), deals))
    numbers = []
    while (lease := background.take(context, BACKGROUND)) is not None:
        numbers.append(background.piece_of(lease.name).number)
    assert list(range(task["games"])) == numbers


def test_the_games_of_an_ended_tournament_are_not_played(context: Context) -> None:
    request = TournamentRequest("azul", "coloured", 2, ("greedy", "random"), 50)
    ended, other = (tournaments.create(context, Caller(), request) for _ in range(2))
    tournaments.cancel(context, Caller(), ended["id"])
    assert other["games"] == context.backlogs[BACKGROUND].waiting()


def new_tournament(context: Context, levels: int, bots: int) -> dict[str, Any]:
    """Ask for a tournament of this many levels and bots."""
    context.settings = replace(context.settings, outgoing="on")
    challengers = tuple(Challenger(f"Bot {n}", "random", NewEndpoint("https://bot.example/")) for n in range(bots))
    return tournaments.create(
        context, Caller(), TournamentRequest("azul", "grey", 2, tuple(LEVELS)[:levels], 1, challengers=challengers)
    )


@pytest.mark.parametrize(("levels", "bots"), [(2, 0), (1, 1), (0, 2), (13, 3), (0, 16)])
def test_a_tournament_has_two_to_sixteen_participants(context: Context, levels: int, bots: int) -> None:
    assert levels + bots == len(new_tournament(context, levels, bots)["participants"])


@pytest.mark.parametrize(
    ("share", "count", "low", "high"),
    [
        (0.0, 0, 0.0, 1.0),
        (1.0, 1, 0.2065, 1.0),
        (0.0, 1, 0.0, 0.7935),
        (0.5, 2, 0.0945, 0.9055),
        (0.5, 10, 0.2366, 0.7634),
        (0.75, 100, 0.6570, 0.8245),
    ],
)
def test_the_interval_is_a_wilson_interval(share: float, count: int, low: float, high: float) -> None:
    actual = wilson(share, count)
    assert (low, high) == pytest.approx(actual, abs=5e-5)
    assert 0.0 <= actual[0] < actual[1] <= 1.0


@pytest.mark.parametrize("count", [10, 20, 2_000])
def test_the_interval_of_no_wins_begins_at_zero(count: int) -> None:
    assert "0.0" == str(wilson(0.0, count)[0])  # not -0.0
    assert 1.0 == pytest.approx(wilson(1.0, count)[1])
