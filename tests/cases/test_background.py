"""Long work among callers: whose share it takes, how much each may have waiting, and what the keepers heal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
import redis

from service.cases import Caller, Cases, analyses, background, tasks, tournaments
from service.cases.analyses import DECISION
from service.cases.background import ANALYSIS, GAME, Piece
from service.cases.tournaments import Wanted
from service.games.errors import GameError
from service.state.backlog import MOST_ATTEMPTS
from service.state.queue import BACKGROUND
from tests.cases.people import Time, player
from tests.cases.test_cases import PLAYER, act, new, seat

LONG = Wanted("azul", "coloured", 2, ("candidate-master", "master"), 500)


def limited(cases: Cases, seconds: int) -> None:
    """Limits hold."""
    cases.settings = replace(cases.settings, rate_limits="on", limit_background=seconds)


def analysed(cases: Cases, caller: Caller, seconds: float = 0.1) -> str:
    """The id of an analysis that the caller asks for."""
    game, tokens = new(cases, PLAYER, PLAYER)
    asking = replace(caller, token=tokens["host"]) if caller.token == "host" else caller
    return str(analyses.ask(cases, asking, game, analyses.Wanted(DECISION, seconds, 1))["id"])


def next_piece(cases: Cases) -> Piece:
    """What is done next, and done."""
    taken = background.take(cases, BACKGROUND)
    assert taken is not None
    piece = background.piece_of(taken.name)
    background.done(cases, BACKGROUND, piece)
    return piece


def payers(cases: Cases, redis_client: redis.Redis) -> set[str]:
    """Whose work waits."""
    found = cast("list[bytes]", redis_client.hkeys("{backlog:background}:callers"))
    return {caller.decode() for caller in found}


def test_an_analysis_does_not_wait_for_a_tournament_of_somebody_else(cases: Cases) -> None:
    """Eleven hours of games were asked for before; the one that is being played is all there is to wait for."""
    tournaments.ask(cases, Caller(origin="192.0.2.1"), LONG)
    assert GAME == next_piece(cases).kind
    analysis = analysed(cases, Caller(origin="192.0.2.2"))
    assert Piece(ANALYSIS, analysis) == next_piece(cases)


def test_nor_for_one_of_the_same_caller(cases: Cases) -> None:
    tournaments.ask(cases, Caller(origin="192.0.2.1"), LONG)
    next_piece(cases)
    assert ANALYSIS == background.piece_of(f"analysis {analysed(cases, Caller(origin='192.0.2.1'))} 0").kind
    assert ANALYSIS == next_piece(cases).kind


def test_tournaments_of_two_callers_advance_together(cases: Cases) -> None:
    ids = [tournaments.ask(cases, Caller(origin=f"192.0.2.{n}"), LONG)["id"] for n in (1, 2)]
    played = [next_piece(cases).task for _ in range(40)]
    assert [20, 20] == [played.count(task) for task in ids]


def test_work_is_on_the_account_of_the_player_the_games_token_or_the_origin(
    cases: Cases, redis_client: redis.Redis
) -> None:
    ana_id, ana = player(cases, "Ana")
    analysed(cases, replace(ana, origin="192.0.2.1"))
    assert {f"player:{ana_id}"} == payers(cases, redis_client)
    analysed(cases, Caller("host", origin="192.0.2.1"))
    assert 2 == len(payers(cases, redis_client))
    analysed(cases, Caller("a token that nobody gave out", origin="192.0.2.1"))
    analysed(cases, Caller(f"{'A' * 16}.{'x' * 43}", origin="192.0.2.1"))
    analysed(cases, Caller(origin="192.0.2.1"))
    assert {"192.0.2.1"} == {payer for payer in payers(cases, redis_client) if len(payer) < 20}
    assert 3 == len(payers(cases, redis_client))


def test_where_limits_hold_a_caller_may_have_so_much_waiting(cases: Cases) -> None:
    limited(cases, 60)
    caller = Caller(origin="192.0.2.1")
    for _ in range(5):
        analysed(cases, caller, 10)
    with pytest.raises(GameError) as refused:
        analysed(cases, caller, 10)
    assert ("limit/background", 60) == (refused.value.code, refused.value.extra["limit"])
    assert refused.value.extra["retry_after_s"] >= 30
    analysed(cases, Caller(origin="192.0.2.2"), 10)
    next_piece(cases)
    analysed(cases, caller, 5)


def test_what_is_refused_leaves_nothing_behind(cases: Cases, redis_client: redis.Redis) -> None:
    limited(cases, 60)
    before = {key for key in redis_client.keys("*") if b"rq:" not in key}
    with pytest.raises(GameError, match="limit/background"):
        tournaments.ask(cases, Caller(origin="192.0.2.1"), LONG)
    assert before == {key for key in redis_client.keys("*") if b"rq:" not in key}


def test_where_no_limits_hold_work_is_not_counted(cases: Cases) -> None:
    cases.settings = replace(cases.settings, rate_limits="off", limit_background=60)
    assert 1_000 == tournaments.ask(cases, Caller(), LONG)["games"]


def test_work_whose_worker_was_killed_is_done_by_another(cases: Cases, time: Time) -> None:
    analysis = analysed(cases, Caller())
    assert background.take(cases, BACKGROUND) is not None
    background.look_after(cases)
    assert background.take(cases, BACKGROUND) is None
    time.ms += background.LEASE_MS + 1
    background.look_after(cases)
    assert Piece(ANALYSIS, analysis) == next_piece(cases)


def test_work_that_kills_its_workers_fails(cases: Cases, time: Time) -> None:
    analysis = analysed(cases, Caller())
    for _ in range(MOST_ATTEMPTS):
        assert background.take(cases, BACKGROUND) is not None
        time.ms += background.LEASE_MS + 1
        background.look_after(cases)
    assert None is background.take(cases, BACKGROUND)
    assert "failed" == tasks.find(cases, analyses.KIND, analysis).status
    assert 0 == cases.backlogs[BACKGROUND].being_done()


def test_a_wake_up_that_was_lost_is_sent_again(cases: Cases) -> None:
    analysed(cases, Caller())
    queue: Any = cases.queue.background
    assert 1 == queue.count
    queue.empty()
    for _ in range(3):
        background.look_after(cases)
    assert 1 == queue.count


def test_no_more_are_woken_than_can_work(cases: Cases) -> None:
    tournaments.ask(cases, Caller(), LONG)
    assert 1 == cases.queue.looking(BACKGROUND)
    for number in range(3):
        cases.queue.beat("background", f"worker {number}", 60)
    background.look_after(cases)
    assert 3 == cases.queue.looking(BACKGROUND)


def test_an_analysis_that_is_ended_is_not_done(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    act(cases, game, seat(tokens, 0))
    asked = analyses.ask(cases, Caller(), game, analyses.Wanted(DECISION, 1, 1))
    analyses.end(cases, Caller(), asked["id"])
    assert 0 == cases.backlogs[BACKGROUND].waiting()
