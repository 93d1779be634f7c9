"""Long work among callers: whose share it takes, how much each may have waiting, and what the keepers heal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
import redis

from service.games.errors import GameError
from service.storage.work.backlog import MAX_ATTEMPTS
from service.storage.work.queue import BACKGROUND
from service.usecases.base.context import Caller, Context
from service.usecases.work import analyses, background, lifecycle, tournaments
from service.usecases.work.analyses import DECISION
from service.usecases.work.background import ANALYSIS, GAME, Piece
from service.usecases.work.tournaments import TournamentRequest
from tests.usecases.games.test_usecases import PLAYER, act, new, seat
from tests.usecases.players import Time, player

LONG = TournamentRequest("azul", "coloured", 2, ("candidate-master", "master"), 500)


def limited(context: Context, seconds: int) -> None:
    """Limits hold."""
    context.settings = replace(context.settings, rate_limits="on", limit_background=seconds)


def analysed(context: Context, caller: Caller, seconds: float = 0.1) -> str:
    """The id of an analysis that the caller asks for."""
    game, tokens = new(context, PLAYER, PLAYER)
    asking = replace(caller, token=tokens["host"]) if caller.token == "host" else caller
    return str(analyses.ask(context, asking, game, analyses.AnalysisRequest(DECISION, seconds, 1))["id"])


def next_piece(context: Context) -> Piece:
    """What is done next, and done."""
    taken = background.take(context, BACKGROUND)
    assert taken is not None
    piece = background.piece_of(taken.name)
    background.done(context, BACKGROUND, piece)
    return piece


def payers(context: Context, redis_client: redis.Redis) -> set[str]:
    """Whose work waits."""
    results = cast("list[bytes]", redis_client.hkeys("{backlog:background}:callers"))
    return {caller.decode() for caller in results}


def test_an_analysis_does_not_wait_for_a_tournament_of_somebody_else(context: Context) -> None:
    """Eleven hours of games were asked for before; the one that is being played is all there is to wait for."""
    tournaments.ask(context, Caller(origin="192.0.2.1"), LONG)
    assert GAME == next_piece(context).kind
    analysis = analysed(context, Caller(origin="192.0.2.2"))
    assert Piece(ANALYSIS, analysis) == next_piece(context)


def test_nor_for_one_of_the_same_caller(context: Context) -> None:
    tournaments.ask(context, Caller(origin="192.0.2.1"), LONG)
    next_piece(context)
    assert ANALYSIS == background.piece_of(f"analysis {analysed(context, Caller(origin='192.0.2.1'))} 0").kind
    assert ANALYSIS == next_piece(context).kind


def test_tournaments_of_two_callers_advance_together(context: Context) -> None:
    ids = [tournaments.ask(context, Caller(origin=f"192.0.2.{n}"), LONG)["id"] for n in (1, 2)]
    played = [next_piece(context).task for _ in range(40)]
    assert [20, 20] == [played.count(task) for task in ids]


def test_work_is_on_the_account_of_the_player_the_games_token_or_the_origin(
    context: Context, redis_client: redis.Redis
) -> None:
    ana_id, ana = player(context, "Ana")
    analysed(context, replace(ana, origin="192.0.2.1"))
    assert {f"player:{ana_id}"} == payers(context, redis_client)
    analysed(context, Caller("host", origin="192.0.2.1"))
    assert 2 == len(payers(context, redis_client))
    analysed(context, Caller("a token that nobody gave out", origin="192.0.2.1"))
    analysed(context, Caller(f"{'A' * 16}.{'x' * 43}", origin="192.0.2.1"))
    analysed(context, Caller(origin="192.0.2.1"))
    assert {"192.0.2.1"} == {payer for payer in payers(context, redis_client) if len(payer) < 20}
    assert 3 == len(payers(context, redis_client))


def test_where_limits_hold_a_caller_may_have_so_much_waiting(context: Context) -> None:
    limited(context, 60)
    caller = Caller(origin="192.0.2.1")
    for _ in range(5):
        analysed(context, caller, 10)
    with pytest.raises(GameError) as refused:
        analysed(context, caller, 10)
    assert ("limit/background", 60) == (refused.value.code, refused.value.extra["limit"])
    assert refused.value.extra["retry_after_s"] >= 30
    analysed(context, Caller(origin="192.0.2.2"), 10)
    next_piece(context)
    analysed(context, caller, 5)


def test_what_is_refused_leaves_nothing_behind(context: Context, redis_client: redis.Redis) -> None:
    limited(context, 60)
    before = {key for key in redis_client.keys("*") if b"rq:" not in key}
    with pytest.raises(GameError, match="limit/background"):
        tournaments.ask(context, Caller(origin="192.0.2.1"), LONG)
    assert before == {key for key in redis_client.keys("*") if b"rq:" not in key}


def test_where_no_limits_hold_work_is_not_counted(context: Context) -> None:
    context.settings = replace(context.settings, rate_limits="off", limit_background=60)
    assert 1_000 == tournaments.ask(context, Caller(), LONG)["games"]


def test_work_whose_worker_was_killed_is_done_by_another(context: Context, time: Time) -> None:
    analysis = analysed(context, Caller())
    assert background.take(context, BACKGROUND) is not None
    background.look_after(context)
    assert background.take(context, BACKGROUND) is None
    time.ms += background.PIECE_LEASE_MS + 1
    background.look_after(context)
    assert Piece(ANALYSIS, analysis) == next_piece(context)


def test_work_that_kills_its_workers_fails(context: Context, time: Time) -> None:
    analysis = analysed(context, Caller())
    for _ in range(MAX_ATTEMPTS):
        assert background.take(context, BACKGROUND) is not None
        time.ms += background.PIECE_LEASE_MS + 1
        background.look_after(context)
    assert None is background.take(context, BACKGROUND)
    assert "failed" == lifecycle.find(context, ANALYSIS, analysis).status
    assert 0 == context.backlogs[BACKGROUND].being_done()


def test_a_wake_up_that_was_lost_is_sent_again(context: Context) -> None:
    analysed(context, Caller())
    queue: Any = context.queue.background
    assert 1 == queue.count
    queue.empty()
    for _ in range(3):
        background.look_after(context)
    assert 1 == queue.count


def test_no_more_are_woken_than_can_work(context: Context) -> None:
    tournaments.ask(context, Caller(), LONG)
    assert 1 == context.queue.looking(BACKGROUND)
    for number in range(3):
        context.queue.beat("background", f"worker {number}", 60)
    background.look_after(context)
    assert 3 == context.queue.looking(BACKGROUND)


def test_an_analysis_that_is_ended_is_not_done(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    asked = analyses.ask(context, Caller(), game, analyses.AnalysisRequest(DECISION, 1, 1))
    analyses.end(context, Caller(), asked["id"])
    assert 0 == context.backlogs[BACKGROUND].waiting()
