"""Statistics: each game of a player counts once, after any kill."""

from __future__ import annotations

from typing import Any

import pytest

from service.games.state.seats import AI as AI_KIND
from service.storage.people.ratings import WINDOW_MS
from service.usecases.base.context import Caller, Context
from service.usecases.games import playing, seating
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewSeat
from service.usecases.people import follow_ups, players, rating_games, statistics
from tests.threads import run_at_once
from tests.usecases.games.test_usecases import OPEN, PLAYER
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, new_game_of, player, resign, view


def against(context: Context, caller: Caller, level: str = "greedy", **changes: Any) -> str:
    game, _ = new_game_of(context, caller, PLAYER, NewSeat(AI_KIND, level=level), **changes)
    return game


def run_keeper(context: Context, time: Time) -> None:
    time.pass_(1)
    follow_ups.run_due(context)


def test_a_finished_game_counts_by_ruleset_and_opponent(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    for level in ("greedy", "greedy", "club"):
        resign(context, against(context, as_ana, level), as_ana)
    run_keeper(context, time)
    counts = statistics.statistics_json(context, ana)
    (azul,) = counts["rulesets"]
    assert ("azul", "two", 3, 0) == tuple(azul[name] for name in ("ruleset", "seats", "games", "wins"))
    assert {("greedy", 2, 0), ("club", 1, 0)} == {
        (one["level"], one["games"], one["wins"]) for one in counts["opponents"]
    }


def test_wins_streaks_and_the_best_score_are_counted(context: Context) -> None:
    ana, _ = player(context)
    for number, (won, score) in enumerate(((True, 40), (True, 71), (False, 90), (True, 10))):
        done = context.statistics.count(
            ana, str(number), context.now_ms(), ["azul:two", "azul:people"], won=won, score=score
        )
        assert "counted" == done
    (azul,) = statistics.statistics_json(context, ana)["rulesets"]
    assert (4, 3, 90, 1, 2) == tuple(azul[name] for name in ("games", "wins", "best_score", "streak", "longest_streak"))
    assert [(None, 4, 3)] == [
        (one["level"], one["games"], one["wins"]) for one in statistics.statistics_json(context, ana)["opponents"]
    ]


def test_simultaneous_keepers_count_a_game_once(context: Context) -> None:
    ana, as_ana = player(context)
    game = against(context, as_ana)
    resign(context, game, as_ana)
    run_at_once(lambda _: rating_games.count(context, game), range(16))
    assert [1] == [one["games"] for one in statistics.statistics_json(context, ana)["rulesets"]]


def test_the_next_keeper_completes_a_killed_count(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    places: list[tuple[Any, str]] = [(statistics, "count"), (rating_games, "rate"), (context.follow_ups, "remove")]
    for place in places:
        resign(context, against(context, as_ana), as_ana)
        time.pass_(1)
        with killed_before(*place), pytest.raises(KilledError):
            follow_ups.run_due(context)
        time.pass_(follow_ups.RETRY_MS / 1000)
        assert 1 == follow_ups.run_due(context).done
    assert [3] == [one["games"] for one in statistics.statistics_json(context, ana)["rulesets"]]


@pytest.mark.parametrize("change", [{"seed": bytes(range(1, 33))}])
def test_a_game_with_a_chosen_seed_is_not_counted(context: Context, time: Time, change: dict[str, Any]) -> None:
    ana, as_ana = player(context)
    resign(context, against(context, as_ana, **change), as_ana)
    run_keeper(context, time)
    assert {"rulesets": [], "opponents": []} == statistics.statistics_json(context, ana)


def test_a_game_in_which_a_person_did_not_decide_is_not_counted(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    playing.resign(context, Request(as_ana, against(context, as_ana)), None)
    run_keeper(context, time)
    assert {"rulesets": [], "opponents": []} == statistics.statistics_json(context, ana)


def test_a_game_against_oneself_is_not_counted(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    game, tokens = new_game_of(context, as_ana, PLAYER, OPEN)
    seating.claim(context, as_ana, game, 1, None, tokens["invite"])
    playing.resign(context, Request(as_ana, game), 0)
    run_keeper(context, time)
    assert "finished" == view(context, game)["status"]
    assert [] == statistics.statistics_json(context, ana)["rulesets"]


def test_an_old_game_does_not_count_and_a_deleted_player_is_not_restored(context: Context) -> None:
    ana, as_ana = player(context)
    old = context.now_ms() - WINDOW_MS - 10_000
    assert "late" == context.statistics.count(ana, "one", old, ["azul:two"], won=True, score=1)
    players.delete(context, as_ana)
    assert "gone" == context.statistics.count(ana, "two", context.now_ms(), ["azul:two"], won=True, score=1)
    assert {"rulesets": [], "opponents": []} == statistics.statistics_json(context, ana)
