"""Tournaments: what the games that were played are to matches and standings, ties among them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.games.errors import GameError
from service.levels import LEVELS
from service.storage.work.queue import BACKGROUND
from service.usecases.base.context import Caller, Context
from service.usecases.games.creating import NewEndpoint
from service.usecases.work import background, tournaments
from service.usecases.work.tournaments import Challenger, TournamentRequest, wilson


def played(context: Context, levels: tuple[str, ...], seats: int, *ranks: list[int]) -> dict[str, Any]:
    """A tournament of one deal whose games ended so, one after the other."""
    asked = tournaments.ask(context, Caller(), TournamentRequest("azul", "coloured", seats, levels, 1))
    for number, of_game in enumerate(ranks):
        game = {"at": asked["expires_at"], "moves": [], "scores": [7 * rank for rank in of_game], "ranks": of_game}
        assert tournaments.add(context, asked["id"], number, game, asked["games"])
    described = tournaments.look(context, asked["id"], None, 0)
    assert described is not None
    return described


def match(told: dict[str, Any]) -> float:
    """What the first participant of the only match has won."""
    (only,) = told["matches"]
    return float(only["wins"])


def standings(told: dict[str, Any]) -> dict[str, float]:
    """What each participant has won, over all its matches."""
    return {standing["participant"]: standing["wins"] for standing in told["standings"]}


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
def test_the_winners_of_a_game_divide_it(context: Context, ranks: list[int], first: float, second: float) -> None:
    actual = played(context, ("greedy", "random"), len(ranks), ranks)
    assert (first, {"greedy": first, "random": second}) == (match(actual), standings(actual))


def test_a_draw_counts_half_a_game_beside_a_loss(context: Context) -> None:
    """In the second game of the deal the first participant sits on the other side."""
    actual = played(context, ("greedy", "random"), 2, [1, 1], [1, 2])
    assert (0.25, {"greedy": 0.25, "random": 0.75}) == (match(actual), standings(actual))


def test_what_draws_bring_is_added_up_over_the_matches_of_a_participant(context: Context) -> None:
    """Of three: 1 against 2, 1 against 3, 2 against 3, each twice."""
    actual = played(context, ("random", "greedy", "planner"), 2, [1, 1], [1, 1], [1, 2], [1, 1], [2, 1], [1, 1])
    assert [0.5, 0.75, 0.25] == [seen["wins"] for seen in actual["matches"]]
    assert {"random": 0.625, "greedy": 0.375, "planner": 0.5} == standings(actual)


@pytest.mark.parametrize("deals", [1, 100, 1000])
def test_each_game_of_a_tournament_is_a_piece_of_work(context: Context, deals: int) -> None:
    asked = tournaments.ask(context, Caller(), TournamentRequest("azul", "coloured", 2, ("greedy", "random"), deals))
    numbers = []
    while (taken := background.take(context, BACKGROUND)) is not None:
        numbers.append(background.piece_of(taken.name).number)
    assert list(range(asked["games"])) == numbers


def test_the_games_of_a_tournament_that_is_ended_are_played_no_more(context: Context) -> None:
    wanted = TournamentRequest("azul", "coloured", 2, ("greedy", "random"), 50)
    ended, other = (tournaments.ask(context, Caller(), wanted) for _ in range(2))
    tournaments.end(context, Caller(), ended["id"])
    assert other["games"] == context.backlogs[BACKGROUND].waiting()


def among(context: Context, levels: int, bots: int) -> dict[str, Any]:
    """A tournament of so many levels and bots."""
    context.settings = replace(context.settings, outgoing="on")
    challengers = tuple(Challenger(f"Bot {n}", "random", NewEndpoint("https://bot.example/")) for n in range(bots))
    return tournaments.ask(
        context, Caller(), TournamentRequest("azul", "grey", 2, tuple(LEVELS)[:levels], 1, challengers=challengers)
    )


@pytest.mark.parametrize(("levels", "bots"), [(2, 0), (1, 1), (0, 2), (13, 3), (0, 16)])
def test_two_to_sixteen_take_part(context: Context, levels: int, bots: int) -> None:
    assert levels + bots == len(among(context, levels, bots)["participants"])


@pytest.mark.parametrize(("levels", "bots"), [(0, 0), (1, 0), (0, 1), (13, 4), (0, 17)])
def test_fewer_than_two_and_more_than_sixteen_play_no_tournament(context: Context, levels: int, bots: int) -> None:
    with pytest.raises(GameError) as error:
        among(context, levels, bots)
    assert ["/levels"] == list(error.value.errors)


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
def test_the_interval_is_wilsons(share: float, count: int, low: float, high: float) -> None:
    assert (low, high) == pytest.approx(wilson(share, count), abs=5e-5)
