"""Statistics: what is counted of a player, each game once, whatever is killed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.games.state.seats import AI as AI_KIND
from service.storage.people.ratings import WINDOW_MS
from service.usecases.base.context import Caller, Context
from service.usecases.games import playing, seating
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewSeat
from service.usecases.people import counting_games, follow_ups, players, rating_games, statistics
from tests.usecases.games.test_usecases import OPEN, PLAYER
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, new_of, player, view


def against(context: Context, caller: Caller, level: str = "greedy", **more: Any) -> str:
    game, _ = new_of(context, caller, PLAYER, NewSeat(AI_KIND, level=level), **more)
    return game


def resign(context: Context, caller: Caller, game: str) -> None:
    playing.resign(context, Request(caller, game), None)


def told(context: Context, player_id: str) -> Any:
    return statistics.of(context, player_id)


def keeper(context: Context, time: Time) -> None:
    time.pass_(1)
    follow_ups.look_after(context)


def test_a_game_that_is_over_is_counted_by_ruleset_and_opponent(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    for level in ("greedy", "greedy", "club"):
        resign(context, as_ana, against(context, as_ana, level))
    keeper(context, time)
    seen = told(context, ana)
    (azul,) = seen["rulesets"]
    assert ("azul", "two", 3, 0, 0) == tuple(azul[name] for name in ("ruleset", "seats", "games", "wins", "best_score"))
    assert {("greedy", 2, 0), ("club", 1, 0)} == {
        (one["level"], one["games"], one["wins"]) for one in seen["opponents"]
    }


def test_wins_streaks_and_the_best_score_are_counted(context: Context) -> None:
    ana, _ = player(context)
    for number, (won, score) in enumerate(((True, 40), (True, 71), (False, 90), (True, 10))):
        done = context.statistics.count(
            ana, str(number), context.now_ms(), ["azul:two", "azul:people"], won=won, score=score
        )
        assert "counted" == done
    (azul,) = told(context, ana)["rulesets"]
    assert (4, 3, 90, 1, 2) == tuple(azul[name] for name in ("games", "wins", "best_score", "streak", "longest_streak"))
    assert [(None, 4, 3)] == [(one["level"], one["games"], one["wins"]) for one in told(context, ana)["opponents"]]


def test_each_game_is_counted_once_however_many_do_it(context: Context) -> None:
    ana, as_ana = player(context)
    game = against(context, as_ana)
    resign(context, as_ana, game)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: rating_games.count(context, game), range(16)))
    assert [1] == [one["games"] for one in told(context, ana)["rulesets"]]


def test_a_count_that_is_killed_is_made_by_the_next_keeper(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    places: list[tuple[Any, str]] = [(counting_games, "count"), (rating_games, "rate"), (context.follow_ups, "done")]
    for place in places:
        resign(context, as_ana, against(context, as_ana))
        time.pass_(1)
        with killed_before(*place), pytest.raises(KilledError):
            follow_ups.look_after(context)
        time.pass_(follow_ups.RETRY_MS / 1000)
        assert 1 == follow_ups.look_after(context).done
    assert [3] == [one["games"] for one in told(context, ana)["rulesets"]]


@pytest.mark.parametrize("change", [{"seed": bytes(range(1, 33))}])
def test_a_game_whose_draws_could_be_known_is_not_counted(context: Context, time: Time, change: dict[str, Any]) -> None:
    ana, as_ana = player(context)
    resign(context, as_ana, against(context, as_ana, **change))
    keeper(context, time)
    assert {"rulesets": [], "opponents": []} == told(context, ana)


def test_a_game_against_oneself_is_not_counted(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    game, tokens = new_of(context, as_ana, PLAYER, OPEN)
    seating.claim(context, as_ana, game, 1, None, tokens["invite"])
    playing.resign(context, Request(as_ana, game), 0)
    keeper(context, time)
    assert "finished" == view(context, game)["status"]
    assert [] == told(context, ana)["rulesets"]


def test_a_game_that_ended_long_ago_is_not_counted_and_who_is_gone_is_not_brought_back(context: Context) -> None:
    ana, as_ana = player(context)
    old = context.now_ms() - WINDOW_MS - 10_000
    assert "late" == context.statistics.count(ana, "one", old, ["azul:two"], won=True, score=1)
    players.delete(context, as_ana)
    assert "gone" == context.statistics.count(ana, "two", context.now_ms(), ["azul:two"], won=True, score=1)
    assert {"rulesets": [], "opponents": []} == told(context, ana)
