"""Long work of several callers: its order, how much each may queue, and recovery by keepers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from redis import Redis

from service.games.errors import GameError
from service.storage.work.backlog import MAX_ATTEMPTS
from service.storage.work.queue import BACKGROUND
from service.usecases.base.context import Caller, Context
from service.usecases.work import analyses, background, lifecycle, tournaments
from service.usecases.work.analyses import DECISION
from service.usecases.work.background import ANALYSIS, GAME, Piece
from service.usecases.work.tournaments import TournamentRequest
from tests.usecases.games.test_usecases import PLAYER, act, new_game, seat
from tests.usecases.players import Time, player

LONG = TournamentRequest("azul", "coloured", 2, ("candidate-master", "master"), 500)


def enforce_limits(context: Context, seconds: int) -> None:
    """Enforce limits."""
    context.settings = replace(context.settings, rate_limits="on", limit_background=seconds)


def ask_analysis(context: Context, caller: Caller, seconds: float = 0.1) -> str:
    """Ask for an analysis and return its id."""
    game, tokens = new_game(context, PLAYER, PLAYER)
    asking_caller = replace(caller, token=tokens["host"]) if caller.token == "host" else caller
    return str(analyses.create(context, asking_caller, game, analyses.AnalysisRequest(DECISION, seconds, 1))["id"])


def next_piece(context: Context) -> Piece:
    """Execute the next piece of work and return it."""
    lease = background.take(context, BACKGROUND)
    assert lease is not None
    piece = background.piece_of(lease.name)
    background.finish(context, BACKGROUND, piece)
    return piece


def payers(context: Context, redis_client: Redis) -> set[str]:
    """Return the callers whose work waits."""
    results = cast("list[bytes]", redis_client.hkeys("{backlog:background}:callers"))
    return {caller.decode() for caller in results}


def test_an_analysis_overtakes_a_tournament_of_another_caller(context: Context) -> None:
    """The tournament was queued before. The analysis waits only for its current game."""
    tournaments.create(context, Caller(origin="192.0.2.1"), LONG)
    assert GAME == next_piece(context).kind
    analysis = ask_analysis(context, Caller(origin="192.0.2.2"))
    assert Piece(ANALYSIS, analysis) == next_piece(context)


def test_an_analysis_overtakes_a_tournament_of_the_same_caller(context: Context) -> None:
    tournaments.create(context, Caller(origin="192.0.2.1"), LONG)
    next_piece(context)
    assert ANALYSIS == background.piece_of(f"analysis {ask_analysis(context, Caller(origin='192.0.2.1'))} 0").kind
    assert ANALYSIS == next_piece(context).kind


def test_tournaments_of_two_callers_advance_together(context: Context) -> None:
    ids = [tournaments.create(context, Caller(origin=f"192.0.2.{n}"), LONG)["id"] for n in (1, 2)]
    played = [next_piece(context).task for _ in range(40)]
    assert [20, 20] == [played.count(task) for task in ids]


def test_work_is_charged_to_the_player_the_games_token_or_the_origin(context: Context, redis_client: Redis) -> None:
    ana_id, ana = player(context, "Ana")
    ask_analysis(context, replace(ana, origin="192.0.2.1"))
    origin = Caller(origin="192.0.2.1").share
    assert {f"player:{ana_id}", origin} == payers(context, redis_client)
    ask_analysis(context, Caller("host", origin="192.0.2.1"))
    assert 3 == len(payers(context, redis_client))
    ask_analysis(context, Caller("a token that nobody gave out", origin="192.0.2.1"))
    ask_analysis(context, Caller(f"{'A' * 16}.{'x' * 43}", origin="192.0.2.1"))
    ask_analysis(context, Caller(origin="192.0.2.1"))
    assert f"caller:{origin}" in payers(context, redis_client)
    assert 4 == len(payers(context, redis_client))


def test_with_limits_a_caller_queues_a_bounded_amount_of_work(context: Context) -> None:
    enforce_limits(context, 60)
    caller = Caller(origin="192.0.2.1")
    for _ in range(5):
        ask_analysis(context, caller, 10)
    with pytest.raises(GameError) as refused:
        ask_analysis(context, caller, 10)
    assert ("limit/background", 60) == (refused.value.code, refused.value.extra["limit"])
    assert refused.value.extra["retry_after_s"] >= 30
    ask_analysis(context, Caller(origin="192.0.2.2"), 10)
    next_piece(context)
    ask_analysis(context, caller, 5)


def test_all_players_of_an_address_have_a_bounded_amount_of_waiting_work(context: Context) -> None:
    enforce_limits(context, 35)
    people = [replace(player(context)[1], origin="192.0.2.1") for _ in range(4)]
    for caller in (*people, *people, *people):
        ask_analysis(context, caller, 10)
    ask_analysis(context, Caller(origin="192.0.2.1"), 10)
    with pytest.raises(GameError) as refused:
        ask_analysis(context, Caller(origin="192.0.2.1"), 10)
    assert ("limit/background", 140) == (refused.value.code, refused.value.extra["limit"])
    ask_analysis(context, Caller(origin="192.0.2.2"), 10)


def test_many_players_of_an_address_do_not_get_much_more_time_than_one_of_another(context: Context) -> None:
    short = replace(LONG, deals=10)
    for _ in range(20):
        tournaments.create(context, replace(player(context)[1], origin="192.0.2.1"), short)
    honest = tournaments.create(context, replace(player(context)[1], origin="192.0.2.2"), short)["id"]
    played = [next_piece(context).task for _ in range(60)]
    assert 12 <= played.count(honest)
    assert 15 <= len(set(played))


def test_refused_work_stores_nothing(context: Context, redis_client: Redis) -> None:
    enforce_limits(context, 60)
    before = {key for key in redis_client.keys("*") if b"rq:" not in key}
    with pytest.raises(GameError, match="limit/background"):
        tournaments.create(context, Caller(origin="192.0.2.1"), LONG)
    assert before == {key for key in redis_client.keys("*") if b"rq:" not in key}


def test_without_limits_work_is_not_counted(context: Context) -> None:
    context.settings = replace(context.settings, rate_limits="off", limit_background=60)
    assert 1_000 == tournaments.create(context, Caller(), LONG)["games"]


def test_another_worker_completes_the_work_of_a_killed_worker(context: Context, time: Time) -> None:
    analysis = ask_analysis(context, Caller())
    assert background.take(context, BACKGROUND) is not None
    background.run_due(context)
    assert background.take(context, BACKGROUND) is None
    time.ms += background.PIECE_LEASE_MS + 1
    background.run_due(context)
    assert Piece(ANALYSIS, analysis) == next_piece(context)


def test_work_that_kills_its_workers_fails_finally(context: Context, time: Time) -> None:
    analysis = ask_analysis(context, Caller())
    for _ in range(MAX_ATTEMPTS):
        assert background.take(context, BACKGROUND) is not None
        time.ms += background.PIECE_LEASE_MS + 1
        background.run_due(context)
    assert None is background.take(context, BACKGROUND)
    assert "failed" == lifecycle.find(context, ANALYSIS, analysis).status
    assert 0 == context.backlogs[BACKGROUND].being_done()


def test_a_lost_wake_up_is_sent_again(context: Context) -> None:
    ask_analysis(context, Caller())
    queue: Any = context.queue.background
    assert 1 == queue.count
    queue.empty()
    for _ in range(3):
        background.run_due(context)
    assert 1 == queue.count


def test_at_most_all_existing_workers_are_woken(context: Context) -> None:
    tournaments.create(context, Caller(), LONG)
    assert 1 == context.queue.count_wake_ups(BACKGROUND)
    for number in range(3):
        context.queue.beat("background", f"worker {number}", 60)
    background.run_due(context)
    assert 3 == context.queue.count_wake_ups(BACKGROUND)


def test_an_ended_analysis_is_not_computed(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    analysis = analyses.create(context, Caller(), game, analyses.AnalysisRequest(DECISION, 1, 1))
    analyses.cancel(context, Caller(), analysis["id"])
    assert 0 == context.backlogs[BACKGROUND].waiting()
