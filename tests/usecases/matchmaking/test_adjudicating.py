"""The host of a competition decides a game: once, for the standings alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from service.games.state.statuses import DOUBLE_FORFEIT, DRAW, WIN
from service.rulesets.wire import Json
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import endpoints
from service.usecases.games.creating import NewEndpoint
from service.usecases.matchmaking import adjudicating, bots, competing, competitions
from service.usecases.people import follow_ups, ratings, statistics
from service.usecases.views import exports
from tests.usecases.answers import to_json
from tests.usecases.bots import CALLED, create_bot
from tests.usecases.competing import (
    ARENA,
    SWISS,
    announce,
    competition_view,
    games,
    run_keeper,
    running_games,
    start_competition,
)
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, decide, player, view
from tests.usecases.waiting import run_together

RATED = replace(SWISS, rounds=1, rated=True, open_to="people")


def scores(context: Context, competition: str) -> list[float]:
    return [row["score"] for row in competition_view(context, competition)["standings"]]


def decide_game(context: Context, host: Caller, competition: str, result: str, seat: int | None = None) -> Json:
    """Adjudicate the first running game."""
    game = running_games(context, competition)[0]["game_id"]
    return adjudicating.adjudicate(context, host, competition, game, result, seat)


@pytest.mark.parametrize(
    ("result", "seat", "expected"),
    [(WIN, 0, [1.0, 0.0]), (WIN, 1, [0.0, 1.0]), (DRAW, None, [0.5, 0.5]), (DOUBLE_FORFEIT, None, [0.0, 0.0])],
)
def test_a_decided_game_is_over_and_counts_in_the_standings(
    context: Context, result: str, seat: int | None, expected: list[float]
) -> None:
    competition, host, _ = start_competition(context, replace(SWISS, rounds=1), 2)
    decided = decide_game(context, host, competition, result, seat)
    assert (True, expected) == (decided["adjudicated"], [one["score"] for one in decided["players"]])
    assert sorted(expected, reverse=True) == scores(context, competition)
    game = decided["game_id"]
    exported = to_json(exports.export(context, Caller(), game)[1])
    assert ("finished", "adjudication") == (exported["status"], exported["outcome"]["reason"])
    assert ("adjudication", seat, result) == tuple(exported["events"][-1][name] for name in ("kind", "seat", "result"))
    run_keeper(context)
    assert ("over", [decided]) == (competition_view(context, competition)["status"], games(context, competition))


def test_a_decision_changes_no_rating_and_no_statistics(context: Context, time: Time) -> None:
    """Else a host could give points to friends, and take them from strangers."""
    competition, host, people = start_competition(context, RATED, 2)
    (game,) = running_games(context, competition)
    for entrant in game["players"]:
        decide(context, game["game_id"], people[entrant["player"]])
    decide_game(context, host, competition, WIN, 0)
    run_keeper(context)
    rated = ratings.of_game(context, Caller(), game["game_id"])
    assert ("not_counted", "adjudicated") == (rated["status"], rated["reason"])
    assert [[], []] == [statistics.of_player(context, player)["rulesets"] for player in people]


def test_only_the_host_and_the_operator_decide(context: Context) -> None:
    competition, host, people = start_competition(context)
    (game, other) = (one["game_id"] for one in running_games(context, competition))
    for caller in (*people.values(), player(context)[1]):
        with raises_error("auth/host_only"):
            adjudicating.adjudicate(context, caller, competition, game, WIN, 0)
    context.settings = replace(context.settings, admin_token="operator")
    for _ in range(2):
        adjudicating.adjudicate(context, Caller("operator"), competition, game, DRAW, None)
    assert [("adjudicate_game", game)] == [(one.act, one.object_id) for one in context.moderation.log(None, 9)]
    foreign, _, _ = start_competition(context)
    with raises_error("game/not_found"):
        adjudicating.adjudicate(context, host, competition, running_games(context, foreign)[0]["game_id"], DRAW, None)
    with raises_error("game/not_found"):
        adjudicating.adjudicate(context, host, competition, "bye:1", DRAW, None)
    competitions.cancel(context, host, competition)
    with raises_error("game/not_found"):
        adjudicating.adjudicate(context, host, competition, other, DRAW, None)


def test_a_host_cannot_decide_their_own_game(context: Context) -> None:
    competition, host = announce(context)
    competitions.join(context, host, competition)
    competitions.join(context, player(context)[1], competition)
    competitions.start(context, host, competition)
    run_keeper(context)
    with raises_error("competition/own_game"):
        decide_game(context, host, competition, WIN, 0)
    assert "playing" == view(context, running_games(context, competition)[0]["game_id"])["status"]


def test_a_repeated_decision_is_accepted_even_after_the_end_and_another_one_is_refused(context: Context) -> None:
    competition, host, _ = start_competition(context, replace(SWISS, rounds=1), 2)
    first = decide_game(context, host, competition, WIN, 1)
    run_keeper(context)
    again = adjudicating.adjudicate(context, host, competition, first["game_id"], WIN, 1)
    assert ("over", first) == (competition_view(context, competition)["status"], again)
    with raises_error("game/over"):
        adjudicating.adjudicate(context, host, competition, first["game_id"], DRAW, None)
    assert [1, 0] == scores(context, competition)


def test_simultaneous_decisions_have_one_result(context: Context) -> None:
    competition, host, _ = start_competition(context, replace(SWISS, rounds=1), 2)
    game = running_games(context, competition)[0]["game_id"]
    decisions = [partial(adjudicating.adjudicate, context, host, competition, game, WIN, seat) for seat in (0, 0, 1, 1)]
    results = run_together(*decisions)
    assert 1 == len({str(one["players"]) for one in results if isinstance(one, dict)})
    assert [1, 0] == scores(context, competition)


def test_a_decision_whose_process_dies_is_recorded_by_a_keeper(context: Context, time: Time) -> None:
    competition, host, _ = start_competition(context, replace(SWISS, rounds=1), 2)
    with killed_before(competing, "record_result"), pytest.raises(KilledError):
        decide_game(context, host, competition, WIN, 0)
    assert [0, 0] == scores(context, competition)
    time.pass_(follow_ups.RETRY_MS / 1000)
    for _ in range(2):
        run_keeper(context)
    assert ("over", [1, 0]) == (competition_view(context, competition)["status"], scores(context, competition))


def test_a_decision_ends_a_game_of_an_arena_so_that_its_players_are_free(context: Context, time: Time) -> None:
    competition, host, _ = start_competition(context, ARENA, 2)
    decide_game(context, host, competition, WIN, 0)
    time.pass_(2)
    run_keeper(context)
    assert (2, [2, 0]) == (len(games(context, competition)), scores(context, competition))


# ------------------------------------------------------------------------------------------------ endpoints


@pytest.fixture
def calling(context: Context) -> Context:
    """Allow outgoing calls."""
    context.settings = replace(context.settings, outgoing="on")
    return context


def test_a_bot_that_never_answers_holds_up_a_round_no_longer_than_its_clock(calling: Context, time: Time) -> None:
    competition, host = announce(calling, replace(SWISS, rounds=1))
    for _ in range(2):
        _, caller = create_bot(calling)
        bots.publish(calling, caller, replace(CALLED, endpoint=NewEndpoint("https://bot.example/", attempts=10)))
        competitions.join(calling, caller, competition)
    competitions.start(calling, host, competition)
    run_keeper(calling)
    (game,) = running_games(calling, competition)
    began = time.ms
    for _ in range(10):
        loaded = repository.load(calling, game["game_id"]).game
        time.ms = max(time.ms, loaded.due_at or 0)
        call = endpoints.take(calling, game["game_id"], loaded.revision, 0)
        if call is not None:
            time.pass_(5)
            endpoints.record_failure(calling, call, "late")
    assert 90 <= (time.ms - began) / 1000 <= 95
    assert "failure" == view(calling, game["game_id"])["outcome"]["reason"]
    for _ in range(2):
        run_keeper(calling)
    final_view = competition_view(calling, competition)
    assert ("over", [1, 0]) == (final_view["status"], [row["score"] for row in final_view["standings"]])
    assert ["entered", "withdrawn"] == [row["status"] for row in final_view["standings"]]
